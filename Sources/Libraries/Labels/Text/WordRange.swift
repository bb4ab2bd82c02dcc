// Text stored in words, to be written eight bytes at a time.

/// A text in words: the index of its first word, and its number of bytes.
@usableFromInline
package struct WordRange: Sendable {
    @usableFromInline package var first: UInt16
    @usableFromInline package var count: UInt16

    package init(first: UInt16 = 0, count: UInt16 = 0) {
        self.first = first
        self.count = count
    }
}

extension [UInt64] {
    /// Adds a text, the first byte lowest, the last word padded with zeros.
    ///
    /// Longer texts than 16 bits can count are cut off; no label's text or separator is nearly that long.
    package mutating func adopt(_ text: Span<UInt8>) -> WordRange {
        let range = WordRange(first: UInt16(clamping: count), count: UInt16(clamping: text.count))
        append(contentsOf: repeatElement(0, count: (text.count + 7) / 8))
        // By index and not generic: a stream of ten thousand topics stores as many texts in one turn.
        for place in text.indices {
            self[Int(range.first) + place / 8] |= UInt64(text[place]) << UInt64(place % 8 * 8)
        }
        return range
    }
}
