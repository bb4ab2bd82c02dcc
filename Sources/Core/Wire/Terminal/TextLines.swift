// Streams as plain text: a line for each frame, for `curl` and for programs that show what they read.

import Base
package import EventStream

/// Writes the texts of frames as lines. Payloads must be text.
package struct TextLines: UniformEncoder {
    package static let key: UInt64 = 2
    /// `text/plain`, with the labels' texts alone.
    package static let encoding = StreamEncoding("text/plain; charset=utf-8", of: .text, endsAtRest: true) {
        TextLines()
    }

    package func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        EventFields.forEach(in: events) { event in
            guard event.name == nil else { return }
            let start = lines.count
            // A label may have several lines.
            lines.append(contentsOf: event.data.joined(separator: [UInt8(ascii: " ")]))
            ControlCharacters.strip(&lines, from: start)
            for place in start..<lines.count where lines[place] == UInt8(ascii: "\t") {
                lines[place] = UInt8(ascii: " ")
            }
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }
}
