// The connections that the library holds, and how long each may take for what it is at. Values alone: time is given, and
// what is to be ended is told.

import Base

/// Deadlines, in nanoseconds.
struct ConnectionTimes {
    /// For the first request's head, from the connection's begin.
    var head: Int64 = 10_000_000_000
    /// For each further head, from the answer before.
    var idle: Int64 = 75_000_000_000
    /// A client that takes an answer is measured so often.
    var measure: Int64 = 30_000_000_000
    /// Bytes that it must take a second, on average between two measures.
    var lowestRate = 512
}

/// Connections by place. A place is used again.
struct ConnectionTable {
    /// What a socket tells of its client.
    struct Measure {
        /// Bytes that the client has acknowledged; nil when that can't be told.
        var acknowledged: UInt64?
        /// Bytes that wait for it.
        var waiting: Int
    }

    enum Phase: Hashable {
        case free
        /// Its next request's head is awaited.
        case head
        /// The body of its request is awaited.
        case body
        /// An answer is awaited; the client may take its time, since the server does.
        case answer
        /// An answer is being sent.
        case sending
        /// Its socket was shut, or is another's now; the library has not let it go yet.
        case ended
        /// Its TLS session is a stream's; it counts no more.
        case lent

        /// Whoever is at this may have to make room for others.
        var awaitsRequest: Bool { self == .head || self == .body }
    }

    private struct Entry {
        var descriptor: Int32 = -1
        var phase = Phase.free
        /// When the phase began.
        var since: Int64 = 0
        var deadline = Int64.max
        var acknowledged: UInt64 = 0
        /// Whose it is; nil where that isn't counted.
        var owner: String?
        /// The owner's number while it is counted; -1 while it isn't.
        var counted = -1
        /// A request on it was complete once.
        var hasAsked = false
        /// When the phase began, or the last piece of a body came.
        var heard: Int64 = 0
        /// Neighbours among those whose request is awaited, in the order of waiting; -1 for none.
        var older = -1
        var newer = -1
    }

    let times: ConnectionTimes
    private var entries: [Entry] = []
    private var places = SlotNumbers()
    private var oldest = -1
    private var newest = -1
    private var counts = OwnerCounts()
    /// How many were ended, and are still to be let go.
    private(set) var endingCount = 0
    /// The place at which the next look at who is late begins.
    private var nextLate = 0

    init(_ times: ConnectionTimes) { self.times = times }

    /// - Parameter owner: Whose it is; nil where that isn't counted.
    /// - Returns: Its place.
    mutating func insert(_ descriptor: Int32, of owner: String? = nil, now: Int64) -> Int {
        let place = places.take()
        if place == entries.count { entries.append(Entry()) }
        entries[place] = Entry(descriptor: descriptor)
        entries[place].owner = owner
        count(place)
        enter(.head, place, now: now, deadline: now.addingSaturated(times.head))
        return place
    }

    /// The library lets it go; its descriptor is about to be closed.
    /// - Returns: What it was at.
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

    /// A head is complete and a body is awaited.
    mutating func expectBody(_ place: Int, now: Int64, within: Int64) {
        move(place, to: .body, now: now, deadline: now.addingSaturated(within))
    }

    /// A piece of a body came.
    mutating func recordProgress(_ place: Int, now: Int64) {
        if phase(of: place) == .body { entries[place].heard = now }
    }

    /// A request is complete.
    mutating func expectAnswer(_ place: Int, now: Int64) {
        move(place, to: .answer, now: now, deadline: .max)
        if phase(of: place) == .answer { entries[place].hasAsked = true }
    }

    /// An answer is on its way.
    mutating func beginSending(_ place: Int, now: Int64) {
        move(place, to: .sending, now: now, deadline: now.addingSaturated(times.measure))
    }

    /// An answer was sent; the connection goes on.
    mutating func expectHead(_ place: Int, now: Int64) {
        move(place, to: .head, now: now, deadline: now.addingSaturated(times.idle))
    }

    /// Its socket is nobody's to shut any more.
    mutating func leave(_ place: Int) {
        if phase(of: place) != .free { markEnded(place) }
    }

    /// Its socket is a stream's to watch from now on, until the library lets it go.
    mutating func lend(_ place: Int) {
        guard phase(of: place) != .free else { return }
        // A stream counts among streams.
        markEnded(place)
        setPhase(.lent, place)
    }

    /// Its stream never began: an answer is awaited as before.
    mutating func takeBack(_ place: Int, now: Int64) {
        guard phase(of: place) == .lent else { return }
        count(place)
        enter(.answer, place, now: now, deadline: .max)
    }

    func phase(of place: Int) -> Phase { entries.indices.contains(place) ? entries[place].phase : .free }

    // MARK: - Ends

    /// Ends those that are late, each in its turn.
    /// - Parameters:
    ///   - count: The most to look at.
    ///   - measure: Looks at a socket.
    ///   - end: Shuts one.
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
            if entries[place].phase == .sending, keepsUp(place, measure(entries[place].descriptor)) {
                entries[place].deadline = now.addingSaturated(times.measure)
                continue
            }
            end(entries[place].descriptor)
            markEnded(place)
        }
        return false
    }

    /// Whether a client took enough since it was last measured, or all there was. The first measure counts what earlier
    /// answers left as taken as well, which lets a client pass once.
    private mutating func keepsUp(_ place: Int, _ measure: Measure) -> Bool {
        guard measure.waiting > 0, let acknowledged = measure.acknowledged else { return true }
        let taken = acknowledged.subtractingSaturated(entries[place].acknowledged)
        entries[place].acknowledged = acknowledged
        let least = UInt64(clamping: times.lowestRate).multipliedSaturated(
            by: UInt64(clamping: times.measure / 1_000_000_000))
        return taken >= least
    }

    // MARK: - Room

    /// Nanoseconds after the last piece of a body for which it counts as on its way.
    private static let progress: Int64 = 1_000_000_000

    /// One that may have to make room.
    private struct Candidate {
        let place: Int
        /// The lower, the earlier it goes, among those of owners that have equally many.
        let rank: Int
    }

    /// Ends those that wait for a request, one at a time: of whoever has most connections then, so that few addresses can't
    /// have others make room for them; among equals first one that never asked for anything, and last one whose body is on
    /// its way; else the one that has waited longest.
    /// - Parameters:
    ///   - count: The most to end.
    ///   - age: Nanoseconds that one must have waited.
    /// - Returns: How many were ended.
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
            // Of equals the first, which has waited longest.
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

    /// Ends the one of an owner that has waited longest for a request; none where all are at something or send a body.
    /// - Returns: Whether there was one.
    mutating func endOldest(of owner: String, now: Int64, end: (Int32) -> Void) -> Bool {
        let number = counts.number(of: owner)
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

    /// How many connections an owner has.
    func count(of owner: String) -> Int { counts.number(of: owner).map { counts[$0] } ?? 0 }

    /// How many connections the owner of one has; one that is nobody's stands for itself.
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
        // As good as gone: who has most is asked anew for each that makes room.
        uncount(place)
        setPhase(.ended, place)
        entries[place].deadline = .max
    }

    private mutating func setPhase(_ phase: Phase, _ place: Int) {
        if entries[place].phase == .ended { endingCount -= 1 }
        if phase == .ended { endingCount += 1 }
        entries[place].phase = phase
    }

    // MARK: - Phases

    /// One that was ended or lent stays so, whatever the library still does with it.
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
