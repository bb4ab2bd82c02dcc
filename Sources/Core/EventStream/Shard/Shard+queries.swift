// What a shard tells about one of its streams.

package import Base

extension Shard {
    /// Returns the number of named events and final frames that wait for a stream.
    package func waitingEvents(of key: StreamID) -> Int {
        isCurrent(key) ? streams[Int(key.slot)].waitingEvents : 0
    }

    /// Whether a stream ends after what it sends next.
    package func isEnding(_ key: StreamID) -> Bool { isCurrent(key) && streams[Int(key.slot)].isEnding }

    /// Returns what a stream was sent so far.
    package func statistics(of key: StreamID) -> StreamStatistics? {
        isCurrent(key) ? streams[Int(key.slot)].statistics : nil
    }

    func isCurrent(_ key: StreamID) -> Bool {
        let slot = Int(key.slot)
        return streams.indices.contains(slot) && streams[slot].isOpen && streams[slot].generation == key.generation
    }
}
