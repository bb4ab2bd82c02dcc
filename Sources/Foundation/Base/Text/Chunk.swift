// Chunks of a body without a known length (RFC 9112, 7.1). Each event of a stream is one chunk, made once for all
// subscribers: without chunks, many clients pass nothing on before a buffer of their own is full.

/// Writes and reads chunks.
package enum Chunk {
    /// The empty chunk that ends a body.
    package static let last = Array("0\r\n\r\n".utf8)
    /// The most digits of a length: positions in the output are 32 bits wide.
    private static var digitRoom: Int { 8 }
    /// The most bytes of a chunk's first line.
    package static var headRoom: Int { digitRoom + 2 }

    /// Returns the digits of a length, at the end of an eight-byte word.
    /// - Returns: The word, its first byte lowest, and the number of digits.
    private static func digits(of length: Int) -> (word: UInt64, count: Int) {
        var rest = UInt32(truncatingIfNeeded: length)
        var word: UInt64 = 0
        var count = 0
        repeat {
            let digit = UInt64(rest & 15)
            word |= (digit < 10 ? 48 + digit : 87 + digit) << UInt64(56 - 8 * count)
            rest >>= 4
            count += 1
        } while rest > 0
        return (word, count)
    }

    /// Appends a chunk; does nothing without content, since an empty chunk would end the body.
    package static func append(_ content: [UInt8], to bytes: inout [UInt8]) {
        guard !content.isEmpty else { return }
        let (word, count) = digits(of: content.count)
        for place in (digitRoom - count)..<digitRoom {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * place)))
        }
        bytes.append(13)
        bytes.append(10)
        bytes.append(contentsOf: content)
        bytes.append(13)
        bytes.append(10)
    }

    /// Returns content as a chunk.
    package static func of(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + headRoom + 2)
        append(content, to: &bytes)
        return bytes
    }

    /// Appends a chunk whose content is written in place.
    /// - Parameter write: Appends the content, at least one byte.
    /// - Returns: The chunk's start; appended bytes before it are unused.
    package static func append(to bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void) -> Int {
        bytes.append(contentsOf: repeatElement(0, count: headRoom))
        let content = bytes.count
        write(&bytes)
        let start = putHead(before: content, length: bytes.count - content, in: &bytes)
        bytes.append(13)
        bytes.append(10)
        return start
    }

    /// Writes a chunk's first line before its content, where room was left.
    /// - Returns: The chunk's start.
    package static func putHead(before content: Int, length: Int, in bytes: inout [UInt8]) -> Int {
        let (word, count) = digits(of: length)
        let start = content - 2 - count
        // proven: the room before the content has this many bytes.
        for place in 0..<count {
            bytes[start + place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (digitRoom - count + place)))
        }
        bytes[content - 2] = 13
        bytes[content - 1] = 10
        return start
    }

    /// Passes on the content of each of several complete chunks.
    package static func forEach(in chunks: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var place = chunks.startIndex
        while place < chunks.endIndex {
            var length = 0
            while place < chunks.endIndex, let digit = digit(chunks[place]) {
                length = length << 4 | digit
                place += 1
            }
            let start = min(place + 2, chunks.endIndex)
            let end = min(start + length, chunks.endIndex)
            // proven: both are within bounds, and in order.
            body(chunks[start..<end])
            place = end + 2
        }
    }

    /// Replaces the complete chunks from a position on by their contents.
    package static func unwrap(_ bytes: inout [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        let chunks = Array(bytes.dropFirst(start))
        bytes.removeLast(chunks.count)
        forEach(in: chunks[...]) { bytes.append(contentsOf: $0) }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 48...57: Int(byte) - 48
        case 97...102: Int(byte) - 87
        default: nil
        }
    }
}
