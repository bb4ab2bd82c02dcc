// Chunks as they are written and read again.

import Base
import TestSupport
import Testing

@Suite struct ChunkTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        (1, "1"), (9, "9"), (10, "a"), (15, "f"), (16, "10"), (255, "ff"), (256, "100"), (65_536, "10000"),
    ])
    func `a chunk begins with its length in hexadecimal without leading zeros`(length: Int, digits: String) {
        let content = [UInt8](repeating: 120, count: length)
        let chunk = text(Array("\(digits)\r\n".utf8) + content + [13, 10])
        #expect(text(Chunk.of(content)) == chunk)
        var bytes = [UInt8](repeating: 45, count: 3)
        let start = Chunk.append(to: &bytes) { $0.append(contentsOf: content) }
        #expect(text(Array(bytes[start...])) == chunk)
    }

    @Test func `an empty content gives no chunk, which would end the body`() {
        #expect(Chunk.of([UInt8]()).isEmpty)
    }

    @Test func `chunks of any content are parsed and unwrapped to that content`() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<200 {
            let contents = (0..<random.int(0...6)).map { _ in
                (0..<random.int(1...300)).map { _ in [13, 10, 48, 97, UInt8(random.int(0...255))][random.int(0...4)] }
            }
            var bytes = Array("before".utf8)
            for content in contents { Chunk.append(content, to: &bytes) }
            bytes.append(contentsOf: Chunk.last)
            var found: [[UInt8]] = []
            Chunk.forEach(in: bytes[6...]) { found.append(Array($0)) }
            #expect(found == contents + [[]])
            Chunk.unwrap(&bytes, from: 6)
            #expect(bytes == Array("before".utf8) + contents.joined())
        }
    }
}
