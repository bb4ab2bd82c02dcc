// The connections that the library holds, and how long each may take for what it is at. Values alone: time is given, and
// what is to be ended is told.

import Conversions
import Primitives

/// Deadlines, in nanoseconds.
struct ConnectionTimes {
    /// For the first request's head, from the connection's begin.
    var head: Int64 = 10_000_000_000
    /// For each further head, from the answer before.
    var idle: Int64 = 30_000_000_000
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
        case body
        /// An answer is awaited; the client may take its time, since the server does.
        case answer
        /// An answer is being sent.
        case sending
        /// Its socket was shut, or is another's now; the library has not let it go yet.
        case ended
        /// Its TLS session is a stream's; it counts no more.
        case lent
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
        /// Neighbours among those whose head is awaited, in the order of waiting; -1 for none.
        var older = -1
        var newer = -1
    }

    let times: ConnectionTimes
    private var entries: [Entry] = []
    private var places = SlotNumbers()
    private var oldest = -1
    private var newest = -1
    /// Connections by owner.
    private var counts: [String: Int] = [:]
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
        if let owner { counts[owner, default: 0] += 1 }
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
        entries[place] = Entry()
        places.free(place)
        return last
    }

    /// A head is complete and a body is awaited.
    mutating func expectBody(_ place: Int, now: Int64, within: Int64) {
        move(place, to: .body, now: now, deadline: now.addingSaturated(within))
    }

    /// A request is complete.
    mutating func expectAnswer(_ place: Int, now: Int64) { move(place, to: .answer, now: now, deadline: .max) }

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
        uncount(place)
        markEnded(place)
        entries[place].phase = .lent
    }

    /// Its stream never began: an answer is awaited as before.
    mutating func takeBack(_ place: Int, now: Int64) {
        if phase(of: place) == .lent { enter(.answer, place, now: now, deadline: .max) }
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

    /// Ends those that wait longest for the head of a request.
    /// - Parameters:
    ///   - count: The most to end.
    ///   - age: Nanoseconds that one must have waited.
    /// - Returns: How many were ended.
    mutating func endOldest(_ count: Int, age: Int64, now: Int64, end: (Int32) -> Void) -> Int {
        var ended = 0
        let latest = now.subtractingSaturated(age)
        // Whoever has most makes room first, so that few addresses can't have others make it for them.
        if let greedy = counts.max(by: { $0.value < $1.value }), greedy.value > 1 {
            while ended < count, endOldest(of: greedy.key, waitingSince: latest, end: end) { ended += 1 }
        }
        while ended < count, oldest >= 0, entries[oldest].since <= latest {
            let place = oldest
            end(entries[place].descriptor)
            markEnded(place)
            ended += 1
        }
        return ended
    }

    /// Ends the one of an owner that has waited longest for a head; none where all are at something.
    /// - Parameter latest: When it must have begun to wait at the latest.
    /// - Returns: Whether there was one.
    mutating func endOldest(of owner: String, waitingSince latest: Int64 = .max, end: (Int32) -> Void) -> Bool {
        var place = oldest
        while place >= 0, entries[place].owner != owner { place = entries[place].newer }
        guard place >= 0, entries[place].since <= latest else { return false }
        end(entries[place].descriptor)
        markEnded(place)
        return true
    }

    /// How many connections an owner has.
    func count(of owner: String) -> Int { counts[owner] ?? 0 }

    private mutating func uncount(_ place: Int) {
        guard let owner = entries[place].owner, let count = counts[owner] else { return }
        counts[owner] = count > 1 ? count - 1 : nil
        entries[place].owner = nil
    }

    private mutating func markEnded(_ place: Int) {
        unlink(place)
        entries[place].phase = .ended
        entries[place].deadline = .max
    }

    // MARK: - Phases

    /// One that was ended or lent stays so, whatever the library still does with it.
    private mutating func move(_ place: Int, to phase: Phase, now: Int64, deadline: Int64) {
        guard ![.free, .ended, .lent].contains(self.phase(of: place)) else { return }
        unlink(place)
        enter(phase, place, now: now, deadline: deadline)
    }

    private mutating func enter(_ phase: Phase, _ place: Int, now: Int64, deadline: Int64) {
        entries[place].phase = phase
        entries[place].since = now
        entries[place].deadline = deadline
        guard phase == .head else { return }
        entries[place].older = newest
        entries[place].newer = -1
        if newest >= 0 { entries[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        guard entries[place].phase == .head else { return }
        let (older, newer) = (entries[place].older, entries[place].newer)
        if older >= 0 { entries[older].newer = newer } else { oldest = newer }
        if newer >= 0 { entries[newer].older = older } else { newest = older }
    }
}
