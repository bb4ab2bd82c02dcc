// Compiled number formats, kept: locale data are read once a format, whatever the decimals, and never on the tick thread
// for what a request brought.

package import Board
package import Labels
import Locales
import Synchronization

/// Compiled formats, those that were used last.
package final class LocalePlanner: Planner {
    /// The most formats kept, of a few kilobytes each. Twice as many in fact while they change: those not used since half
    /// of them were new go.
    package static let capacity = 10_000

    /// Formats in two generations: what is used moves to the younger, and when that is full the elder goes.
    private struct Shelf {
        var young: [NumberFormat: CompiledNumberFormat] = [:]
        var old: [NumberFormat: CompiledNumberFormat] = [:]
    }

    private let shelf = Mutex(Shelf())
    private let compiled = Atomic<Int>(0)

    package init() {}

    /// How many formats were compiled so far.
    package var compilations: Int { compiled.load(ordering: .relaxed) }

    /// Whether a format needs no compiling. Counts as use.
    func knows(_ format: NumberFormat) -> Bool { known(format) != nil }

    /// Compiles a format that is not known. Slow: some tens of microseconds to milliseconds.
    func prepare(_ format: NumberFormat) throws(CommandError) { _ = try compiledFormat(format) }

    package func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        try compiledFormat(format).plan(decimals: decimals)
    }

    private func compiledFormat(_ format: NumberFormat) throws(CommandError) -> CompiledNumberFormat {
        if let known = known(format) { return known }
        compiled.wrappingAdd(1, ordering: .relaxed)
        do throws(NumberFormatError) {
            let new = try NumberPlanCompiler.compile(format)
            keep(new, for: format)
            return new
        } catch {
            throw .invalid(field: "format/\(error.field.rawValue)", reason: error.reason)
        }
    }

    private func known(_ format: NumberFormat) -> CompiledNumberFormat? {
        let (found, isOld) = shelf.withLock { shelf -> (CompiledNumberFormat?, Bool) in
            if let young = shelf.young[format] { return (young, false) }
            return (shelf.old[format], true)
        }
        if isOld, let found { keep(found, for: format) }
        return found
    }

    private func keep(_ compiled: CompiledNumberFormat, for format: NumberFormat) {
        // What goes is let go of outside the lock: the tick thread may wait for it.
        _ = shelf.withLock { shelf -> [NumberFormat: CompiledNumberFormat] in
            shelf.young[format] = compiled
            guard shelf.young.count >= Self.capacity else { return [:] }
            let gone = shelf.old
            shelf.old = shelf.young
            shelf.young = [:]
            return gone
        }
    }
}
