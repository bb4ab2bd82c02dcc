// Streams that were let in by something that may come to count no more: a token expires, or is revoked.

import Base
import Board
import EventStream
import RecurrenceRules
import Tween

/// Permits by stream.
final class Permits: Timed {
    private var holders = SlotTable<(key: StreamID, permit: any StreamPermit)>()
    private var places: [StreamID: Int] = [:]
    private var ends = DueHeap<Instant>()

    var nextDue: Instant? { ends.first }

    /// An expiry is a date: it doesn't move with the clock.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {}

    func add(_ permit: any StreamPermit, of key: StreamID) {
        let place = holders.insert((key, permit))
        places[key] = place
        if permit.expires != .max { ends.set(place, due: Instant(nanoseconds: permit.expires)) }
    }

    /// Takes another in place of a stream's.
    func replace(_ permit: any StreamPermit, of key: StreamID) {
        remove(key)
        add(permit, of: key)
    }

    subscript(key: StreamID) -> (any StreamPermit)? { places[key].flatMap { holders[$0]?.permit } }

    func remove(_ key: StreamID) {
        guard let place = places.removeValue(forKey: key) else { return }
        _ = holders.remove(at: place)
        ends.set(place, due: nil)
    }

    /// Streams whose permits have expired; each is told once.
    func takeExpired(at now: Instant) -> [StreamID] {
        var expired: [StreamID] = []
        while let end = ends.next(dueBy: now) {
            if let holder = holders[end.slot] { expired.append(holder.key) }
        }
        return expired
    }

    /// Streams whose permits were revoked.
    func revoked() -> [StreamID] { holders.slots.compactMap { $0 }.filter { !$0.permit.isHonoured }.map(\.key) }
}
