// The characters that would control a terminal: they are left out of texts that it may show.

/// Control characters, and those that break or reverse a line beyond its own text.
package enum ControlCharacters {
    /// Leaves them out of UTF-8 from an index on. Tabs and breaks of lines stay; other breaks become blanks.
    package static func strip(_ bytes: inout [UInt8], from start: Int = 0) {
        guard let first = firstIndex(in: bytes.dropFirst(start)) else { return }
        let rest = Array(bytes.dropFirst(first))
        bytes.removeLast(rest.count)
        var place = 0
        while place < rest.count {
            let length = length(at: place, in: rest[...])
            if length == 0 {
                bytes.append(rest[place])
            } else if isBreak(scalar(at: place, in: rest[...])) {
                bytes.append(UInt8(ascii: " "))
            }
            place += max(length, 1)
        }
    }

    /// Returns UTF-8 without them.
    package static func stripped(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        strip(&bytes)
        return bytes
    }

    /// Whether UTF-8 has some.
    package static func areIn(_ bytes: [UInt8]) -> Bool { firstIndex(in: bytes[...]) != nil }

    private static func firstIndex(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { length(at: $0, in: bytes) > 0 }
    }

    /// Returns the bytes of a character that is left out; 0 for others.
    private static func length(at place: Int, in bytes: ArraySlice<UInt8>) -> Int {
        switch bytes[place] {
        case 0x09, 0x0A, 0x0D, 0x20..<0x7F: return 0
        case 0x00..<0x80: return 1
        case 0xC2: return contain(scalar(at: place, in: bytes)) ? 2 : 0
        case 0xE2: return contain(scalar(at: place, in: bytes)) ? 3 : 0
        default: return 0
        }
    }

    /// Returns the value of a character, as far as some of them begin like it: U+0000 to U+00BF and U+2000 to U+203F. For others
    /// it is that of a space.
    private static func scalar(at place: Int, in bytes: ArraySlice<UInt8>) -> UInt32 {
        // proven: the caller's place is one of the bytes'.
        let rest = bytes[place...].prefix(3)
        let last = rest.count == 3 ? rest[place + 2] : 0
        switch (bytes[place], rest.count > 1 ? rest[place + 1] : 0) {
        case (let byte, _) where byte < 0x80: return UInt32(byte)
        case (0xC2, let second) where second & 0xC0 == 0x80: return UInt32(second)
        case (0xE2, 0x80) where last & 0xC0 == 0x80: return 0x2000 + UInt32(last & 0x3F)
        default: return 0x20
        }
    }

    /// Whether a character is one of them. Overrides show other text than there is.
    package static func contain(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202D, 0x202E: true
        default: false
        }
    }

    /// Whether a character is one of them that breaks lines. Carriage return and line feed aren't: they stay.
    static func isBreak(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0B, 0x0C, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
