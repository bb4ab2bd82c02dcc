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
            } else if isBreak(rest.dropFirst(place).prefix(length)) {
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
        case 0x09, 0x0A, 0x0D: 0
        case 0x00..<0x20, 0x7F: 1
        case 0xC2 where place + 1 < bytes.endIndex && (0x80...0x9F).contains(bytes[place + 1]): 2
        case 0xE2 where place + 2 < bytes.endIndex && bytes[place + 1] == 0x80:
            [0xA8, 0xA9, 0xAD, 0xAE].contains(bytes[place + 2]) ? 3 : 0
        default: 0
        }
    }

    /// Whether a character that is left out breaks lines: U+000B, U+000C, U+0085, U+2028 or U+2029.
    private static func isBreak(_ character: ArraySlice<UInt8>) -> Bool {
        switch character.last {
        case 0x0B, 0x0C: character.count == 1
        case 0x85: character.count == 2
        case 0xA8, 0xA9: character.count == 3
        default: false
        }
    }
}
