// Streams as a terminal shows them: the same events, as the lines of a screen.

import Base
package import EventStream

/// Writes one stream's events to its screen.
package struct TerminalEncoder: StreamEncoder {
    /// Returns the encoding for a layout.
    package static func encoding(_ layout: TerminalLayout) -> StreamEncoding {
        StreamEncoding("text/plain; charset=utf-8", of: .json, endsAtRest: true) { TerminalEncoder(layout) }
    }

    private var screen: TerminalScreen

    package init(_ layout: TerminalLayout) { screen = TerminalScreen(layout) }

    package var isFull: Bool { screen.isFull }

    package mutating func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        var notices: [TerminalNotice] = []
        var isAlive = false
        EventFields.forEach(in: events) { event in
            let name = event.name.map { String(decoding: $0, as: UTF8.self) }
            isAlive = isAlive || name == "heartbeat"
            guard let fields = TerminalFields(event.data) else { return }
            if let notice = fields.notice(of: name) { notices.append(notice) }
            guard let topic = fields.topic else { return }
            if name == "removed" {
                screen.remove(topic)
            } else if let frame = frame(fields, of: topic) {
                screen.show(frame)
            }
        }
        let output = screen.draw(notices)
        // A heartbeat moves nothing: the cursor is in the first column.
        return output.isEmpty && isAlive ? [UInt8(ascii: "\r")] : output
    }

    /// Returns what an event shows of its topic: without a text the one that is shown already. A topic that is only counted
    /// gets no row from an event without a text, since the row would be empty until its next frame.
    private func frame(_ fields: TerminalFields, of topic: String) -> TerminalFrame? {
        if fields.text == nil, screen.frame(of: topic) != nil || screen.isHidden(topic) {
            return screen.frame(of: topic)
        }
        return TerminalFrame(
            topic: topic, name: TerminalText(fields.id ?? ""), text: fields.text ?? "", fraction: fields.fraction)
    }

    package mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        guard let shown = frame.digest({ TerminalFrame($0) }) else { return .hidden(from: frame.size) }
        guard let place = screen.place(of: shown.topic) else { return show(shown, of: frame.size, to: &buffer) }
        var outcome = EncodedFrame.shared
        let look = screen.look
        let line =
            frame.copy(look.key)
            ?? {
                let line = look.line(of: shown)
                frame.keep(line, as: look.key)
                outcome = .made(from: frame.size)
                return line
            }()
        let output = screen.draw(shown, as: line, at: place)
        if !output.isEmpty { Chunk.append(output, to: &buffer) }
        return outcome
    }

    /// Shows a frame of so many bytes whose topic may have no row yet.
    private mutating func show(_ frame: TerminalFrame, of size: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        // The frame of a topic that has no row, and gets none, changes nothing.
        if isFull, screen.isHidden(frame.topic) { return .hidden(from: size) }
        screen.show(frame)
        Chunk.append(screen.draw(), to: &buffer)
        return screen.place(of: frame.topic) == nil ? .hidden(from: size) : .made(from: size)
    }
}
