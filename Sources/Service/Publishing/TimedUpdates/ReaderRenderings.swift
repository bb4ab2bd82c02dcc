// Faces as readers see them who asked for a locale of their own: made once for all who read a label in one locale, when
// its formats are compiled there.

package import Board
import Labels

/// Faces in the locales of readers, those that were used last.
package final class ReaderRenderings {
    /// The most renderings kept, of a few kilobytes each. Twice as many in fact while they change: those not used since half of
    /// them were new go.
    package static let capacity = 10_000

    private struct Key: Hashable {
        let locale: String
        let rendering: ObjectIdentifier
    }

    private struct Entry {
        /// Kept, so that no other rendering can have its identity.
        let posted: Rendering
        let shown: Rendering
    }

    private let planner: any ReaderPlanner
    /// Two generations: what is used moves to the younger, and when that is full the elder goes.
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]

    package init(_ planner: any ReaderPlanner) {
        self.planner = planner
    }

    /// A rendering as it is shown in a locale; as it was posted where that locale can't write it. Nil while its formats are not
    /// compiled there: they are from now on, and it is to be asked again.
    package func rendering(_ posted: Rendering, in locale: String) -> Rendering? {
        let key = Key(locale: locale, rendering: posted.identity)
        if let known = young[key] { return known.shown }
        if let known = old[key] {
            keep(known, for: key)
            return known.shown
        }
        let formats = posted.formats(in: locale)
        guard planner.knows(formats) else {
            planner.compile(formats)
            return nil
        }
        let shown = (try? posted.written(in: locale, planner: planner)) ?? posted
        keep(Entry(posted: posted, shown: shown), for: key)
        return shown
    }

    /// Tells in which locales somebody reads from now on.
    func setLocales(_ locales: [String]) { planner.setLocales(locales) }

    /// A track as it is shown in a locale; nil while its formats are not compiled there.
    package func track(_ track: Track, in locale: String) -> Track? {
        guard let rendering = rendering(track.rendering, in: locale) else { return nil }
        var shown = track
        shown.rendering = rendering
        return shown
    }

    /// A schedule as it is shown in a locale; nil while that is not compiled.
    package func schedule(_ schedule: Schedule, in locale: String) -> Schedule? {
        let formats = [NumberFormat(locale: locale)]
        guard planner.knows(formats) else {
            planner.compile(formats)
            return nil
        }
        var shown = schedule
        if let words = try? planner.words(in: locale) {
            shown.definition.label = shown.definition.label.shown(in: words)
        }
        return shown
    }

    private func keep(_ entry: Entry, for key: Key) {
        young[key] = entry
        guard young.count >= Self.capacity else { return }
        old = young
        young = [:]
    }
}

extension Rendering {
    fileprivate var identity: ObjectIdentifier {
        switch self {
        case .ticker(let rendering): ObjectIdentifier(rendering)
        case .progress(let rendering): ObjectIdentifier(rendering)
        }
    }
}
