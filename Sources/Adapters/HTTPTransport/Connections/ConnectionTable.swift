// The connections held by the library, and their deadlines. A pure value: time is an argument, and callers end what it
// selects.

import Base

/// Deadlines, in nanoseconds.
struct ConnectionTimes {
    /// For the first request's head, from the connection's start.
    var head: Int64 = 10_000_000_000
    /// For each later head, from the previous answer.
    var idle: Int64 = 75_000_000_000
    /// The interval at which a client's reading is measured.
    var measure: Int64 = 30_000_000_000
    /// The least average bytes per second a client must read between two measurements.
    var lowestRate = 512
    /// For reading a whole answer.
    var reading: Int64 = 120_000_000_000
}

/// Connections by place. Places are reused.
struct ConnectionTable {
    /// What a socket reports about its client.
    struct Measure {
        /// Bytes that the client has acknowledged; nil if unknown.
        var acknowledged: UInt64?
        /// Bytes not yet acknowledged.
        var waiting: Int
    }

    enum Phase: Hashable {
        case free
        /// Waiting for the next request's head.
        case head
        /// Waiting for the request's body.
        case body
        /// Waiting for the server's answer. The client has no deadline.
        case answer
        /// Sending an answer.
        case sending
        /// Its socket was shut, or belongs to a stream; the library hasn't released it yet.
        case ended
        /// Its TLS session is lent to a stream; it is no longer counted.
        case lent

        /// Whether a connection in this phase may have to make room for others.
        var awaitsRequest: Bool { self == .head || self == .body }
    }

    private struct Entry {
        var descriptor: Int32 = -1
        var phase = Phase.free
        /// The phase's start.
        var since: Int64 = 0
        var deadline = Int64.max
        var acknowledged: UInt64 = 0
        /// The owner it counts for; nil if it isn't counted.
        var owner: String?
        /// The owner's number while it is counted; otherwise -1.
        var counted = -1
        /// It has completed a request before.
        var hasAsked = false
        /// The phase's start, or the time of the latest piece of a body.
        var heard: Int64 = 0
        /// Neighbours in the list of connections waiting for a request, in order of waiting; -1 for none.
        var older = -1
        var newer = -1
    }

    let times: ConnectionTimes
    private var entries: [Entry] = []
    private var places = SlotNumbers()
    private var oldest = -1
    private var newest = -1
    private var counts = OwnerCounts()
    /// Connections that were ended and not yet released.
    private(set) var endingCount = 0
    /// Connections to which an answer is being sent.
    private(set) var sendingCount = 0
    /// The place where the next check for late connections begins.
    private var nextLate = 0

    init(_ times: ConnectionTimes) { self.times = times }

    /// Adds a connection.
    /// - Parameter owner: The owner it counts for; nil if it isn't counted.
    /// - Returns: Its place.
    mutating func insert(_ descriptor: Int32, of owner: String? = nil, now: Int64) -> Int {
        let place = places.allocate()
        if place == entries.count { entries.append(Entry()) }
        entries[place] = Entry(descriptor: descriptor)
        entries[place].owner = owner
        count(place)
        enter(.head, place, now: now, deadline: now.addingSaturated(times.head))
        return place
    }

    /// Removes a connection that the library is about to close.
    /// - Returns: Its last phase.
    @discardableResult
    mutating func remove(_ place: Int) -> Phase {
        let last = phase(of: place)
        guard last != .free else { return last }
        uncount(place)
        unlink(place)
        setPhase(.free, place)
        entries[place] = Entry()
        places.free(place)
        return last
    }

    /// Records that a head is complete and a body follows.
    mutating func expectBody(_ place: Int, now: Int64, within: Int64) {
        move(place, to: .body, now: now, deadline: now.addingSaturated(within))
    }

    /// Records a piece of a body.
    mutating func recordProgress(_ place: Int, now: Int64) {
        if phase(of: place) == .body { entries[place].heard = now }
    }

