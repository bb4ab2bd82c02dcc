// Cutting a text by its bytes, before anything reads it.

extension String {
    /// Returns the beginning with at most some bytes of UTF-8, in whole scalars.
    package func prefix(bytes most: Int) -> Substring {
        guard utf8.count > most else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: max(most, 0))
        while end > startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return prefix(upTo: end)
    }
}
