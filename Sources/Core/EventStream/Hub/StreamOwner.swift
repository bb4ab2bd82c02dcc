// How much of the shared limits one client's streams use: names, prefixes and topics.

import Base

/// One client's use. Its streams refer to it, so that attaching a topic needs no look-up.
final class StreamOwner {
    let name: String
    /// Identifies it while it has streams; not 0, which stands for none.
    let number: Int32
    /// The number of its streams.
    var streams = 0
    /// Their names and prefixes.
    var patterns = 0
    /// Their topics.
    var links = 0

    init(_ name: String, number: Int32) {
        self.name = name
        self.number = number
    }
}

/// The clients that have streams.
struct StreamOwners {
    private var owners: [String: StreamOwner] = [:]
    private var numbers = SlotNumbers()

    /// Counts a new stream, and returns its owner.
    mutating func enter(_ name: String?) -> StreamOwner? {
        guard let name else { return nil }
        let owner = owners[name] ?? StreamOwner(name, number: Int32(clamping: numbers.allocate() + 1))
        if owner.streams == 0 { owners[name] = owner }
        owner.streams += 1
        return owner
    }

    /// Counts a stream that has ended, after its patterns and topics were removed.
    mutating func remove(_ owner: StreamOwner?) {
        guard let owner else { return }
        owner.streams -= 1
        guard owner.streams == 0 else { return }
        owners[owner.name] = nil
        numbers.free(Int(owner.number) - 1)
    }
}
