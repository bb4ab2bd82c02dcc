// Time zone files for tests, byte by byte (TZif, RFC 9636).

/// The contents of a file.
package struct ZoneFile: Sendable {
    /// 1 to 4.
    package var version = 2
    /// Seconds east of UTC, by type number.
    package var offsets: [Int]
    /// When each type begins, in seconds since 1970.
    package var changes: [(start: Int, type: Int)] = []
    /// Leap seconds: when, and how many there are from then on.
    package var leaps: [(time: Int, correction: Int)] = []
    /// The rule after the last change, without a line feed.
    package var footer = ""

    package init(
        version: Int = 2, offsets: [Int], changes: [(start: Int, type: Int)] = [],
        leaps: [(time: Int, correction: Int)] = [], footer: String = ""
    ) {
        (self.version, self.offsets, self.changes, self.leaps) = (version, offsets, changes, leaps)
        self.footer = footer
    }

    package var bytes: [UInt8] {
        guard version > 1 else { return block(wide: false) }
        // The block for readers of version 1 has no changes.
        var old = self
        (old.offsets, old.changes, old.leaps) = ([0], [], [])
        return old.block(wide: false) + block(wide: true) + Array("\n\(footer)\n".utf8)
    }

    private func block(wide: Bool) -> [UInt8] {
        let size = wide ? 8 : 4
        var bytes = Array("TZif".utf8) + [version == 1 ? 0 : UInt8(0x30 + version)] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, leaps.count, changes.count, offsets.count, 4] { bytes += Self.number(count, 4) }
        for change in changes { bytes += Self.number(change.start, size) }
        bytes += changes.map { UInt8(truncatingIfNeeded: $0.type) }
        for offset in offsets { bytes += Self.number(offset, 4) + [0, 0] }
        bytes += Array("LMT\0".utf8)
        for leap in leaps { bytes += Self.number(leap.time, size) + Self.number(leap.correction, 4) }
        return bytes
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