    /// Records that a request is complete.
    mutating func expectAnswer(_ place: Int, now: Int64) {
        move(place, to: .answer, now: now, deadline: .max)
        if phase(of: place) == .answer { entries[place].hasAsked = true }
    }

    /// Records that an answer is being sent.
    mutating func beginSending(_ place: Int, now: Int64) {
        move(place, to: .sending, now: now, deadline: now.addingSaturated(min(times.measure, times.reading)))
    }

    /// Records that an answer was sent and the connection stays open.
    mutating func expectHead(_ place: Int, now: Int64) {
        move(place, to: .head, now: now, deadline: now.addingSaturated(times.idle))
    }

    /// Marks a connection whose socket must no longer be shut here.
    mutating func forget(_ place: Int) {
        if phase(of: place) != .free { markEnded(place) }
    }

    /// Lends a connection to a stream, which watches its socket until the library releases it.
    mutating func lend(_ place: Int) {
        guard phase(of: place) != .free else { return }
        // A stream is counted as a stream instead.
        markEnded(place)
        setPhase(.lent, place)
    }

    /// Takes a connection back whose stream never began; it waits for an answer as before.
    mutating func takeBack(_ place: Int, now: Int64) {
        guard phase(of: place) == .lent else { return }
        count(place)
        enter(.answer, place, now: now, deadline: .max)
    }

    func phase(of place: Int) -> Phase { entries.indices.contains(place) ? entries[place].phase : .free }

    // MARK: - Ends

    /// Ends late connections, in rotation.
    /// - Parameters:
    ///   - count: The most to handle.
    ///   - measure: Measures a socket.
    ///   - end: Shuts a socket.
    /// - Returns: Whether there may be more.
    mutating func endLate(
        _ count: Int, now: Int64, measure: (Int32) -> Measure, end: (Int32) -> Void
    ) -> Bool {
        var seen = 0
        let first = entries.indices.contains(nextLate) ? nextLate : 0
        for turn in entries.indices {
            let place = (first + turn) % entries.count
            guard entries[place].deadline <= now else { continue }
            if seen == count {
                nextLate = place
                return true
            }
            seen += 1
            let last = entries[place].since.addingSaturated(times.reading)
            if entries[place].phase == .sending, now < last, keepsUp(place, measure(entries[place].descriptor)) {
                entries[place].deadline = min(now.addingSaturated(times.measure), last)
                continue
            }
            end(entries[place].descriptor)
            markEnded(place)
        }
        return false
    }

    /// Returns whether a client has read fast enough since the last measurement, or has read everything. The first
    /// measurement includes earlier answers, so a slow client may pass once.
    private mutating func keepsUp(_ place: Int, _ measure: Measure) -> Bool {
        guard measure.waiting > 0, let acknowledged = measure.acknowledged else { return true }
        let taken = acknowledged.subtractingSaturated(entries[place].acknowledged)
        entries[place].acknowledged = acknowledged
        let least = UInt64(clamping: times.lowestRate).multipliedSaturated(
            by: UInt64(clamping: times.measure / 1_000_000_000))
        return taken >= least
    }

    // MARK: - Room

    /// Nanoseconds after its latest piece for which a body counts as arriving.
    private static let progress: Int64 = 1_000_000_000

    /// A connection that may have to make room.
    private struct Candidate {
        let place: Int
        /// Lower ranks end first among owners with equally many connections.
        let rank: Int
    }

