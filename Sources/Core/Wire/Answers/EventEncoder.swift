// The payloads of named events.

package import Board
package import Labels
import Tween

/// Encodes events.
package enum EventEncoder {
    /// The names of events on streams.
    package static let names = [
        "complete", "milestone", "paused", "resumed", "removed", "scheduled", "fired", "skipped", "notification",
    ]

    /// Returns the event's name on streams; nil for one without subscribers.
    package static func name(of event: BoardEvent) -> String? {
        switch event {
        case .complete: "complete"
        case .milestone: "milestone"
        case .paused: "paused"
        case .resumed: "resumed"
        case .removed: "removed"
        case .scheduled: "scheduled"
        case .fired: "fired"
        case .skipped: "skipped"
        case .notification: "notification"
        case .webhook, .failed: nil
        }
    }

    /// Returns the event's JSON.
    package static func payload(of event: BoardEvent) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { append(event, to: &$0) }
        return json.bytes
    }

    /// Returns one completion for many motions of a track in one tick that no frame showed: `animation` is the last of them,
    /// `first` the first, and `count` their number.
    package static func payload(of group: CompletionGroup, _ name: ResourceName) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object {
            append(name, to: &$0)
            $0.member("animation", quoted: group.last)
            $0.member("first", quoted: group.first)
            $0.member("count", group.count)
            $0.member("finished", group.reason == .finished)
            $0.member("reason", group.reason.rawValue)
            TrackEncoder.appendReading(group.reading, to: &$0)
        }
        return json.bytes
    }

    /// Replaces the text of an encoded completion.
    /// - Parameters:
    ///   - event: The whole event, as it was sent.
    ///   - texts: Returns the posted text of its value, and the text to show instead.
    /// - Returns: nil if the event contains another text.
    package static func rewritten(
        _ event: [UInt8], _ texts: (ExactDecimal) -> (posted: [UInt8], shown: [UInt8])?
    ) -> [UInt8]? {
        // This occurs nowhere before its value: ids and reasons contain no quotes.
        guard let word = event.firstRange(of: Array("\"value\":".utf8)),
            let value = ExactDecimal(parsing: event.dropFirst(word.upperBound).prefix { $0 != UInt8(ascii: ",") }),
            let (posted, shown) = texts(value)
        else { return nil }
        let end = ending(posted)
        guard event.suffix(end.count).elementsEqual(end) else { return nil }
        return event.dropLast(end.count) + ending(shown)
    }

    /// The end of a completion: `text` is its last member.
    private static func ending(_ text: [UInt8]) -> [UInt8] {
        var bytes = Array("\"text\":\"".utf8)
        JSONText.appendEscaped(text, to: &bytes)
        return bytes + Array("\"}\n\n".utf8)
    }

    private static func append(_ event: BoardEvent, to json: inout JSONWriter) {
        switch event {
        case .complete(let name, let ending, let reading):
            append(name, to: &json)
            json.member("animation", quoted: ending.animation)
            json.member("finished", ending.reason == .finished)
            json.member("reason", ending.reason.rawValue)
            TrackEncoder.appendReading(reading, to: &json)
        case .milestone(let name, let animation, let value):
            append(name, to: &json)
            json.member("animation", quoted: animation)
            json.member("value", value)
        case .paused(let name), .resumed(let name):
            if let name { append(name, to: &json) } else { json.member("all", true) }
        case .removed(let name, let reason):
            append(name, to: &json)
            json.member("reason", reason.rawValue)
        case .scheduled(let name, let due):
            append(name, to: &json)
            json.member("due", date: due)
        case .fired(let name, let due, let count):
            append(name, to: &json)
            json.member("due", date: due)
            json.member("count", count)
        case .skipped(let name, let due, let next):
            append(name, to: &json)
            json.member("due", date: due)
            if let next { json.member("next", date: next) }
        case .notification(let notification, let data, let name):
            json.member("notification", notification)
            // Unchanged but on one line, so that clients that parse streams by hand see one event. In JSON, line breaks only
            // occur between tokens.
            if let data { json.member("data", raw: data.map { [0x0A, 0x0D].contains($0) ? 0x20 : $0 }) }
            ActionOrigin.append(name, to: &json)
        case .webhook, .failed:
            break
        }
    }

    private static func append(_ name: ResourceName, to json: inout JSONWriter) {
        json.member("\(name.kind)", name.id)
    }
}
