// Compresses bytes as gzip.

import CZlib

enum Gzip {
    /// The most bytes that are compressed at zlib's highest level. Longer texts get its usual one: for the API contract, the
    /// highest saves 2 % and takes three times as long.
    private static let maximumBytesAtBest = 100_000

    /// - Returns: nil if compression saves nothing.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        let level = bytes.count > maximumBytesAtBest ? Z_DEFAULT_COMPRESSION : Z_BEST_COMPRESSION
        guard unsafe tweencast_begin_gzip(&stream, level) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        guard let room = UInt32(exactly: bytes.count) else { return nil }
        var source = bytes
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            unsafe source.withUnsafeMutableBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = room
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = room
                // Output that doesn't fit into as many bytes saves nothing.
                count = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END ? bytes.count - Int(stream.avail_out) : 0
            }
        }
        return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
    }
}
