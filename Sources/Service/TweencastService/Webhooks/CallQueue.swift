// Decides which webhooks this process calls, when, and how many at a time. The machine's outbox holds the webhooks and is
// the same on all replicas; the progress of one process's calls is only here.

import Base
import Board
import Machine
import RecurrenceRules
import Tween

/// The webhooks that this process calls, by due time. Hosts take turns.
struct CallQueue {
    /// The most calls in flight.
    static let maximumCalls = 64
    /// The most calls in flight to one host, so that one that hangs leaves room for others.
    static let maximumCallsPerHost = 8

    private enum State {
        case waiting, ready, underWay
    }

    private struct Entry {
        var id: String
        var host: String
        var state: State
    }

    /// Whether this process calls webhooks at all.
    private(set) var isCalling = false
    private var entries = SlotTable<Entry>()
    private var places: [String: Int] = [:]
    private var timetable = Timetable()
    /// Due webhooks, by host.
    private var queues: [String: [Int]] = [:]
    /// The hosts in `queues`, in the order in which they have the next call.
    private var rotation: [String] = []
    private var calls: [String: Int] = [:]
    private(set) var callCount = 0
    /// When each call in flight began, in monotonic nanoseconds.
    private var begun: [String: Int64] = [:]

    /// When the next waiting webhook is due.
    var nextDue: Instant? { timetable.first }

    // MARK: - Waiting webhooks

    /// Starts to call an outbox's webhooks, those from before as if they had never been called. A call that is still in
    /// flight isn't repeated before it ends.
    mutating func start(_ outbox: Outbox) {
        stop()
        isCalling = true
        update(outbox.pending.lazy.map(\.id), in: outbox)
    }

    /// Starts no more calls. Calls in flight keep their places, and still report their outcome.
    mutating func stop() {
        var rest = CallQueue()
        (rest.begun, rest.calls, rest.callCount) = (begun, calls, callCount)
        for (id, place) in places {
            guard let entry = entries[place], entry.state == .underWay else { continue }
            rest.places[id] = rest.entries.insert(entry)
        }
        self = rest
    }

    /// Adopts the outbox's present state: calls what waits there when it is due, and nothing else. A call in flight
    /// continues and keeps its place until it ends.
    /// - Parameter ids: Webhooks that have changed, or may be called from now on.
    mutating func update(_ ids: some Sequence<String>, in outbox: Outbox) {
        guard isCalling else { return }
        for id in ids {
            let place = places[id]
            if let place, entries[place]?.state == .underWay { continue }
            if let (delivery, host) = outbox.waiting(id) { set(delivery, of: host, at: place) } else { remove(id) }
        }
    }

    private mutating func set(_ delivery: Delivery, of host: String, at known: Int?) {
        // A webhook that is due but has no room yet keeps its place.
        if let known, entries[known]?.state != .waiting { return }
        let place = known ?? entries.insert(Entry(id: delivery.id, host: host, state: .waiting))
        places[delivery.id] = place
        timetable.set(place, due: delivery.due)
    }

    /// Shifts the due times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) { timetable.shift(byNanoseconds: nanoseconds) }

    // MARK: - Calls

    /// Returns the webhooks to call now.
    /// - Parameter monotonic: Returns monotonic nanoseconds.
    mutating func dequeueDue(at now: Instant, from outbox: Outbox, monotonic: () -> Int64) -> [Delivery] {
        while let (place, _) = timetable.next(dueBy: now) {
            guard let host = entries[place]?.host else { continue }
            entries.update(place) { $0.state = .ready }
            if queues[host] == nil { rotation.append(host) }
            queues[host, default: []].append(place)
        }
        var due: [Delivery] = []
        // Hosts take turns until none may have another call.
        var idle = 0
        while callCount < Self.maximumCalls, idle < rotation.count {
            let host = rotation.removeFirst()
            idle += 1
            if calls[host, default: 0] < Self.maximumCallsPerHost, let place = queues[host]?.removeFirst() {
                idle = 0
                if let delivery = begin(place, at: monotonic(), from: outbox) { due.append(delivery) }
            }
            if queues[host]?.isEmpty == true { queues[host] = nil } else { rotation.append(host) }
        }
        return due
    }

    private mutating func begin(_ place: Int, at monotonic: Int64, from outbox: Outbox) -> Delivery? {
        guard let entry = entries[place] else { return nil }
        entries.update(place) { $0.state = .underWay }
        calls[entry.host, default: 0] += 1
        callCount += 1
        // After a store failure, the webhook may have been rolled back.
        guard let delivery = outbox.waiting(entry.id)?.delivery else {
            remove(entry.id)
            return nil
        }
        begun[entry.id] = monotonic
        return delivery
    }

    /// Ends a call and frees its place. If the outbox wants another attempt, `update` schedules it.
    /// - Returns: The call's nanoseconds; nil if its start is unknown.
    mutating func end(_ id: String, monotonic: Int64) -> Int64? {
        if let place = places[id], entries[place]?.state == .underWay { remove(id) }
        return begun.removeValue(forKey: id).map { monotonic - $0 }
    }

    private mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id), let entry = entries.remove(at: place) else { return }
        timetable.set(place, due: nil)
        switch entry.state {
        case .waiting: break
        case .ready:
            queues[entry.host]?.removeAll { $0 == place }
            guard queues[entry.host]?.isEmpty == true else { return }
            queues[entry.host] = nil
            rotation.removeAll { $0 == entry.host }
        case .underWay:
            calls[entry.host] = calls[entry.host].flatMap { $0 > 1 ? $0 - 1 : nil }
            callCount -= 1
        }
    }
}
