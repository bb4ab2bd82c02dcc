// What happened on a board, in order, for subscribers. Each event holds the values of its own instant.

package import Labels
package import Tween

/// Why a motion ended.
package enum CompletionReason: String, Hashable, Sendable {
    case finished, superseded, cancelled, removed
}

/// How a motion ended.
package struct Ending: Hashable, Sendable {
    package var animation: UInt64
    package var reason: CompletionReason
    /// The instant of the end, usually between two ticks.
    package var instant: Instant
    /// The motion took no time, so no frame has shown it.
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
    /// A schedule skipped a firing, and all later ones until now.
    case skipped(ResourceName, due: Instant, next: Instant?)
    /// - Parameter by: The resource whose action it is; nil if a client published it.
    case notification(name: String, data: [UInt8]?, by: ResourceName?)
    case webhook(url: String, data: [UInt8]?, by: ResourceName)
    /// An action failed.
    case failed(by: ResourceName, CommandError)
}

extension BoardEvent {
    /// Who receives an event.
    package enum Audience: Hashable, Sendable {
        /// Subscribers of this resource.
        case resource(ResourceName)
        /// Subscribers of any schedule.
        case allSchedules
        /// Subscribers of notifications of this name.
        case notification(String)
        /// No subscriber: only the service handles it.
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

    /// Estimated size in bytes when it is sent: its contents and a frame around them.
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
    /// Where the text comes from. The last value of an interrupted motion is rarely read, so a ticker's text is
    /// only formatted when it is read; a progress' text is formatted at once.
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

    /// A reading of a ticker.
    init(value: Position, of rendering: TickerRendering) {
        self.value = value
        source = .ticker(rendering)
        fraction = nil
        percent = nil
    }

    /// A reading of a progress.
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

    /// The rendering that formats the text; nil if it is no longer known.
    package var rendering: Rendering? {
        switch source {
        case .written: nil
        case .ticker(let rendering): .ticker(rendering)
        case .progress(let shown): .progress(shown.rendering)
        }
    }

    /// Returns this reading in another rendering of the same kind; nil if its own rendering is no longer known.
    package func written(by rendering: Rendering) -> Reading? {
        switch (source, rendering) {
        case (.ticker, .ticker(let rendering)): Reading(self, source: .ticker(rendering))
        case (.progress(let shown), .progress(let rendering)):
            Reading(self, source: .written(shown.text(by: rendering)))
        default: nil
        }
    }

    /// The text. A ticker's is formatted by each call.
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

    /// Counts the bytes of a text in JSON, where a control character takes six.
    private static func escapedCount(_ text: [UInt8]) -> Int { text.reduce(0) { $0 + ($1 < 0x20 ? 6 : 1) } }

    /// Estimated size in bytes of the text in JSON.
    package var byteCount: Int {
        switch source {
        case .written(let text): Self.escapedCount(text)
        case .progress(let shown): Self.escapedCount(shown.text)
        case .ticker(let rendering): rendering.textBytes
        }
    }
}

/// What a progress showed at an instant: its text, and the values to format it in another locale. A class keeps readings
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

    /// Formats the text with a rendering in another locale.
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

/// A number in motion or at rest.
package enum Position: Hashable, Sendable {
    /// At rest on a value exactly as given.
    case exact(ExactDecimal)
    /// In motion.
    case moving(Double)

    package var double: Double {
        switch self {
        case .exact(let value): value.double
        case .moving(let value): value
        }
    }
}
