// The bytes of one event or frame that waits for slow streams, shared between their queues.

/// Whole chunks that wait for some streams of one shard.
final class WaitingBytes {
    let bytes: [UInt8]
    /// The number of streams they wait for.
    var holders = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The approximate memory in bytes.
    var cost: Int { bytes.count + Self.overhead }
    /// The headers of both objects and the allocator's overhead.
    private static let overhead = 80
}
