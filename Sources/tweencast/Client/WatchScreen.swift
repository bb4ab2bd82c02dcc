// What `tweencast watch` draws: a row for each resource, below each other, drawn again in place. A value: it makes the bytes,
// and others write them.

import Base
import Labels
import OperatingSystem
import TweencastClient

/// The rows, and what of them is on the terminal.
struct WatchScreen: Sendable {
    /// How rows are drawn.
    struct Style: Hashable, Sendable {
        /// Whether there may be colours: not with `NO_COLOR`.
        var hasColours: Bool
        /// Whether the terminal shows more than ASCII.
        var isUnicode: Bool
    }

    private struct Row: Sendable {
        let id: String
        /// nil until something of it has come.
        var topic: Topic?
        var text: TerminalText
        var fraction: Double?

        var name: TerminalText { TerminalText(id) }
    }

    private struct Line: Hashable, Sendable {
        let text: String
        /// The columns that it takes.
        let columns: Int
    }

    private let style: Style
    /// The rows before anything has come.
    private let first: [Row]
    private var rows: [Row]
    /// What came when there were as many rows as there may be: it is only counted.
    private var beyond: Set<Topic> = []
    /// The last row: that there is no connection.
    private var status: TerminalText?
    /// The lines on the terminal, as they were drawn, and for which size.
    private var drawn: [Line] = []
    private var size: TerminalSize?

    /// The most rows that are kept.
    private static let mostRows = 1_000
    private static let barColumns = 24
    /// A bar without room for this many columns is left out.
    private static let leastBar = 5

    /// - Parameter names: A row each, but for patterns, whose rows come with what they match.
    init(_ names: [ClientName], _ style: Style) {
        self.style = style
        first = names.filter { !$0.isPattern }.map { Row(id: $0.id, text: TerminalText("…")) }
        rows = first
    }

    // MARK: - What comes

    /// Takes a frame.
    mutating func show(_ frame: ResourceFrame) {
        let (id, text) = (frame.topic.name, TerminalText(frame.text))
        if let index = rows.firstIndex(where: { $0.topic == frame.topic || $0.topic == nil && $0.id == id }) {
            rows[index].topic = frame.topic
            rows[index].text = text
            rows[index].fraction = frame.topic.kind == .progress ? frame.fraction : nil
        } else if rows.count < Self.mostRows {
            rows.append(Row(id: id, topic: frame.topic, text: text, fraction: frame.fraction))
        } else {
            beyond.insert(frame.topic)
        }
    }

    /// A resource is gone.
    mutating func remove(_ topic: Topic) {
        beyond.remove(topic)
        guard let index = rows.firstIndex(where: { $0.topic == topic }) else { return }
        rows[index].text = TerminalText("removed")
        rows[index].fraction = nil
        rows[index].topic = nil
    }

    /// The server's state follows as a whole: what isn't in it doesn't exist.
    mutating func reset() {
        rows = first
        beyond = []
    }

    /// - Parameter status: Shown below the rows; nil for nothing.
    mutating func tell(_ status: String?) { self.status = status.map { TerminalText($0) } }

    /// What was drawn is no longer above the cursor: the next drawing begins where that is.
    mutating func forget() { drawn = [] }

    // MARK: - Drawing

    /// Returns the bytes that bring the terminal up to date. Afterwards the cursor is below the last row.
    mutating func draw(_ now: TerminalSize) -> String {
        let lines = lines(now)
        let isResized = size != nil && size != now
        // A narrower terminal has broken lines that had room before.
        let height = drawn.reduce(0) { $0 + max(1, ($1.columns + now.columns - 1) / now.columns) }
        var text = drawn.isEmpty ? "" : "\r\u{1B}[\(min(height, now.rows - 1))A"
        if isResized { text += "\u{1B}[J" }
        for (index, line) in lines.enumerated() {
            let isThere = !isResized && drawn.indices.contains(index) && drawn[index] == line
            text += isThere ? "\n" : "\(line.text)\u{1B}[K\n"
        }
        if drawn.count > lines.count { text += "\u{1B}[J" }
        let isSame = !isResized && drawn == lines
        drawn = lines
        size = now
        return isSame ? "" : Self.unwrapped(text)
    }

    /// Turns wrapping (DECAWM) off for a drawing: a terminal that counts other columns, such as for an emoji with a skin tone,
    /// would otherwise break a line, and the next drawing would begin too low.
    private static func unwrapped(_ text: String) -> String { "\u{1B}[?7l\(text)\u{1B}[?7h" }

    /// The rows as lines, one fewer than the terminal has, each shorter than it is wide.
    private func lines(_ size: TerminalSize) -> [Line] {
        let room = max(1, size.rows - 1 - (status == nil ? 0 : 1))
        let count = rows.count + beyond.count
        let isCut = count > room
        let shown = rows.prefix(isCut ? room - 1 : room)
        let names = min(shown.map(\.name.columns).max() ?? 0, size.columns / 3)
        var lines = shown.map { line(of: $0, names: names, columns: size.columns - 1) }
        if isCut {
            let more = TerminalText("\(count - shown.count) more")
            lines.append(Line(text: more.text, columns: more.columns))
        }
        if let status = status?.fitted(to: size.columns - 1) {
            lines.append(Line(text: dimmed(status.text), columns: status.columns))
        }
        return lines
    }

    private func line(of row: Row, names: Int, columns: Int) -> Line {
        let head = row.name.fitted(to: names).padded(to: names) + "  "
        let room = columns - names - 2
        let bar = min(Self.barColumns, room - 2 - row.text.columns)
        // A label may have a bar of its own.
        guard let fraction = row.fraction, bar >= Self.leastBar, !TextBar.isIn(row.text.text) else {
            let text = row.text.fitted(to: room)
            return Line(text: head + text.text, columns: names + 2 + text.columns)
        }
        return Line(
            text: head + self.bar(fraction, columns: bar) + "  " + row.text.text,
            columns: names + 2 + bar + 2 + row.text.columns)
    }

    private func bar(_ fraction: Double, columns: Int) -> String {
        // Only full at 1, and only empty at 0.
        let part = Int(saturating: (min(max(fraction, 0), 1) * Double(columns)).rounded(.down))
        let full = fraction <= 0 ? 0 : fraction >= 1 ? columns : min(max(part, 1), columns - 1)
        let (done, left) = style.isUnicode ? ("█", "░") : ("#", "-")
        return String(repeating: done, count: full) + dimmed(String(repeating: left, count: columns - full))
    }

    private func dimmed(_ text: String) -> String {
        style.hasColours && !text.isEmpty ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }
}
