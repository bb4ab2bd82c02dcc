// What the streams of one client hold of what all share: names, prefixes and topics.

import Base

/// One client's part. Its streams point to it, so that coming to hear a topic costs no look-up.
final class StreamOwner {
    let name: String
    /// Its streams.
    var streams = 0
    /// Their names and prefixes.
    var patterns = 0
    /// Their topics.
    var links = 0

    init(_ name: String) { self.name = name }
}

/// Those who have streams.
struct StreamOwners {
    private var owners: [String: StreamOwner] = [:]

    /// Whose a new stream is.
    mutating func enter(_ name: String?) -> StreamOwner? {
        guard let name else { return nil }
        let owner = owners[name] ?? StreamOwner(name)
        if owner.streams == 0 { owners[name] = owner }
        owner.streams += 1
        return owner
    }

    /// A stream has gone, and what it held was given back.
    mutating func leave(_ owner: StreamOwner?) {
        guard let owner else { return }
        owner.streams -= 1
        if owner.streams == 0 { owners[owner.name] = nil }
    }
}
