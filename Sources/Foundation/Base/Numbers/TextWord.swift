// Short texts as 64-bit words, spelled in the source and constant in the program.

extension UInt64 {
    /// Creates a word from up to eight ASCII characters, the first one in the lowest byte.
    // Without a loop, which the compiler would not evaluate at compile time, but in every frame.
    @inlinable @inline(__always)
    package init(littleEndianASCII text: StaticString) {
        self =
            Self.byte(0, of: text) | Self.byte(1, of: text) | Self.byte(2, of: text) | Self.byte(3, of: text)
            | Self.byte(4, of: text) | Self.byte(5, of: text) | Self.byte(6, of: text) | Self.byte(7, of: text)
    }

    @inlinable @inline(__always)
    static func byte(_ index: Int, of text: StaticString) -> UInt64 {
        // A static string only provides its bytes by address; they exist forever.
        index < text.utf8CodeUnitCount ? UInt64(unsafe text.utf8Start[index]) &<< UInt64(index &* 8) : 0
    }
}
