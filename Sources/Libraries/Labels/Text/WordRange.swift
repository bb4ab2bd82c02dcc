// Text kept in words, so that it is put eight bytes at a time.

/// A text among words: which of them it begins with, and how many bytes it has.
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
    /// Adds a text, the first byte lowest, the last word filled up with zeros.
    ///
    /// No text of a label, and no separator, is anywhere near as long as 16 bits count; what is beyond is cut off.
    package mutating func adopt(_ text: Span<UInt8>) -> WordRange {
        let range = WordRange(first: UInt16(clamping: count), count: UInt16(clamping: text.count))
        append(contentsOf: repeatElement(0, count: (text.count + 7) / 8))
        // By index and of one type: a stream of ten thousand topics makes as many, all in one turn.
        for place in text.indices {
            self[Int(range.first) + place / 8] |= UInt64(text[place]) << UInt64(place % 8 * 8)
        }
        return range
    }
}
