// The permits of open streams, which end when a token expires or is revoked.

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

    /// Does nothing: an expiry is a date and does not move with the clock.
    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {}

    func add(_ permit: any StreamPermit, of key: StreamID) {
        let place = holders.insert((key, permit))
        places[key] = place
        if permit.expires != .max { ends.set(place, due: Instant(nanoseconds: permit.expires)) }
    }

    /// Replaces a stream's permit.
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

    /// Takes the streams whose permits have expired.
    func removeExpired(at now: Instant) -> [StreamID] {
        var expired: [StreamID] = []
        while let end = ends.next(dueBy: now) {
            if let holder = holders[end.slot] { expired.append(holder.key) }
        }
        return expired
    }

    /// Returns the streams whose permits were revoked.
    func revoked() -> [StreamID] { holders.slots.compactMap { $0 }.filter { !$0.permit.isHonoured }.map(\.key) }
}
