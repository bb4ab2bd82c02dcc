// Decides when memory that connections had goes back to the system. The allocator keeps what connections free for the next
// ones: 6,000 at once left 190 MB behind.

/// The most connections since memory was last returned. A pure value.
struct ConnectionPeak {
    /// Fewer than these leave too little memory to look for: 32 KiB each.
    private static let least = 256

    private var most = 0

    /// Whether memory may have to be returned when connections end.
    var isHigh: Bool { most >= Self.least }

    /// Records that there are, or were, as many connections.
    mutating func rise(to count: Int) { most = max(most, count) }

    /// Looks at how many there are now.
    /// - Returns: Whether to return memory: most of the connections have ended.
    mutating func hasPassed(at count: Int) -> Bool {
        guard isHigh, count <= most / 4 else { return false }
        most = count
        return true
    }
}
