// Renderings in the locales of readers, made once for all readers of a label in one locale when its formats are compiled.

import Base
package import Board
import Labels

/// A cache of renderings in the locales of readers.
package final class ReaderRenderings {
    /// The number of renderings kept, of a few kilobytes each; up to twice as many while they change.
    package static let capacity = 10_000

    private struct Key: Hashable {
        let locale: String
        let rendering: ObjectIdentifier
    }

    private struct Entry {
        /// Retained, so that no other rendering can have its identity.
        let posted: Rendering
        let shown: Rendering
    }

    private let planner: any ReaderPlanner
    private var entries = GenerationCache<Key, Entry>(capacity: ReaderRenderings.capacity)

    package init(_ planner: any ReaderPlanner) {
        self.planner = planner
    }

    /// Returns a rendering in a locale, or as it was posted if the locale can't write it. nil until its formats are
    /// compiled: this starts the compilation, and the caller must ask again.
    package func rendering(_ posted: Rendering, in locale: String) -> Rendering? {
        let key = Key(locale: locale, rendering: posted.identity)
        if let known = entries.look(up: key).value { return known.shown }
        let formats = posted.formats(in: locale)
        guard planner.knows(formats) else {
            planner.compile(formats)
            return nil
        }
        let shown = (try? posted.written(in: locale, planner: planner)) ?? posted
        entries.insert(Entry(posted: posted, shown: shown), for: key)
        return shown
    }

    /// Sets the locales with readers.
    func setLocales(_ locales: [String]) { planner.setLocales(locales) }

    /// Returns a track in a locale; nil until its formats are compiled.
    package func track(_ track: Track, in locale: String) -> Track? {
        guard let rendering = rendering(track.rendering, in: locale) else { return nil }
        var shown = track
        shown.rendering = rendering
        return shown
    }

    /// Returns a schedule in a locale; nil until its words are compiled.
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
}

extension Rendering {
    fileprivate var identity: ObjectIdentifier {
        switch self {
        case .ticker(let rendering): ObjectIdentifier(rendering)
        case .progress(let rendering): ObjectIdentifier(rendering)
        }
    }
}
