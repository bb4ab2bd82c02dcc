// The payloads of named events.

package import Board
package import Labels
import Tween

/// Writes events.
package enum EventEncoder {
    /// The names of events on streams.
    package static let names = [
        "complete", "milestone", "paused", "resumed", "removed", "scheduled", "fired", "skipped", "notification",
    ]

    /// The event's name on the stream; nil for what concerns no listener.
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

    /// The event's JSON.
    package static func payload(of event: BoardEvent) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { append(event, to: &$0) }
        return json.bytes
    }

    /// One completion for many motions of a track that no frame showed, all of one tick: `animation` is the last of them,
    /// `first` the first, `count` how many.
    package static func payload(of crowd: CompletionGroup, _ name: ResourceName) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object {
            append(name, to: &$0)
            $0.member("animation", quoted: crowd.last)
            $0.member("first", quoted: crowd.first)
            $0.member("count", crowd.count)
            $0.member("finished", crowd.reason == .finished)
            $0.member("reason", crowd.reason.rawValue)
            TrackEncoder.appendReading(crowd.reading, to: &$0)
        }
        return json.bytes
    }

    /// A completion that was sent already, with another text.
    /// - Parameters:
    ///   - event: The whole event, as it went out.
    ///   - texts: What its value is written as, and what it is to be written as.
    /// - Returns: Nil where there is another text in it.
    package static func rewritten(
        _ event: [UInt8], _ texts: (ExactDecimal) -> (posted: [UInt8], shown: [UInt8])?
    ) -> [UInt8]? {
        // Nothing before its value has the word in it: ids and reasons hold no quotes.
        guard let word = event.firstRange(of: Array("\"value\":".utf8)),
            let value = ExactDecimal(parsing: event.dropFirst(word.upperBound).prefix { $0 != UInt8(ascii: ",") }),
            let (posted, shown) = texts(value)
        else { return nil }
        let end = ending(posted)
        guard event.suffix(end.count).elementsEqual(end) else { return nil }
        return event.dropLast(end.count) + ending(shown)
    }

    /// What a completion ends with: its text is its last member.
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
            // As it came, but in one line, so that an event is one for whoever takes streams apart by hand. JSON has line
            // breaks between its parts alone.
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
