// What `tweencast watch` draws: a row for each resource, below each other, drawn again in place. A value: it makes the bytes,
// and others write them.

import Base
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
        let name: String
        /// nil until something of it has come.
        var topic: Topic?
        var text: String
        var fraction: Double?
    }

    private let style: Style
    private var rows: [Row]
    /// The last row: that there is no connection.
    private var status: String?
    /// The lines on the terminal, as they were drawn, and for which size.
    private var drawn: [(line: String, width: Int)] = []
    private var size: TerminalSize?

    /// The most rows that are kept.
    private static let mostRows = 1_000
    private static let barColumns = 24
    /// A bar without room for this many columns is left out.
    private static let leastBar = 5

    /// - Parameter names: A row each, but for patterns, whose rows come with what they match.
    init(_ names: [ClientName], _ style: Style) {
        self.style = style
        rows = names.filter { !$0.isPattern }.map { Row(name: $0.id, text: "…") }
    }

    // MARK: - What comes

    /// Takes a frame.
    mutating func show(_ frame: ResourceFrame) {
        let name = frame.topic.name
        if let index = rows.firstIndex(where: { $0.topic == frame.topic || $0.topic == nil && $0.name == name }) {
            rows[index].topic = frame.topic
            rows[index].text = ShownText.safe(frame.text)
            rows[index].fraction = frame.topic.kind == .progress ? frame.fraction : nil
        } else if rows.count < Self.mostRows {
            rows.append(
                Row(name: name, topic: frame.topic, text: ShownText.safe(frame.text), fraction: frame.fraction))
        }
    }

    /// A resource is gone.
    mutating func remove(_ topic: Topic) {
        guard let index = rows.firstIndex(where: { $0.topic == topic }) else { return }
        rows[index].text = "removed"
        rows[index].fraction = nil
        rows[index].topic = nil
    }

    /// - Parameter status: Shown below the rows; nil for nothing.
    mutating func tell(_ status: String?) { self.status = status.map(ShownText.safe) }

    /// What was drawn is no longer above the cursor: the next drawing begins where that is.
    mutating func forget() { drawn = [] }

    // MARK: - Drawing

    /// Returns the bytes that bring the terminal up to date. Afterwards the cursor is below the last row.
    mutating func draw(_ now: TerminalSize) -> String {
        let lines = lines(now)
        let widths = lines.map(ShownText.width)
        let isResized = size != nil && size != now
        // A narrower terminal has broken lines that had room before.
        let height = drawn.reduce(0) { $0 + max(1, ($1.width + now.columns - 1) / now.columns) }
        var text = drawn.isEmpty ? "" : "\r\u{1B}[\(min(height, now.rows - 1))A"
        if isResized { text += "\u{1B}[J" }
        for (index, line) in lines.enumerated() {
            let isThere = !isResized && drawn.indices.contains(index) && drawn[index].line == line
            text += isThere ? "\n" : "\(line)\u{1B}[K\n"
        }
        if drawn.count > lines.count { text += "\u{1B}[J" }
        let isSame = !isResized && drawn.map(\.line) == lines
        drawn = zip(lines, widths).map { ($0, $1) }
        size = now
        return isSame ? "" : text
    }

    /// The rows as lines, one fewer than the terminal has, each shorter than it is wide.
    private func lines(_ size: TerminalSize) -> [String] {
        let room = max(1, size.rows - 1 - (status == nil ? 0 : 1))
        let isCut = rows.count > room
        let shown = rows.prefix(isCut ? room - 1 : room)
        let names = min(shown.map { ShownText.width($0.name) }.max() ?? 0, size.columns / 3)
        var lines = shown.map { line(of: $0, names: names, columns: size.columns - 1) }
        if isCut { lines.append("\(rows.count - shown.count) more") }
        if let status { lines.append(dimmed(ShownText.fitted(status, to: size.columns - 1))) }
        return lines
    }

    private func line(of row: Row, names: Int, columns: Int) -> String {
        let name = ShownText.fitted(row.name, to: names)
        let head = name + String(repeating: " ", count: max(0, names - ShownText.width(name)) + 2)
        let room = columns - ShownText.width(head)
        guard let fraction = row.fraction else { return head + ShownText.fitted(row.text, to: room) }
        let bar = min(Self.barColumns, room - 2 - ShownText.width(row.text))
        guard bar >= Self.leastBar else { return head + ShownText.fitted(row.text, to: room) }
        return head + self.bar(fraction, columns: bar) + "  " + row.text
    }

    private func bar(_ fraction: Double, columns: Int) -> String {
        let full = Int(saturating: (min(max(fraction, 0), 1) * Double(columns)).rounded(.down))
        let (done, left) = style.isUnicode ? ("█", "░") : ("#", "-")
        return String(repeating: done, count: full) + dimmed(String(repeating: left, count: columns - full))
    }

    private func dimmed(_ text: String) -> String {
        style.hasColours && !text.isEmpty ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }
}
