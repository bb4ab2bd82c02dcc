// What the bytes of a stream leave on a terminal. It shares no code with the server.

/// A terminal of some lines, which knows no more sequences than a stream may send.
struct Terminal {
    private static let escape: UInt8 = 0x1B
    private let height: Int
    private var lines: [[UInt8]] = [[]]
    private var row = 0
    /// Whether the cursor is in the first column.
    private var isAtStart = true
    /// A sequence under way.
    private var sequence: [UInt8]?
    /// What no stream may send.
    private(set) var wrong: [String] = []

    init(height: Int) { self.height = height }

    var text: String { lines.map(\.text).joined(separator: "\n") }

    mutating func show(_ bytes: [UInt8]) { for byte in bytes { show(byte) } }

    private mutating func show(_ byte: UInt8) {
        if sequence != nil { return goOn(with: byte) }
        switch byte {
        case Self.escape: sequence = []
        case UInt8(ascii: "\r"): isAtStart = true
        case UInt8(ascii: "\n"): feedLine()
        case 0..<0x20: wrong.append("the byte \(byte)")
        default:
            if isAtStart, !lines[row].isEmpty { wrong.append("a text over \(lines[row].text)") }
            isAtStart = false
            lines[row].append(byte)
        }
    }

    private mutating func feedLine() {
        row += 1
        if row == height {
            lines.removeFirst()
            row -= 1
        }
        if row == lines.count { lines.append([]) }
    }

    /// A sequence ends with a letter.
    private mutating func goOn(with byte: UInt8) {
        sequence?.append(byte)
        guard UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte else {
            return
        }
        let text = (sequence ?? []).text
        sequence = nil
        let count = Int(text.dropFirst().dropLast())
        switch (text.last, count) {
        case ("A", let count?): row = max(0, row - count)
        case ("B", let count?): move(down: count)
        case ("K", nil) where text == "[K" && isAtStart: lines[row] = []
        case ("m", _?): break
        default: if text != "[?7l", text != "[?7h" { wrong.append("the sequence \(text)") }
        }
    }

    private mutating func move(down count: Int) {
        row = min(row + count, height - 1)
        while lines.count <= row { lines.append([]) }
    }
}
