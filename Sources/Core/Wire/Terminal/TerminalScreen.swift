// Topics on a terminal: a line for each, written again in place with the escape sequences of ECMA-48. A value: it makes the
// bytes, and others write them.

import Base

/// The lines of a terminal. The cursor is kept in the first column below them.
package struct TerminalScreen: Sendable {
    private var layout: TerminalLayout
    /// The ids of the first rows, which wait for topics of these names.
    private let names: [String]
    /// The most rows that are kept; further topics are only counted.
    private let mostRows: Int
    private var rows: [TerminalRow] = []
    /// The rows of removed topics, which others may have.
    private var freeCount = 0
    /// The indices of the rows by topic.
    private var places: [String: Int] = [:]
    /// Topics that have no row.
    private var hidden: Set<String> = []
    /// The columns of the longest id, up to a third of the width.
    private var nameColumns = 0
    /// A sentence below all lines; nil for none.
    package var status: String?

    /// Rows that differ from what was drawn.
    private var changed: Set<Int> = []
    /// The rows that were drawn last, and the lines below them.
    private var shown: (rows: Int, foot: [[UInt8]]) = (0, [])
    /// The lines that are drawn. Those that are no longer needed are blank.
    private var drawn = 0
    /// What the next drawing begins with.
    private var erasure: [UInt8] = []

    /// - Parameters:
    ///   - names: Ids that have a row from the start, which no other topic gets.
    ///   - mostRows: The most rows that are kept, for a terminal that may become larger; by default those that fit.
    package init(_ layout: TerminalLayout, names: [String] = [], mostRows: Int? = nil) {
        (self.layout, self.names) = (layout, names)
        self.mostRows = mostRows ?? layout.height - 1
        reset()
    }

    /// Whether it has no row for another topic.
    var isFull: Bool { rows.count >= mostRows && freeCount == 0 }

    // MARK: - Topics

    /// Returns what is shown of a topic; nil if it has no row.
    func frame(of topic: String) -> TerminalFrame? { places[topic].map { rows[$0].frame } }

    /// Returns the index of a topic's row; nil if it has none, or was removed.
    func place(of topic: String) -> Int? { places[topic].flatMap { rows[$0].isRemoved ? nil : $0 } }

    /// Whether a topic is counted, since it has no row.
    func isHidden(_ topic: String) -> Bool { hidden.contains(topic) }

    /// Shows a frame in its topic's row, or counts the topic if it gets none.
    package mutating func show(_ frame: TerminalFrame) {
        guard let place = places[frame.topic] ?? newPlace(for: frame) else { return }
        let before = rows[place]
        if before.isRemoved, place >= names.count { freeCount -= 1 }
        (rows[place].frame, rows[place].isRemoved) = (frame, false)
        let isNew = before.isRemoved || before.frame.topic != frame.topic
        // A new row is drawn even if its text is empty.
        if isNew || (before.frame.text, before.frame.fraction) != (frame.text, frame.fraction) { changed.insert(place) }
    }

    /// A topic is gone, which its row says until another topic gets it.
    package mutating func remove(_ topic: String) {
        hidden.remove(topic)
        guard let place = place(of: topic) else { return }
        rows[place].isRemoved = true
        changed.insert(place)
        guard place < names.count else { return freeCount += 1 }
        places[topic] = nil
        rows[place].frame = TerminalFrame(topic: "", name: rows[place].frame.name)
    }

    /// Begins again with the names that it was made with.
    package mutating func reset() {
        rows = names.map { TerminalRow(frame: TerminalFrame(topic: "", name: TerminalText($0), text: "…")) }
        (places, hidden, freeCount) = ([:], [], 0)
        renewNames()
    }

    /// Returns the index of a row for a topic that has none, or counts the topic if there is no room.
    private mutating func newPlace(for frame: TerminalFrame) -> Int? {
        let awaited = rows.prefix(names.count).firstIndex { $0.frame.topic.isEmpty && $0.frame.name == frame.name }
        let isAtMost = rows.count >= mostRows
        let free = isAtMost && freeCount > 0 ? rows.dropFirst(names.count).firstIndex(where: \.isRemoved) : nil
        guard let place = awaited ?? free ?? (isAtMost ? nil : rows.count) else {
            hidden.insert(frame.topic)
            return nil
        }
        if place == rows.count { rows.append(TerminalRow(frame: TerminalFrame(topic: "", name: frame.name))) }
        places[rows[place].frame.topic] = nil
        places[frame.topic] = place
        hidden.remove(frame.topic)
        makeRoom(for: frame.name)
        return place
    }

    private mutating func makeRoom(for name: TerminalText) {
        let columns = layout.showsNames ? min(max(nameColumns, name.columns), layout.width / 3) : 0
        if columns != nameColumns { changed.formUnion(rows.indices) }
        nameColumns = columns
    }

    private mutating func renewNames() {
        nameColumns = 0
        for row in rows { makeRoom(for: row.frame.name) }
        changed = Set(rows.indices)
    }

    // MARK: - Drawing

    /// How its lines look.
    var look: TerminalLook { TerminalLook(layout, nameColumns: nameColumns) }

    /// The rows that are drawn: all if they fit, else one fewer, since a line counts the others. The cursor is below all.
    private var visible: Int {
        let room = max(1, layout.height - 1 - (status == nil ? 0 : 1))
        return rows.count + hidden.count <= room ? rows.count : min(rows.count, room - 1)
    }

    /// The lines below the rows.
    private var foot: [[UInt8]] {
        let others = rows.dropFirst(visible).count { !$0.isRemoved } + hidden.count
        let texts = [others > 0 ? "… and \(others) more" : nil, status]
        return texts.compactMap { $0.map { look.dimmed($0) } }
    }

    /// Adapts to a terminal of another size.
    package mutating func resize(width: Int, height: Int) {
        guard width != layout.width || height != layout.height else { return }
        // A narrower terminal has broken lines that had room before.
        let lines = (0..<drawn).reduce(0) { $0 + max(1, (TerminalLook.columns(of: line($1)) + width - 1) / width) }
        if lines > 0 {
            Self.appendMove(by: min(lines, height - 1), "A", to: &erasure)
            erasure += "\u{1B}[J".utf8
        }
        (layout.width, layout.height) = (width, height)
        forget()
    }

    /// Draws everything below the cursor next time: what was drawn is no longer above it.
    package mutating func forget() {
        (shown, drawn) = ((0, []), 0)
        renewNames()
    }

    /// Returns the bytes that bring the terminal up to date; none if it is.
    /// - Parameter notices: Lines to write above all others, which move down; at the foot of the terminal the oldest scroll
    ///   away.
    package mutating func draw(_ notices: [TerminalNotice] = []) -> [UInt8] {
        var output = erasure
        erasure = []
        let (before, now) = (shown, (rows: visible, foot: foot))
        if now.rows > before.rows { changed.formUnion(before.rows..<now.rows) }
        for place in changed.sorted() where place < now.rows {
            rows[place].line = look.line(of: rows[place].frame, isRemoved: rows[place].isRemoved)
            draw(rows[place].line, at: place, to: &output)
        }
        (shown, changed) = (now, [])
        if now != before {
            draw(now.rows..<max(drawn, now.rows + now.foot.count), to: &output)
        }
        guard !notices.isEmpty else { return output }
        let lines = drawn
        if lines > 0 { Self.appendMove(by: lines, "A", to: &output) }
        for notice in notices { output += look.line(of: notice) + Array("\r\n".utf8) }
        drawn = 0
        draw(0..<lines, to: &output)
        return output
    }

    /// Replaces what is shown in a row that has been drawn.
    /// - Parameter line: Its new line.
    /// - Returns: The bytes that draw it; none if it looks as before.
    mutating func draw(_ frame: TerminalFrame, as line: [UInt8], at place: Int) -> [UInt8] {
        rows[place].frame = frame
        guard line != rows[place].line else { return [] }
        rows[place].line = line
        var output: [UInt8] = []
        if place < shown.rows { draw(line, at: place, to: &output) }
        return output
    }

    /// Returns a line as it was drawn last.
    private func line(_ number: Int) -> [UInt8] {
        if number < shown.rows { return rows[number].line }
        return shown.foot.dropFirst(number - shown.rows).first ?? TerminalLook.unwrapped("")
    }

    private mutating func draw(_ lines: Range<Int>, to output: inout [UInt8]) {
        for number in lines { draw(line(number), at: number, to: &output) }
    }

    /// Draws a line in its place, or below the last one.
    private mutating func draw(_ line: [UInt8], at number: Int, to output: inout [UInt8]) {
        guard number < drawn else {
            output += line
            output += "\r\n".utf8
            drawn = number + 1
            return
        }
        Self.appendMove(by: drawn - number, "A", to: &output)
        output += line
        Self.appendMove(by: drawn - number, "B", to: &output)
    }

    /// Moves the cursor some lines up or down, into the first column.
    private static func appendMove(by lines: Int, _ direction: Unicode.Scalar, to output: inout [UInt8]) {
        output += "\u{1B}[".utf8
        output += String(lines).utf8
        output.append(UInt8(ascii: direction))
        output.append(UInt8(ascii: "\r"))
    }
}

/// A topic's line.
private struct TerminalRow {
    /// Without a topic while the row waits for one of its name.
    var frame: TerminalFrame
    var isRemoved = false
    /// As it was drawn last, with the look of that time.
    var line: [UInt8] = []
}
