// What a terminal shows of an event.

package import Base
import EventStream
import Labels

/// The members of an event's data that a terminal shows.
struct TerminalFields {
    /// Its kind and id; nil for an event of the stream itself.
    private(set) var topic: String?
    private(set) var id: String?
    private(set) var text: String?
    private(set) var fraction: Double?
    private var reason: String?
    private var maximum: String?
    private var notification: String?
    /// A notification's data: a string as it is, anything else as JSON.
    private var brought: String?

    init?(_ data: [ArraySlice<UInt8>]) {
        guard let document = try? JSONDocument(Array(data.joined())), case .object(let members) = document.root.content
        else { return nil }
        for member in members {
            switch (member.name, member.value.content) {
            case ("ticker", .string(let id)), ("progress", .string(let id)), ("schedule", .string(let id)):
                (topic, self.id) = (member.name + ":" + id, id)
            case ("text", .string(let text)): self.text = text
            case ("reason", .string(let reason)): self.reason = reason
            case ("fraction", .number):
                fraction = Double(String(decoding: document.source(of: member.value), as: UTF8.self))
            case ("maximum", .number): maximum = String(decoding: document.source(of: member.value), as: UTF8.self)
            case ("notification", .string(let name)): notification = name
            case ("data", .string(let text)): brought = text
            case ("data", _): brought = String(decoding: document.source(of: member.value), as: UTF8.self)
            default: break
            }
        }
    }

    /// A notification, or a sentence about the stream itself; nil for events that need none.
    func notice(of event: String?) -> TerminalNotice? {
        switch event {
        case "bye": TerminalNotice(text: "The server ended this stream: \(reason ?? "no reason").")
        case "limit": TerminalNotice(text: "Some topics are left out: at most \(maximum ?? "some") fit.")
        case "notification":
            TerminalNotice(text: [notification, brought].compactMap(\.self).joined(separator: "  "), isOfStream: false)
        default: nil
        }
    }
}

/// A line that isn't drawn again.
package struct TerminalNotice {
    let text: String
    /// Whether it is about the stream itself, not a notification.
    var isOfStream = true
}

/// What a terminal shows of a topic: read once for all streams of a shard.
package final class TerminalFrame: FrameDigest {
    /// The most bytes of a text that are read: four for each column of the widest terminal.
    private static let mostBytes = 4 * TerminalLayout.widths.upperBound

    /// Its kind and id.
    let topic: String
    /// Its id.
    let name: TerminalText
    let text: TerminalText
    let fraction: Double?
    /// Whether its label has a bar.
    let hasOwnBar: Bool

    /// - Parameter topic: Its kind and id.
    package init(topic: String, name: TerminalText, text: String = "", fraction: Double? = nil) {
        (self.topic, self.name, self.fraction) = (topic, name, fraction)
        self.text = TerminalText(text, mostBytes: Self.mostBytes)
        hasOwnBar = TextBar.isIn(self.text.text)
    }

    /// Reads a whole frame; nil for another event.
    convenience init?(_ event: ArraySlice<UInt8>) {
        var read: TerminalFields?
        EventFields.forEach(in: event) { if $0.name == nil { read = TerminalFields($0.data) } }
        guard let read, let topic = read.topic, let id = read.id, let text = read.text else { return nil }
        self.init(topic: topic, name: TerminalText(id), text: text, fraction: read.fraction)
    }
}
