// Writes text eight bytes at a time into a preallocated buffer: later text overwrites what a last word writes too much.
// Every store is bounds-checked; nothing allocates.

extension MutableRawSpan {
    /// The bytes beyond a text's end that its last word may write.
    package static var overrun: Int { 8 }

    /// Writes the first `count` bytes of a word (the lowest first), 0...8.
    /// - Returns: The end position.
    @inlinable @inline(__always)
    package mutating func put(_ word: UInt64, count: Int, at place: Int) -> Int {
        storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
        return place &+ count
    }

    /// Writes text stored in words.
    @inlinable @inline(__always)
    package mutating func put(_ text: WordRange, of words: Span<UInt64>, at place: Int) -> Int {
        let (first, count) = (Int(text.first), Int(text.count))
        // Most texts are short. A loop optimised for long ones would cost them more than all their words.
        if count > 0 { putWord(words[first], at: place) }
        if count > 8 { putWord(words[first &+ 1], at: place &+ 8) }
        if count > 16 { putWord(words[first &+ 2], at: place &+ 16) }
        if count > 24 { putWord(words[first &+ 3], at: place &+ 24) }
        if count > 32 { putRest(text, of: words, at: place) }
        return place &+ count
    }

    /// Writes what follows the first 32 bytes.
    @usableFromInline
    mutating func putRest(_ text: WordRange, of words: Span<UInt64>, at place: Int) {
        let (first, count) = (Int(text.first), Int(text.count))
        var done = 32
        while done < count {
            putWord(words[first &+ done &>> 3], at: place &+ done)
            done &+= 8
        }
    }

    @inlinable @inline(__always)
    mutating func putWord(_ word: UInt64, at place: Int) {
        storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
    }

    /// Writes text byte by byte, if it is too long or too rare to be stored in words.
    package mutating func put(_ text: Span<UInt8>, at place: Int) -> Int {
        for index in text.indices { storeBytes(of: text[index], toByteOffset: place &+ index, as: UInt8.self) }
        return place &+ text.count
    }

    /// Writes a number with exactly `count` digits, at least 1, with leading zeros. It must not have more.
    @inlinable @inline(__always)
    package mutating func put(digits number: UInt64, count: Int, at place: Int) -> Int {
        if count <= 8 { return put(Self.eightDigits(number) &>> UInt64(64 &- 8 &* count), count: count, at: place) }
        return putMany(digits: number, count: count, at: place)
    }

    @usableFromInline
    mutating func putMany(digits number: UInt64, count: Int, at place: Int) -> Int {
        let upper = number / 100_000_000
        let middle = put(digits: upper, count: count &- 8, at: place)
        return put(Self.eightDigits(number &- upper &* 100_000_000), count: 8, at: middle)
    }

    /// Writes an integer.
    @inlinable
    package mutating func put(whole number: UInt64, at place: Int) -> Int {
        put(digits: number, count: Swift.max(1, DecimalUnits.digitCount(number)), at: place)
    }

    /// Returns eight digits as text, the first in the lowest byte: halves, quarters and eighths side by side in one word,
    /// each split by a multiplication that is exact for its range.
    @inlinable @inline(__always)
    static func eightDigits(_ number: UInt64) -> UInt64 {
        let half = number / 10_000
        let halves = half | (number &- half &* 10_000) &<< 32
        let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = (quarters &* 103) &>> 10 & 0x000F_000F_000F_000F
        return (tens | (quarters &- tens &* 10) &<< 8) | 0x3030_3030_3030_3030
    }
}

extension [UInt64] {
    /// Writes text into words from a byte on, with zeros after it up to a word's end. Adds words for the room if need be.
    /// - Parameters:
    ///   - room: The most bytes that `put` writes.
    ///   - put: Writes text at a position and returns its end.
    /// - Returns: The end.
    @inlinable @inline(__always)
    package mutating func write(room: Int, at start: Int, _ put: (inout MutableRawSpan, Int) -> Int) -> Int {
        let needed = (start + room) / 8 + 2
        if count < needed { append(contentsOf: repeatElement(0, count: needed - count)) }
        var span = mutableSpan
        // Unsafe for types with invalid byte patterns; this one has none.
        var out = unsafe span.mutableBytes
        let end = put(&out, start)
        return out.put(0, count: 0, at: end)
    }
}

extension [UInt8] {
    /// Appends text written into room reserved for it.
    /// - Parameters:
    ///   - room: The most bytes that `put` writes.
    ///   - put: Writes text at a position and returns its end.
    @inlinable @inline(__always)
    package mutating func append(room: Int, _ put: (inout MutableRawSpan, Int) -> Int) {
        append(addingCapacity: room) { output in
            output.append(repeating: 0, count: room)
            var span = output.mutableSpan
            // Unsafe for types with invalid byte patterns; this one has none.
            var out = unsafe span.mutableBytes
            let end = put(&out, 0)
            output.removeLast(room - end)
        }
    }
}
