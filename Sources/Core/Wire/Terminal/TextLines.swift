// Streams as plain text: a line for each frame, for `curl` and for programs that show what they read.

package import EventStream

/// Writes the texts of frames as lines. Payloads must be text.
package struct TextLines: StreamEncoder {
    /// `text/plain`, with the labels' texts alone.
    package static let encoding = StreamEncoding("text/plain; charset=utf-8", of: .text, endsAtRest: true) {
        TextLines()
    }

    package func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        EventFields.forEach(in: events) { event in
            guard event.name == nil else { return }
            // A label may have several lines.
            let text = event.data.joined(separator: [UInt8(ascii: " ")])
            lines.append(contentsOf: TerminalText(String(decoding: Array(text), as: UTF8.self)).text.utf8)
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }
}
