// What happened on a board, in order, for those who listen. Each event holds the values of its own instant.

package import Labels
package import Tween

/// Why a motion is over.
package enum CompletionReason: String, Hashable, Sendable {
    case finished, superseded, cancelled, removed
}

/// How a motion ended.
package struct Ending: Hashable, Sendable {
    package var animation: UInt64
    package var reason: CompletionReason
    /// When, which mostly lies between two ticks.
    package var instant: Instant
    /// The motion took no time, so that no frame could show it before.
    package var isInstant: Bool

    package init(animation: UInt64, reason: CompletionReason, at instant: Instant, isInstant: Bool = false) {
        self.animation = animation
        self.reason = reason
        self.instant = instant
        self.isInstant = isInstant
    }
}

/// Why a resource left the board.
package enum RemovalReason: String, Hashable, Sendable {
    case deleted, cancelled, completed, skipped
}

/// A named event.
package enum BoardEvent: Sendable {
    case complete(ResourceName, Ending, Reading)
    case milestone(ResourceName, animation: UInt64, value: ExactDecimal)
    case paused(ResourceName?)
    case resumed(ResourceName?)
    case removed(ResourceName, RemovalReason)
    case scheduled(ResourceName, due: Instant)
    case fired(ResourceName, due: Instant, count: Int)
    /// A firing was left out, with all that followed it until now.
    case skipped(ResourceName, due: Instant, next: Instant?)
    /// - Parameter by: Whose actions it is among; nil for one that was published by itself.
    case notification(name: String, data: [UInt8]?, by: ResourceName?)
    case webhook(url: String, data: [UInt8]?, by: ResourceName)
    /// An action could not be carried out.
    case failed(by: ResourceName, CommandError)
}

extension BoardEvent {
    /// Who is told of an event.
    package enum Audience: Hashable, Sendable {
        /// Whoever watches this resource.
        case resource(ResourceName)
        /// Whoever watches a schedule.
        case allSchedules
        /// Whoever listens to notifications of this name.
        case notification(String)
        /// No listener: it concerns the service alone.
        case service
    }

    package var audience: Audience {
        switch self {
        case .complete(let name, _, _), .milestone(let name, _, _), .removed(let name, _),
            .scheduled(let name, _), .fired(let name, _, _), .skipped(let name, _, _), .paused(let name?),
            .resumed(let name?):
            .resource(name)
        case .paused(nil), .resumed(nil): .allSchedules
        case .notification(let name, _, _): .notification(name)
        case .webhook, .failed: .service
        }
    }

    /// About how many bytes it takes to tell this: what it carries, as it is written, and a frame around it.
    package var byteCount: Int {
        let frame = 128
        switch self {
        case .complete(_, _, let reading):
            return frame + reading.byteCount
        case .notification(_, let data, _): return frame + (data?.count ?? 0)
        case .webhook(let url, let data, _): return frame + url.utf8.count + (data?.count ?? 0)
        default: return frame
        }
    }
}

/// What a track shows at an instant.
package struct Reading: Hashable, Sendable {
    /// What its text comes from. Of most motions that an update cuts short nobody reads how far they came, so a ticker's text
    /// is written when somebody does; a progress' is of its instant.
    private enum Source: Hashable, Sendable {
        case written([UInt8])
        case ticker(TickerRendering)
        case progress(ShownProgress)
    }

    /// The unrounded number.
    package let value: Position
    private let source: Source
    /// Progress with a maximum only: the unclamped share.
    package let fraction: Double?
    package let percent: Int?

    package init(value: Position, text: [UInt8], fraction: Double? = nil, percent: Int? = nil) {
        self.value = value
        source = .written(text)
        self.fraction = fraction
        self.percent = percent
    }

    /// What a ticker shows.
    init(value: Position, of rendering: TickerRendering) {
        self.value = value
        source = .ticker(rendering)
        fraction = nil
        percent = nil
    }

    /// What a progress shows.
    init(value: Position, of shown: ShownProgress, fraction: Double?, percent: Int?) {
        self.value = value
        source = .progress(shown)
        self.fraction = fraction
        self.percent = percent
    }

    private init(_ other: Reading, source: Source) {
        (value, fraction, percent) = (other.value, other.fraction, other.percent)
        self.source = source
    }

    /// What its text was written by; nil where that isn't known any more.
    package var rendering: Rendering? {
        switch source {
        case .written: nil
        case .ticker(let rendering): .ticker(rendering)
        case .progress(let shown): .progress(shown.rendering)
        }
    }

    /// The same as another rendering of its kind writes it; nil where that isn't known any more.
    package func written(by rendering: Rendering) -> Reading? {
        switch (source, rendering) {
        case (.ticker, .ticker(let rendering)): Reading(self, source: .ticker(rendering))
        case (.progress(let shown), .progress(let rendering)):
            Reading(self, source: .written(shown.text(by: rendering)))
        default: nil
        }
    }

    /// Its text, written anew with each call where it is a ticker's.
    package var text: [UInt8] {
        switch source {
        case .written(let text): return text
        case .progress(let shown): return shown.text
        case .ticker(let rendering):
            var text: [UInt8] = []
            rendering.append(value, escaped: false, to: &text)
            return text
        }
    }

    /// Bytes of a text in JSON, where a control character is written as six.
    private static func escapedCount(_ text: [UInt8]) -> Int { text.reduce(0) { $0 + ($1 < 0x20 ? 6 : 1) } }

    /// About how many bytes it takes to tell it in JSON.
    package var byteCount: Int {
        switch source {
        case .written(let text): Self.escapedCount(text)
        case .progress(let shown): Self.escapedCount(shown.text)
        case .ticker(let rendering): rendering.textBytes
        }
    }
}

/// What a progress showed at an instant: its text, and of what another locale makes its own. A class, so that readings are
/// small.
final class ShownProgress: Hashable, Sendable {
    let rendering: ProgressRendering
    let text: [UInt8]
    private let values: ProgressLabel.Values

    init(_ rendering: ProgressRendering, _ values: ProgressLabel.Values, text: [UInt8]) {
        self.rendering = rendering
        self.values = values
        self.text = text
    }

    /// Its text by a rendering in another locale.
    func text(by rendering: ProgressRendering) -> [UInt8] {
        var text: [UInt8] = []
        rendering.plain.append(values, to: &text)
        return text
    }

    static func == (left: ShownProgress, right: ShownProgress) -> Bool {
        left === right || left.text == right.text && left.values == right.values && left.rendering == right.rendering
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A number on its way or at rest.
package enum Position: Hashable, Sendable {
    /// At rest on a value as it was given.
    case exact(ExactDecimal)
    /// In between.
    case moving(Double)

    package var double: Double {
        switch self {
        case .exact(let value): value.double
        case .moving(let value): value
        }
    }
}
