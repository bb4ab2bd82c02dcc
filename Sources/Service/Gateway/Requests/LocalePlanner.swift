// A cache of compiled number formats. Locale data are read once for each format, whatever the decimals, and never on the
// tick thread for a request's format.

import Base
package import Board
package import Labels
package import Locales
import Synchronization

/// The compiled formats used most recently.
package final class LocalePlanner: Planner {
    /// The number of formats kept, of a few kilobytes each; up to twice as many while formats change.
    package static let capacity = 10_000

    /// The result of compiling a format.
    private typealias Outcome = Result<CompiledNumberFormat, CommandError>

    /// The number of locales whose words are kept, of about 5 KB each; up to twice as many.
    package static let wordCapacity = 256

    // What is dropped is freed outside the locks: the tick thread may wait for them.
    private let formats = Mutex(GenerationCache<NumberFormat, Outcome>(capacity: LocalePlanner.capacity))
    private let words = Mutex(GenerationCache<String, TimeWords>(capacity: LocalePlanner.wordCapacity))
    private let compiler: @Sendable (NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat

    package init(
        compiler: @escaping @Sendable (NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat =
            NumberPlanCompiler.compile
    ) {
        self.compiler = compiler
    }

    /// Returns whether a format is compiled. Counts as use.
    func knows(_ format: NumberFormat) -> Bool {
        if case .success = known(format) { true } else { false }
    }

    /// Returns whether compiling a format in a reader's locale has succeeded or failed before.
    func isSettled(_ format: NumberFormat) -> Bool { known(format) != nil }

    /// Compiles a format that is not in the cache. Slow: from tens of microseconds to milliseconds.
    func prepare(_ format: NumberFormat) throws(CommandError) {
        if !knows(format) { _ = try compile(format) }
    }

    /// Compiles a publisher's format in a reader's locale. Failures are kept too, because every frame asks for the format.
    func prepareForReader(_ format: NumberFormat) {
        guard !isSettled(format) else { return }
        do throws(CommandError) {
            _ = try compile(format)
        } catch {
            keep(.failure(error), for: format)
        }
    }

    package func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        try compiledFormat(format).plan(decimals: decimals)
    }

    package func words(in locale: String) throws(CommandError) -> TimeWords {
        if let known = words.withLock({ $0.look(up: locale) }).value { return known }
        let new = TimeWords.words(in: locale, number: try plan(for: NumberFormat(locale: locale), decimals: 0))
        _ = words.withLock { $0.insert(new, for: locale) }
        return new
    }

    private func compiledFormat(_ format: NumberFormat) throws(CommandError) -> CompiledNumberFormat {
        if let known = known(format) { return try known.get() }
        return try compile(format)
    }

    private func compile(_ format: NumberFormat) throws(CommandError) -> CompiledNumberFormat {
        do throws(NumberFormatError) {
            let new = try compiler(format)
            keep(.success(new), for: format)
            return new
        } catch {
            throw .invalid(field: "format/\(error.field.rawValue)", reason: error.reason)
        }
    }

    private func known(_ format: NumberFormat) -> Outcome? {
        formats.withLock { $0.look(up: format) }.value
    }

    private func keep(_ outcome: Outcome, for format: NumberFormat) {
        _ = formats.withLock { $0.insert(outcome, for: format) }
    }
}
