// Streams as a terminal shows them: a line for each topic, written again in place with the escape sequences of ECMA-48.

import Base
package import EventStream
import Labels

/// How a stream looks on a terminal.
package struct TerminalLayout: Hashable, Sendable {
    /// The columns that a line may take.
    package var width = 80
    /// The lines of the terminal: topics beyond them are counted, not shown.
    package var height = 24
    package var hasColor = true
    /// Whether each line begins with its resource's id: not on a stream of one resource.
    package var showsNames = true

    package init() {}

    package static let widths = 20...500
    /// A line of a topic, that of the hidden ones, and the cursor's.
    package static let heights = 3...500
}

/// One stream's lines. The cursor is kept in the first column below them.
package struct TerminalScreen: StreamEncoder {
    /// Returns the encoding for a size.
    package static func encoding(_ size: TerminalLayout) -> StreamEncoding {
        StreamEncoding("text/plain; charset=utf-8", of: .json, endsAtRest: true) { TerminalScreen(size) }
    }

    private let size: TerminalLayout
    private var rows: [TerminalRow] = []
    /// The indices of the rows by topic.
    private var places: [String: Int] = [:]
    /// Topics that have no line.
    private var hidden: Set<String> = []
    /// The columns of the longest id, up to a third of the width.
    private var nameColumns = 0
    /// The lines that are drawn, with that of hidden topics.
    private var drawn = 0

    package init(_ size: TerminalLayout) { self.size = size }

    package mutating func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        var changed: Set<Int> = []
        var notices: [TerminalNotice] = []
        var isAlive = false
        let (names, hiddenCount) = (nameColumns, hidden.count)
        EventFields.forEach(in: events) { event in
            let name = event.name.map { String(decoding: $0, as: UTF8.self) }
            isAlive = isAlive || name == "heartbeat"
            guard let fields = TerminalFields(event.data) else { return }
            if let notice = fields.notice(of: name) { notices.append(notice) }
            guard let topic = fields.topic else { return }
            // One that is gone needs no line, unless it has one.
            let isNew = places[topic] == nil
            if name == "removed", isNew {
                hidden.remove(topic)
            } else if let place = place(of: topic, fields) {
                let differs = rows[place].take(fields, event: name)
                // A new row is drawn even if its text is empty.
                if differs || isNew { changed.insert(place) }
            }
        }
        if nameColumns != names { changed = Set(rows.indices) }
        var output = ""
        for place in changed.sorted() { draw(line: place, line(of: rows[place]), to: &output) }
        if hidden.count != hiddenCount { draw(line: rows.count, countOfHidden, to: &output) }
        if !notices.isEmpty { insert(notices, to: &output) }
        // A heartbeat moves nothing: the cursor is in the first column.
        return Array((output.isEmpty && isAlive ? "\r" : output).utf8)
    }

    /// Returns the index of a topic's row, which is made if there is room, or takes the place of a removed one.
    private mutating func place(of topic: String, _ fields: TerminalFields) -> Int? {
        if let place = places[topic] { return place }
        // One line is for the hidden ones, and the cursor is below all.
        let hasRoom = rows.count < size.height - 2 || rows.isEmpty
        guard let place = hasRoom ? rows.count : rows.firstIndex(where: \.isRemoved) else {
            hidden.insert(topic)
            return nil
        }
        let name = TerminalText(fields.id ?? "")
        if size.showsNames { nameColumns = min(max(nameColumns, name.columns), size.width / 3) }
        if place < rows.count {
            places[rows[place].topic] = nil
            rows[place] = TerminalRow(topic: topic, name: name)
        } else {
            rows.append(TerminalRow(topic: topic, name: name))
        }
        places[topic] = place
        hidden.remove(topic)
        return place
    }

    /// Draws a line in its place, or below the last one. Terminals disagree on the columns of some scripts, so a line that is
    /// too long is cut off by the terminal, not wrapped: all lines below would be in other places.
    private mutating func draw(line: Int, _ content: String, to output: inout String) {
        let text = Self.unwrapped(content)
        guard line < drawn else {
            output += "\(text)\r\n"
            drawn = line + 1
            return
        }
        output += "\u{1B}[\(drawn - line)A\r\(text)\u{1B}[\(drawn - line)B\r"
    }

    /// Returns a line that replaces what stands in its place, and is cut off where the terminal ends.
    private static func unwrapped(_ content: String) -> String { "\u{1B}[?7l\u{1B}[K\(content)\u{1B}[?7h" }

    /// Writes notices above all lines, which move down; at the foot of the terminal the oldest notices scroll away.
    private mutating func insert(_ notices: [TerminalNotice], to output: inout String) {
        let lines = drawn
        if lines > 0 { output += "\u{1B}[\(lines)A\r" }
        for notice in notices {
            let text = TerminalText(notice.text).fitted(to: size.width).text
            output += "\(Self.unwrapped(styled(text, notice.isOfStream ? .dim : nil)))\r\n"
        }
        drawn = 0
        for line in 0..<lines {
            draw(line: line, line < rows.count ? self.line(of: rows[line]) : countOfHidden, to: &output)
        }
    }

    private var countOfHidden: String {
        guard !hidden.isEmpty else { return "" }
        return styled(TerminalText("… and \(hidden.count) more").fitted(to: size.width).text, .dim)
    }

    private static let mostBarColumns = 40
    /// A narrower bar isn't worth a look.
    private static let leastBarColumns = 8

    /// The look of a text.
    private enum Style: String {
        case dim = "2"
        case moving = "36"
        case done = "32"
    }

    private func styled(_ text: String, _ style: Style?) -> String {
        guard size.hasColor, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    private func line(of row: TerminalRow) -> String {
        var line = ""
        var left = size.width
        if nameColumns > 0 {
            line += styled(row.name.fitted(to: nameColumns).padded(to: nameColumns), .dim) + "  "
            left -= nameColumns + 2
        }
        let bar = TextBar(columns: min(Self.mostBarColumns, left / 2))
        if let fraction = row.fraction, bar.columns >= Self.leastBarColumns, !row.hasOwnBar {
            line += "▕" + styled(bar.text(of: fraction), fraction >= 1 ? .done : .moving) + "▏ "
            left -= bar.columns + 3
        }
        return line + styled(row.text.fitted(to: left).text, row.isRemoved ? .dim : nil)
    }
}

