// The connection table, shared by the library's workers and the acceptor.
//
// A descriptor is only shut under the lock. A connection leaves the table before the library closes it (its closing
// notification comes first; 0.9.75, MHD_cleanup_connections), so its number can't belong to another file by then.

import CLinux
import Synchronization

/// The connections of a server.
final class Connections: Sendable {
    private let table: Mutex<ConnectionTable>
    /// Connections ended because the client sent its request or read its answer too slowly.
    let late = Atomic<UInt64>(0)
    /// Connections ended to make room while waiting for a request.
    let displaced = Atomic<UInt64>(0)
    /// Clients rejected because their owner connected too often.
    let hasty = Atomic<UInt64>(0)
    private let lent = Atomic<Int>(0)

    /// The most connections of one owner.
    private let limit: Int

    init(_ times: ConnectionTimes, perOwner limit: Int) {
        self.limit = limit
        table = Mutex(ConnectionTable(times))
    }

    /// Connections whose TLS session is lent to a stream.
    var lentCount: Int { lent.load(ordering: .sequentiallyConsistent) }

    /// Connections to which an answer is being sent.
    var sendingCount: Int { table.withLock { $0.sendingCount } }

    // MARK: - The library's workers

    /// Adds a new connection. If its owner then has too many, the one that has waited longest is ended.
    func insert(_ descriptor: Int32, of owner: String?) -> Int {
        let (place, hasEnded) = table.withLock { table in
            let place = table.insert(descriptor, of: owner, now: coarseNow())
            guard let owner, table.count(of: owner) > limit else { return (place, false) }
            return (place, table.endOldest(of: owner, now: coarseNow()) { tweencast_shut($0) })
        }
        if hasEnded { displaced.wrappingAdd(1, ordering: .relaxed) }
        return place
    }

    func remove(_ place: Int) {
        // Before the acceptor's count drops: otherwise there would seem to be room for two.
        if table.withLock({ $0.remove(place) }) == .lent { lent.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    }

    func lend(_ place: Int) {
        table.withLock { $0.lend(place) }
        lent.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    func takeBack(_ place: Int) {
        table.withLock { $0.takeBack(place, now: coarseNow()) }
        lent.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    func expectAnswer(_ place: Int) { table.withLock { $0.expectAnswer(place, now: coarseNow()) } }
    func beginSending(_ place: Int) { table.withLock { $0.beginSending(place, now: coarseNow()) } }
    func forget(_ place: Int) { table.withLock { $0.forget(place) } }
    func expectHead(_ place: Int) { table.withLock { $0.expectHead(place, now: coarseNow()) } }

    func expectBody(_ place: Int, within nanoseconds: Int64) {
        table.withLock { $0.expectBody(place, now: coarseNow(), within: nanoseconds) }
    }

    func recordProgress(_ place: Int) { table.withLock { $0.recordProgress(place, now: coarseNow()) } }

    // MARK: - The acceptor

    /// Ends some of the late connections.
    /// - Returns: Whether there may be more.
    func endLate(_ count: Int) -> Bool {
        let (ended, hasMore) = table.withLock { table in
            var ended: UInt64 = 0
            let hasMore = table.endLate(count, now: coarseNow(), measure: Self.measure) {
                tweencast_shut($0)
                ended += 1
            }
            return (ended, hasMore)
        }
        late.wrappingAdd(ended, ordering: .relaxed)
        return hasMore
    }

    /// Ends some connections that wait for a request, from the owners with the most. Connections already ended count towards
    /// the number, since the library will release them shortly.
    /// - Parameters:
    ///   - count: The number of places wanted.
    ///   - age: Nanoseconds that a connection must have waited.
    func endOldest(_ count: Int, age: Int64) {
        let ended = table.withLock { table in
            table.endOldest(max(0, count - table.endingCount), age: age, now: monotonicNow()) { tweencast_shut($0) }
        }
        displaced.wrappingAdd(UInt64(clamping: ended), ordering: .relaxed)
    }

    private static func measure(_ descriptor: Int32) -> ConnectionTable.Measure {
        var acknowledged: UInt64 = 0
        let isKnown = unsafe tweencast_acknowledged(descriptor, &acknowledged) != 0
        return ConnectionTable.Measure(
            acknowledged: isKnown ? acknowledged : nil, waiting: Int(tweencast_outstanding(descriptor)))
    }
}
