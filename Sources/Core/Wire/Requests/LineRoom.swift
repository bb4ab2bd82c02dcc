// Limits for input that ends up in lines of a stream. Many clients read lines of at most 64 KiB: a longer line would end
// their stream, and again after each reconnect.

import Base
import Board
import Labels
import Tween

/// Rejects input that could make a line of a stream longer than 65,535 bytes, in any variant and locale.
package enum LineRoom {
    /// The maximum data of a notification, in bytes: with names, an id and the rest of a line of JSON it stays below 65,536.
    package static let notification = 65_024
    /// The bytes of a frame for copies of its label; the rest is for names, numbers and instants.
    private static let frame = 64_000
    /// How often a frame repeats a label: as text, in the strings and parts of `display`, between `wheels`.
    private static let copies = 5
    /// The maximum bytes of one number in all copies: 38 digits and a currency's name, in the widest script.
    private static let number = 3_000
    /// The maximum label, as JSON: `motion` events have the text, the label and that of an unknown maximum.
    private static let label = 8_192
    /// The maximum prefix or suffix, as JSON: each may be set without the other.
    private static let part = 6_000
    /// The maximum of all forms of a plural message, which `motion` events contain.
    private static let forms = 24_000
    /// The maximum easing as `motion` events have it, up to four times; it may be much longer than as it was sent.
    private static let easing = 6_000
    /// The maximum of all keyframes' easings, which `motion` events have once.
    private static let keyframes = 12_000

    /// - Throws: 422, naming the field.
    package static func check(data: [UInt8]?, at pointer: String) throws(Problem) {
        guard let data, data.count > notification else { return }
        throw .field(pointer, "what a notification tells must be at most \(notification) bytes long")
    }

    /// - Parameter kind: The kind of resource that shows the label.
    static func check(label text: String, of kind: ResourceKind, at pointer: String) throws(Problem) {
        let size = JSONText.escaped(text.utf8).count
        guard size <= label else { throw tooLong(label, at: pointer) }
        var places = kind == .ticker ? 1 : placeholders(in: text, isCountdown: kind == .schedule)
        // One that can't be parsed is rejected where it is used.
        if kind == .ticker, TickerLabel.isMessage(text), let message = try? TickerLabel(message: text) {
            let sizes = message.messageForms.map { $0.texts.reduce(0) { $0 + JSONText.escaped($1).count } }
            guard sizes.reduce(0, +) <= forms else {
                throw .field(pointer, "all forms together must be at most \(forms) bytes long as JSON text")
            }
            places = message.messageForms.map { $0.texts.count - 1 }.max() ?? 0
        }
        guard copies * size + number * places <= frame else {
            let most = max(0, frame - copies * size) / number
            throw .field(pointer, "with so much text a label has room for \(most) numbers, and this one has \(places)")
        }
    }

    /// - Parameter text: A label whose characters all stand for themselves.
    static func check(words text: String, at pointer: String) throws(Problem) {
        guard JSONText.escaped(text.utf8).count <= label else { throw tooLong(label, at: pointer) }
    }

    static func check(part text: String, at pointer: String) throws(Problem) {
        guard JSONText.escaped(text.utf8).count <= part else { throw tooLong(part, at: pointer) }
    }

    static func check(_ easing: Easing, at pointer: String) throws(Problem) {
        guard easing.description.utf8.count <= Self.easing else {
            throw .field(pointer, "must be at most \(Self.easing) bytes long with all of its percentages")
        }
    }

    static func check(_ waypoints: [TrackUpdate.Waypoint], at pointer: String) throws(Problem) {
        let size = waypoints.reduce(0) { $0 + ($1.easing?.description.utf8.count ?? 0) }
        guard size <= keyframes else {
            throw .field(pointer, "the easings of all keyframes together must be at most \(keyframes) bytes long")
        }
    }

    private static func tooLong(_ most: Int, at pointer: String) -> Problem {
        .field(pointer, "must be at most \(most) bytes long as JSON text, in which control characters take six each")
    }

    /// Counts opening braces that are not escaped; in a countdown with messages also `#`, which stands for their number.
    private static func placeholders(in text: String, isCountdown: Bool) -> Int {
        var (count, isEscape) = (0, false)
        let hasMessages = isCountdown && TickerLabel.isMessage(text)
        for byte in text.utf8 {
            if hasMessages, byte == UInt8(ascii: "#") { count += 1 }
            let isBrace = byte == UInt8(ascii: "{")
            if isBrace { count += isEscape ? -1 : 1 }
            isEscape = isBrace && !isEscape
        }
        return count
    }
}
