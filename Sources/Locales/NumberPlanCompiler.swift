package import Labels
package struct NumberFormatError: Error { package let field: String; package let reason: String }
package enum NumberPlanCompiler {
    package static func plan(for format: NumberFormat, decimals: Int?) throws(NumberFormatError) -> NumberPlan {
        .grouped(decimals: decimals ?? 2)
    }
}
