// Converts a time zone file (TZif, RFC 9636, versions 1 to 4) to a table of offsets: its own changes, then those of the
// footer's rule, as far as instants reach. It doesn't read files itself.

import Base

extension ZoneOffsets {
    /// The year after the last that 64 bits of nanoseconds hold.
    private static let lastYear = 2_263
    /// The year before the first.
    private static let firstYear = 1_676

    /// - Throws: What is wrong with the bytes.
    init(zoneFile bytes: [UInt8]) throws(ZoneFileError) {
        var reader = ZoneFileReader(bytes)
        let head = try reader.head()
        guard head.version > 1 else {
            let block = try reader.block(head, wide: false)
            self.init(first: block.first, changes: block.changes)
            return
        }
        // The 32-bit block is for readers of version 1.
        try reader.skip(head.length(wide: false))
        let block = try reader.block(try reader.head(), wide: true)
        guard let rule = try reader.footer() else {
            self.init(first: block.first, changes: block.changes)
            return
        }
        guard let last = block.changes.last else {
            self.init(first: rule.offset(before: Self.firstYear), changes: rule.changes(Self.firstYear...Self.lastYear))
            return
        }
        // The rule applies after the last change. Its year is taken from the day in UTC, which an offset may shift by one.
        let year = CivilDate(dayNumber: last.start.dividedDown(by: 86_400)).year - 1
        let first = min(max(year, Self.firstYear), Self.lastYear)
        let later = rule.changes(first...Self.lastYear).filter { $0.start > last.start }
        self.init(first: block.first, changes: block.changes + later)
    }
}

/// Reads a file's bytes in order.
private struct ZoneFileReader {
    /// A header with its six counts.
    struct Head {
        var version: Int
        var utcFlags, wallFlags, leaps, transitions, types, letters: Int

        /// Returns the bytes of the block after it.
        func length(wide: Bool) -> Int {
            let time = wide ? 8 : 4
            return transitions * (time + 1) + types * 6 + letters + leaps * (time + 4) + wallFlags + utcFlags
        }
    }

    /// The contents of a block.
    struct Block {
        var first: Int
        var changes: [ZoneOffsets.Period]
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read(_ count: Int) throws(ZoneFileError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw ZoneFileError("the file ends too early") }
        defer { place += count }
        // proven: the guard has checked that this many are left.
        return bytes[place..<(place + count)]
    }

    mutating func skip(_ count: Int) throws(ZoneFileError) { _ = try read(count) }

    /// Reads a big-endian signed number.
    private mutating func number(_ count: Int) throws(ZoneFileError) -> Int {
        let unsigned = try read(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let shift = 64 - count * 8
        return Int(Int64(bitPattern: unsigned << UInt64(shift)) >> Int64(shift))
    }

    mutating func head() throws(ZoneFileError) -> Head {
        guard try read(4).elementsEqual("TZif".utf8) else { throw ZoneFileError("no TZif file") }
        let letter = try number(1)
        // Version 1 has a NUL. Versions newer than known ones are read like the newest known.
        let version = letter == 0 ? 1 : letter - 0x30
        guard version >= 1, letter == 0 || version >= 2 else { throw ZoneFileError("an unknown version of TZif") }
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(try number(4)) }
        let head = Head(
            version: version, utcFlags: counts[0], wallFlags: counts[1], leaps: counts[2], transitions: counts[3],
            types: counts[4], letters: counts[5])
        guard counts.allSatisfy({ (0...bytes.count).contains($0) }), (1...256).contains(head.types), head.letters > 0,
            [0, head.types].contains(head.utcFlags), [0, head.types].contains(head.wallFlags)
        else { throw ZoneFileError("its header has impossible counts") }
        return head
    }

    mutating func block(_ head: Head, wide: Bool) throws(ZoneFileError) -> Block {
        let size = wide ? 8 : 4
        var starts: [Int] = []
        for _ in 0..<head.transitions {
            let start = try number(size)
            guard starts.last.map({ $0 < start }) ?? true else { throw ZoneFileError("its changes are in no order") }
            starts.append(start)
        }
        let kinds = try read(head.transitions)
        let offsets = try types(head)
        try skip(head.letters)
        let leaps = try leapSeconds(head.leaps, size)
        try skip(head.wallFlags + head.utcFlags)
        var changes: [ZoneOffsets.Period] = []
        for (start, kind) in zip(starts, kinds) {
            guard Int(kind) < offsets.count else { throw ZoneFileError("a change is to a type that there isn't") }
            // Times in files with leap seconds count these; instants don't.
            let correction = leaps.last { $0.time <= start }?.correction ?? 0
            changes.append(
                ZoneOffsets.Period(start: start.subtractingSaturated(correction), offset: offsets[Int(kind)]))
        }
        // The first type applies before the first change.
        return Block(first: offsets[0], changes: changes)
    }

    private mutating func types(_ head: Head) throws(ZoneFileError) -> [Int] {
        var offsets: [Int] = []
        for _ in 0..<head.types {
            let offset = try number(4)
            let (isDaylight, name) = (try number(1), try number(1) & 0xFF)
            guard (-89_999...93_599).contains(offset), (0...1).contains(isDaylight), name < head.letters else {
                throw ZoneFileError("an offset is out of range")
            }
            offsets.append(offset)
        }
        return offsets
    }

    private mutating func leapSeconds(
        _ count: Int, _ size: Int
    ) throws(ZoneFileError) -> [(time: Int, correction: Int)] {
        var leaps: [(time: Int, correction: Int)] = []
        for _ in 0..<count { leaps.append((try number(size), try number(4))) }
        return leaps
    }

    /// Reads the rule between the last two line feeds; nil if it is empty.
    mutating func footer() throws(ZoneFileError) -> PosixZoneRule? {
        guard try read(1).first == 0x0A else { throw ZoneFileError("its footer is missing") }
        let text = bytes.dropFirst(place).prefix { $0 != 0x0A }
        try skip(text.count + 1)
        guard !text.isEmpty else { return nil }
        guard let rule = PosixZoneRule(text) else { throw ZoneFileError("its footer is no rule") }
        return rule
    }
}
