// How much of a line input may take up. A stream is read by lines, and many a reader has room for 64 KiB: an event that made a
// longer line would end it, and again whenever it comes back.

import Base
import Board
import Labels
import Tween

/// Refuses what could make a line of a stream longer than 65,535 bytes, whatever form and locale it is read in.
package enum LineRoom {
    /// The longest data of a notification, in bytes: with names, an id and the rest of a line of JSON it stays below 65,536.
    package static let notification = 65_024
    /// Bytes of a frame that are its label's: the rest has names, numbers and instants.
    private static let frame = 64_000
    /// How often a frame repeats a label: as text, in the strings and parts of `display`, between `wheels`.
    private static let copies = 5
    /// Bytes of one number in all of these together: 38 digits and a currency's name, in the widest of scripts.
    private static let number = 3_000
    /// The longest label, as JSON has it: `motion` events have the text and the label, and the one of an unknown maximum.
    private static let label = 8_192
    /// The longest prefix or suffix, as JSON has it: each may be set without the other.
    private static let part = 6_000
    /// All forms of a plural message together: `motion` events have them all.
    private static let forms = 24_000
    /// The longest easing as `motion` events have it, up to four times; its words may be many more than those it came in.
    private static let easing = 6_000
    /// The same of all keyframes together, which they have once.
    private static let keyframes = 12_000

    /// - Throws: 422, naming the field.
    package static func check(data: [UInt8]?, at pointer: String) throws(Problem) {
        guard let data, data.count > notification else { return }
        throw .field(pointer, "what a notification tells must be at most \(notification) bytes long")
    }

    /// - Parameter kind: What shows the label.
    static func check(label text: String, of kind: ResourceKind, at pointer: String) throws(Problem) {
        let size = JSONText.escaped(text.utf8).count
        guard size <= label else { throw tooLong(label, at: pointer) }
        var places = kind == .ticker ? 1 : placeholders(in: text, isCountdown: kind == .schedule)
        // One that can't be read is refused where it is used.
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

    /// Braces that open, those aside that stand for themselves; of a countdown with messages also what stands for their
    /// number.
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
