// Lines of the log on their way out: bounded in all, bounded a minute by their subject, and safe to show. Pure: what
// writes them, and time, are its owner's matter.

import Conversions

/// Lines that wait to be written. What doesn't fit is left out, counted, and told of when there is room.
struct LogQueue {
    /// The most lines that wait.
    static let maximumLines = 1_000
    /// The most bytes that wait.
    static let maximumBytes = 256 * 1_024
    /// The most bytes of a line; the rest of a longer one is left out.
    static let maximumLineBytes = 2_048
    /// The most lines of one kind in a minute.
    static let linesPerMinute = 60
    private static let minute: Int64 = 60_000_000_000

    /// What a kind has written in the minute that began with its first line.
    private struct Share {
        var began: Int64
        var lines = 0
        var leftOut = 0
    }

    private var shares: [LogKind: Share] = [:]
    private var bytes: [UInt8] = []
    private var lines = 0
    /// Lines that found no room since the last were taken.
    private var unfit = 0
    /// Lines that were left out, for either reason.
    private(set) var leftOut: UInt64 = 0

    /// Takes a line.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: Whether there is something new for whoever writes: a line, or a first one that was left out.
    mutating func add(_ kind: LogKind, _ text: String, at now: Int64) -> Bool {
        endMinute(of: kind, at: now)
        var share = shares[kind] ?? Share(began: now)
        let isWithin = share.lines < Self.linesPerMinute
        if isWithin {
            share.lines += 1
            append(text)
        } else {
            share.leftOut += 1
            leftOut += 1
        }
        shares[kind] = share
        return isWithin || share.leftOut == 1
    }

    /// When somebody should look though no line comes: a minute ends in which lines were left out.
    var nextDue: Int64? {
        shares.values.filter { $0.leftOut > 0 }.map { $0.began.addingSaturated(Self.minute) }.min()
    }

    /// Takes out all that waits.
    mutating func take(at now: Int64) -> [UInt8] {
        for kind in LogKind.allCases { endMinute(of: kind, at: now) }
        return takeAll()
    }

    /// Takes out all that waits and tells what was left out, though minutes have not ended.
    mutating func takeLast() -> [UInt8] {
        for kind in LogKind.allCases { tellLeftOut(of: kind) }
        return takeAll()
    }

    private mutating func takeAll() -> [UInt8] {
        if unfit > 0 {
            bytes += Self.line("\(unfit) lines of this log were left out: nobody took them")
            unfit = 0
        }
        lines = 0
        defer { bytes = [] }
        return bytes
    }

    private mutating func endMinute(of kind: LogKind, at now: Int64) {
        guard let share = shares[kind], now.subtractingSaturated(share.began) >= Self.minute else { return }
        tellLeftOut(of: kind)
        shares[kind] = nil
    }

    private mutating func tellLeftOut(of kind: LogKind) {
        guard let count = shares[kind]?.leftOut, count > 0 else { return }
        shares[kind]?.leftOut = 0
        append("\(count) more lines about \(kind.subject) were left out")
    }

    private mutating func append(_ text: String) {
        let line = Self.line(text)
        guard lines < Self.maximumLines, bytes.count + line.count <= Self.maximumBytes else {
            unfit += 1
            leftOut += 1
            return
        }
        lines += 1
        bytes += line
    }

    // MARK: - One line

    private static func line(_ text: String) -> [UInt8] {
        var line = Array("tweencast: ".utf8)
        for scalar in text.unicodeScalars {
            let piece = isShown(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            guard line.count + piece.utf8.count < maximumLineBytes else { break }
            line += piece.utf8
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Whether a scalar can't end a line, move a terminal's cursor, or turn the order of what is read around.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
