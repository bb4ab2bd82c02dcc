// Compiled number formats, kept: locale data are read once a format, whatever the decimals, and never on the tick thread
// for what a request brought.

package import Board
package import Labels
package import Locales
import Synchronization

/// Compiled formats, those that were used last.
package final class LocalePlanner: Planner {
    /// The most formats kept, of a few kilobytes each. Twice as many in fact while they change: those not used since half
    /// of them were new go.
    package static let capacity = 10_000

    /// What came of compiling a format.
    private typealias Outcome = Result<CompiledNumberFormat, CommandError>

    /// Formats in two generations: what is used moves to the younger, and when that is full the elder goes.
    private struct Shelf {
        var young: [NumberFormat: Outcome] = [:]
        var old: [NumberFormat: Outcome] = [:]
    }

    /// The most locales whose words are kept, of about 5 KB each; beyond it all are let go of, and made again when asked
    /// for.
    package static let wordCapacity = 256

    private let shelf = Mutex(Shelf())
    private let words = Mutex<[String: TimeWords]>([:])
    private let compiler: @Sendable (NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat

    package init(
        compiler: @escaping @Sendable (NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat =
            NumberPlanCompiler.compile
    ) {
        self.compiler = compiler
    }

    /// Whether a format needs no compiling. Counts as use.
    func knows(_ format: NumberFormat) -> Bool {
        if case .success = known(format) { true } else { false }
    }

    /// Whether it is known what comes of a format in a reader's locale, also where that is nothing.
    func isSettled(_ format: NumberFormat) -> Bool { known(format) != nil }

    /// Compiles a format that is not known. Slow: some tens of microseconds to milliseconds.
    func prepare(_ format: NumberFormat) throws(CommandError) {
        if !knows(format) { _ = try compile(format) }
    }

    /// Compiles a poster's format in a reader's locale, if it is not known. That it can't be is kept, too: it is asked for
    /// with each frame.
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
        if let known = words.withLock({ $0[locale] }) { return known }
        let new = TimeWords.words(in: locale, number: try plan(for: NumberFormat(locale: locale), decimals: 0))
        // What goes is let go of outside the lock: the tick thread may wait for it.
        _ = words.withLock { words -> [String: TimeWords] in
            let gone = words.count < Self.wordCapacity ? [:] : words
            if !gone.isEmpty { words = [:] }
            words[locale] = new
            return gone
        }
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
        let (found, isOld) = shelf.withLock { shelf -> (Outcome?, Bool) in
            if let young = shelf.young[format] { return (young, false) }
            return (shelf.old[format], true)
        }
        if isOld, let found { keep(found, for: format) }
        return found
    }

    private func keep(_ outcome: Outcome, for format: NumberFormat) {
        // What goes is let go of outside the lock: the tick thread may wait for it.
        _ = shelf.withLock { shelf -> [NumberFormat: Outcome] in
            shelf.young[format] = outcome
            guard shelf.young.count >= Self.capacity else { return [:] }
            let gone = shelf.old
            shelf.old = shelf.young
            shelf.young = [:]
            return gone
        }
    }
}