    /// Ends connections that wait for a request, one at a time. Each comes from the owner with the most connections at that
    /// moment, so that a few addresses can't displace others. Among equals, connections without any request so far end
    /// first, those with an arriving body last, and otherwise the one that has waited longest.
    /// - Parameters:
    ///   - count: The most to end.
    ///   - age: Nanoseconds that a connection must have waited.
    /// - Returns: The number of ended connections.
    mutating func endOldest(_ count: Int, age: Int64, now: Int64, end: (Int32) -> Void) -> Int {
        let latest = now.subtractingSaturated(age)
        var waiting: [Candidate] = []
        var place = oldest
        while place >= 0, entries[place].since <= latest {
            let rank = (sendsBody(place, now: now) ? 2 : 0) + (entries[place].hasAsked ? 1 : 0)
            waiting.append(Candidate(place: place, rank: rank))
            place = entries[place].newer
        }
        for ended in 0..<count {
            // `min` returns the first of equals, which has waited longest.
            guard let next = waiting.indices.min(by: { goes(waiting[$0], before: waiting[$1]) }) else { return ended }
            let place = waiting.remove(at: next).place
            end(entries[place].descriptor)
            markEnded(place)
        }
        return count
    }

    private func goes(_ first: Candidate, before second: Candidate) -> Bool {
        let (mine, other) = (share(of: first.place), share(of: second.place))
        return mine == other ? first.rank < second.rank : mine > other
    }

    /// Ends the owner's connection that has waited longest for a request, without an arriving body.
    /// - Returns: Whether there was one.
    mutating func endOldest(of owner: String, now: Int64, end: (Int32) -> Void) -> Bool {
        let number = counts.slot(of: owner)
        var place = oldest
        while place >= 0, entries[place].counted != number || sendsBody(place, now: now) {
            place = entries[place].newer
        }
        guard place >= 0 else { return false }
        end(entries[place].descriptor)
        markEnded(place)
        return true
    }

    private func sendsBody(_ place: Int, now: Int64) -> Bool {
        entries[place].phase == .body && now.subtractingSaturated(entries[place].heard) <= Self.progress
    }

    /// Returns the number of an owner's connections.
    func count(of owner: String) -> Int { counts.slot(of: owner).map { counts[$0] } ?? 0 }

    /// Returns the number of connections of a connection's owner; 1 without an owner.
    private func share(of place: Int) -> Int { entries[place].counted < 0 ? 1 : counts[entries[place].counted] }

    private mutating func count(_ place: Int) {
        if let owner = entries[place].owner { entries[place].counted = counts.add(owner) }
    }

    private mutating func uncount(_ place: Int) {
        guard entries[place].counted >= 0 else { return }
        counts.remove(entries[place].counted)
        entries[place].counted = -1
    }

    private mutating func markEnded(_ place: Int) {
        unlink(place)
        // It no longer counts for its owner, whose share is compared again for the next connection.
        uncount(place)
        setPhase(.ended, place)
        entries[place].deadline = .max
    }

    private mutating func setPhase(_ phase: Phase, _ place: Int) {
        if entries[place].phase == .ended { endingCount -= 1 }
        if phase == .ended { endingCount += 1 }
        if entries[place].phase == .sending { sendingCount -= 1 }
        if phase == .sending { sendingCount += 1 }
        entries[place].phase = phase
    }

    // MARK: - Phases

    /// Changes the phase, unless the connection was ended or lent: those phases stay, whatever the library reports.
    private mutating func move(_ place: Int, to phase: Phase, now: Int64, deadline: Int64) {
        guard ![.free, .ended, .lent].contains(self.phase(of: place)) else { return }
        unlink(place)
        enter(phase, place, now: now, deadline: deadline)
    }

    private mutating func enter(_ phase: Phase, _ place: Int, now: Int64, deadline: Int64) {
        setPhase(phase, place)
        entries[place].since = now
        entries[place].heard = now
        entries[place].deadline = deadline
        guard phase.awaitsRequest else { return }
        entries[place].older = newest
        entries[place].newer = -1
        if newest >= 0 { entries[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        guard entries[place].phase.awaitsRequest else { return }
        let (older, newer) = (entries[place].older, entries[place].newer)
        if older >= 0 { entries[older].newer = newer } else { oldest = newer }
        if newer >= 0 { entries[newer].older = older } else { newest = older }
    }
}
