// Which webhooks this process calls when, and how many at a time. The machine's outbox has the webhooks and is the same for
// everybody who takes the same turns; how far one process has come with calling them is here alone.

import Base
import Board
import Machine
import RecurrenceRules
import Tween

/// Webhooks of an outbox that this process calls, by the instant at which each is due; hosts take turns.
struct CallQueue {
    /// The most calls under way.
    static let maximumCalls = 64
    /// The most calls of one host under way: one that hangs leaves room for the others.
    static let maximumCallsPerHost = 8

    private enum State {
        case waiting, ready, underWay
    }

    private struct Entry {
        var id: String
        var host: String
        var state: State
    }

    /// Whether this process calls at all.
    private(set) var isCalling = false
    private var entries = SlotTable<Entry>()
    private var places: [String: Int] = [:]
    private var timetable = Timetable()
    /// What is due, by host.
    private var queues: [String: [Int]] = [:]
    private var turns: [String] = []
    private var calls: [String: Int] = [:]
    private(set) var callCount = 0
    /// When calls that have not ended were begun, in monotonic nanoseconds; those from before `stop`, too.
    private var begun: [String: Int64] = [:]

    /// When the next waiting one is due.
    var nextDue: Instant? { timetable.first }

    // MARK: - What waits

    /// Calls what waits in an outbox from now on, as if nothing of it had been called yet.
    mutating func start(_ outbox: Outbox) {
        stop()
        isCalling = true
        follow(outbox.pending.lazy.map(\.id), in: outbox)
    }

    /// Calls nothing from now on; how calls that are under way end is still told.
    mutating func stop() {
        let known = begun
        self = CallQueue()
        begun = known
    }

    /// Goes by the outbox as it is now: what waits there is called when it is due, nothing else is. A call that is under way
    /// goes on, and takes its room until it has ended.
    /// - Parameter ids: Those that have changed, or may be called from now on.
    mutating func follow(_ ids: some Sequence<String>, in outbox: Outbox) {
        guard isCalling else { return }
        for id in ids {
            let place = places[id]
            if let place, entries[place]?.state == .underWay { continue }
            if let (delivery, host) = outbox.waiting(id) { set(delivery, of: host, at: place) } else { remove(id) }
        }
    }

    private mutating func set(_ delivery: Delivery, of host: String, at known: Int?) {
        // One that is due and has no room yet stays so.
        if let known, entries[known]?.state != .waiting { return }
        let place = known ?? entries.insert(Entry(id: delivery.id, host: host, state: .waiting))
        places[delivery.id] = place
        timetable.set(place, due: delivery.due)
    }

    /// Moves what waits along a timeline that was set anew.
    mutating func shift(byNanoseconds nanoseconds: Int64) { timetable.shift(byNanoseconds: nanoseconds) }

    // MARK: - Calls

    /// What is to be called now.
    /// - Parameter monotonic: Tells the nanoseconds of the monotonic clock.
    mutating func takeDue(at now: Instant, from outbox: Outbox, monotonic: () -> Int64) -> [Delivery] {
        while let (place, _) = timetable.next(dueBy: now) {
            guard let host = entries[place]?.host else { continue }
            entries.update(place) { $0.state = .ready }
            if queues[host] == nil { turns.append(host) }
            queues[host, default: []].append(place)
        }
        var due: [Delivery] = []
        // Hosts in turn, until none of them may have another call.
        var idle = 0
        while callCount < Self.maximumCalls, idle < turns.count {
            let host = turns.removeFirst()
            idle += 1
            if calls[host, default: 0] < Self.maximumCallsPerHost, let place = queues[host]?.removeFirst() {
                idle = 0
                if let delivery = begin(place, at: monotonic(), from: outbox) { due.append(delivery) }
            }
            if queues[host]?.isEmpty == true { queues[host] = nil } else { turns.append(host) }
        }
        return due
    }

    private mutating func begin(_ place: Int, at monotonic: Int64, from outbox: Outbox) -> Delivery? {
        guard let entry = entries[place] else { return nil }
        entries.update(place) { $0.state = .underWay }
        calls[entry.host, default: 0] += 1
        callCount += 1
        // A store that failed may have had it taken back.
        guard let delivery = outbox.waiting(entry.id)?.delivery else {
            remove(entry.id)
            return nil
        }
        begun[entry.id] = monotonic
        return delivery
    }

    /// A call has ended: there is room for another. It is called again where the outbox says so, which is to be followed.
    /// - Returns: How many nanoseconds it took; nil where it is not known to have begun.
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
            turns.removeAll { $0 == entry.host }
        case .underWay:
            calls[entry.host] = calls[entry.host].flatMap { $0 > 1 ? $0 - 1 : nil }
            callCount -= 1
        }
    }
}
