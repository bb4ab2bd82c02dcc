// Short texts as the words that they are stored by: spelled in the source, a constant in the program.

extension UInt64 {
    /// At most eight ASCII characters as a word whose lowest byte is the first of them.
    // Without a loop, which the compiler would leave to be run in every frame.
    @inlinable @inline(__always)
    package init(littleEndianASCII text: StaticString) {
        self =
            Self.byte(0, of: text) | Self.byte(1, of: text) | Self.byte(2, of: text) | Self.byte(3, of: text)
            | Self.byte(4, of: text) | Self.byte(5, of: text) | Self.byte(6, of: text) | Self.byte(7, of: text)
    }

    @inlinable @inline(__always)
    static func byte(_ index: Int, of text: StaticString) -> UInt64 {
        // Unsafe because a static string gives its bytes by their address alone; they are there for ever.
        index < text.utf8CodeUnitCount ? UInt64(unsafe text.utf8Start[index]) &<< UInt64(index &* 8) : 0
    }
}