/// What one topic's line shows.
private struct TerminalRow {
    let topic: String
    let name: TerminalText
    private(set) var text = TerminalText("")
    private(set) var fraction: Double?
    private(set) var isRemoved = false

    init(topic: String, name: TerminalText) { (self.topic, self.name) = (topic, name) }

    /// Whether its label has a bar.
    var hasOwnBar: Bool { TextBar.isIn(text.text) }

    /// - Returns: Whether it looks different.
    mutating func take(_ fields: TerminalFields, event: String?) -> Bool {
        let before = (text, fraction, isRemoved)
        if let text = fields.text { (self.text, fraction) = (TerminalText(text), fields.fraction) }
        isRemoved = event == "removed"
        if isRemoved { text = TerminalText("removed") }
        if isRemoved { fraction = nil }
        return before != (text, fraction, isRemoved)
    }
}

/// A line that isn't drawn again.
private struct TerminalNotice {
    let text: String
    /// Whether it is about the stream itself, not a notification.
    var isOfStream = true
}

/// The members of an event's data that a terminal shows.
private struct TerminalFields {
    /// Its kind and id; nil for an event of the stream itself.
    private(set) var topic: String?
    private(set) var id: String?
    private(set) var text: String?
    private(set) var fraction: Double?
    private var reason: String?
    private var maximum: String?
    private var notification: String?
    /// What a notification brings: a text as it is, all else as JSON.
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
