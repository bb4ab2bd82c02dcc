// What waits for streams that were slow to take it: the bytes of one event or frame, shared by those it waits for.

/// Whole chunks that some streams of one shard are to be sent.
final class WaitingBytes {
    let bytes: [UInt8]
    /// How many streams they wait for.
    var holders = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Bytes of memory, about.
    var cost: Int { bytes.count + Self.overhead }
    /// Both objects' heads and what the allocator adds.
    private static let overhead = 80
}
