// Streams as a terminal shows them: a line for each topic, written again in place with the escape sequences of ECMA-48.

import Base
package import EventStream

/// One stream's lines. The cursor is kept in the first column below them.
package struct TerminalScreen: StreamEncoder {
    /// Returns the encoding for a size.
    package static func encoding(_ size: TerminalLayout) -> StreamEncoding {
        StreamEncoding("text/plain; charset=utf-8", of: .json, endsAtRest: true) { TerminalScreen(size) }
    }

    private let size: TerminalLayout
    private var rows: [TerminalRow] = []
    /// The rows of removed topics, which others may have.
    private var removedCount = 0
    /// The indices of the rows by topic.
    private var places: [String: Int] = [:]
    /// The indices of the rows by the stream's links, as far as they are known; a link that was reused names another topic.
    private var placesOfLinks: [Int] = []
    /// Topics that have no line.
    private var hidden: Set<String> = []
    /// The columns of the longest id, up to a third of the width.
    private var nameColumns = 0
    /// The lines that are drawn, with that of hidden topics.
    private var drawn = 0

    package init(_ size: TerminalLayout) { self.size = size }

    private var look: TerminalLook {
        TerminalLook(width: size.width, hasColor: size.hasColor, nameColumns: nameColumns)
    }

    /// One line is for the hidden topics, and the cursor is below all.
    private var hasRoom: Bool { rows.count < size.height - 2 || rows.isEmpty }
    package var isFull: Bool { !hasRoom && removedCount == 0 }

    // MARK: - Events

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
            } else if let place = place(of: topic, fields.id ?? "") {
                let differs = show(fields, event: name, at: place)
                // A new row is drawn even if its text is empty.
                if differs || isNew { changed.insert(place) }
            }
        }
        if nameColumns != names { changed = Set(rows.indices) }
        var output: [UInt8] = []
        for place in changed.sorted() { drawRow(at: place, to: &output) }
        if hidden.count != hiddenCount { draw(line: rows.count, countOfHidden, to: &output) }
        if !notices.isEmpty { insert(notices, to: &output) }
        // A heartbeat moves nothing: the cursor is in the first column.
        return output.isEmpty && isAlive ? [UInt8(ascii: "\r")] : output
    }

    /// Returns the index of a topic's row, which is made if there is room, or takes the place of a removed one.
    private mutating func place(of topic: String, _ id: String) -> Int? {
        if let place = places[topic] { return place }
        guard !isFull, let place = hasRoom ? rows.count : rows.firstIndex(where: \.isRemoved) else {
            hidden.insert(topic)
            return nil
        }
        let name = TerminalText(id)
        if size.showsNames { nameColumns = min(max(nameColumns, name.columns), size.width / 3) }
        let row = TerminalRow(TerminalFrame(topic: topic, name: name))
        if place < rows.count {
            places[rows[place].frame.topic] = nil
            rows[place] = row
            removedCount -= 1
        } else {
            rows.append(row)
        }
        places[topic] = place
        hidden.remove(topic)
        return place
    }

    /// - Returns: Whether its row looks different.
    private mutating func show(_ fields: TerminalFields, event: String?, at place: Int) -> Bool {
        let before = rows[place]
        if let text = fields.text {
            let frame = before.frame
            rows[place].frame = TerminalFrame(
                topic: frame.topic, name: frame.name, text: text, fraction: fields.fraction)
        }
        rows[place].isRemoved = event == "removed"
        removedCount += (rows[place].isRemoved ? 1 : 0) - (before.isRemoved ? 1 : 0)
        let frame = rows[place].frame
        return before.isRemoved != rows[place].isRemoved
            || !rows[place].isRemoved && (before.frame.text, before.frame.fraction) != (frame.text, frame.fraction)
    }

    // MARK: - Frames

    package mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        guard let shown = frame.digest({ TerminalFrame($0) }) else {
            return .hidden(from: frame.size)
        }
        let known = placesOfLinks.indices.contains(link) ? placesOfLinks[link] : -1
        guard known >= 0, rows[known].frame.topic == shown.topic, !rows[known].isRemoved else {
            return place(frame, of: shown.topic, on: link, to: &buffer)
        }
        var outcome = EncodedFrame.shared
        let look = look
        let line =
            frame.copy(look.key)
            ?? {
                let line = look.line(of: shown)
                frame.keep(line, as: look.key)
                outcome = .made(from: frame.size)
                return line
            }()
        rows[known].frame = shown
        guard line != rows[known].line else { return outcome }
        rows[known].line = line
        var output: [UInt8] = []
        draw(line: known, line, to: &output)
        Chunk.append(output, to: &buffer)
        return outcome
    }

    /// Shows a frame of a topic that may have no row yet.
    private mutating func place(
        _ frame: NewestFrame, of topic: String, on link: Int, to buffer: inout [UInt8]
    ) -> EncodedFrame {
        // The frame of a topic that has no row, and gets none, changes nothing.
        if isFull, places[topic] == nil, hidden.contains(topic) { return .hidden(from: frame.size) }
        Chunk.append(frame.withEvent { encoded($0) } ?? [], to: &buffer)
        guard let place = places[topic] else { return .hidden(from: frame.size) }
        while placesOfLinks.count <= link { placesOfLinks.append(-1) }
        placesOfLinks[link] = place
        return .made(from: frame.size)
    }

    // MARK: - Lines

    private mutating func drawRow(at place: Int, to output: inout [UInt8]) {
        rows[place].line = look.line(of: rows[place].frame, isRemoved: rows[place].isRemoved)
        draw(line: place, rows[place].line, to: &output)
    }

    /// Draws a line in its place, or below the last one.
    private mutating func draw(line: Int, _ text: [UInt8], to output: inout [UInt8]) {
        guard line < drawn else {
            output += text
            output += "\r\n".utf8
            drawn = line + 1
            return
        }
        Self.appendMove(by: drawn - line, "A", to: &output)
        output += text
        Self.appendMove(by: drawn - line, "B", to: &output)
    }

    /// Moves the cursor some lines up or down, into the first column.
    private static func appendMove(by lines: Int, _ direction: Unicode.Scalar, to output: inout [UInt8]) {
        output += "\u{1B}[".utf8
        output += String(lines).utf8
        output.append(UInt8(ascii: direction))
        output.append(UInt8(ascii: "\r"))
    }

    /// Writes notices above all lines, which move down; at the foot of the terminal the oldest notices scroll away.
    private mutating func insert(_ notices: [TerminalNotice], to output: inout [UInt8]) {
        let lines = drawn
        if lines > 0 { Self.appendMove(by: lines, "A", to: &output) }
        for notice in notices {
            output += look.line(of: notice)
            output += "\r\n".utf8
        }
        drawn = 0
        for line in 0..<lines { draw(line: line, line < rows.count ? rows[line].line : countOfHidden, to: &output) }
    }

    private var countOfHidden: [UInt8] {
        hidden.isEmpty ? look.unwrapped("") : look.dimmed("… and \(hidden.count) more")
    }
}

/// A topic's line.
private struct TerminalRow {
    var frame: TerminalFrame
    var isRemoved = false
    /// As it was drawn last, with the look of that time.
    var line: [UInt8] = []

    init(_ frame: TerminalFrame) { self.frame = frame }
}
