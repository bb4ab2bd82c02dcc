// Which webhooks are called when, and how many at a time. What must not be lost of them is in the machine's outbox; this
// is how far one process has come with calling them.

import Base
import Board
import RecurrenceRules
import Tween

/// Webhooks to be called, by the instant at which each is due; hosts take turns.
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

    /// Who is called by a URL: one machine may have several receivers.
    private let receiver: @Sendable (String) -> String
    private var entries = SlotTable<Entry>()
    private var places: [String: Int] = [:]
    private var timetable = Timetable()
    /// What is due, by host.
    private var queues: [String: [Int]] = [:]
    private var turns: [String] = []
    private var calls: [String: Int] = [:]
    private(set) var callCount = 0

    /// - Parameter receiver: Tells who is called by a URL.
    init(receiver: @escaping @Sendable (String) -> String) { self.receiver = receiver }

    /// When the next waiting one is due.
    var nextDue: Instant? { timetable.first }

    /// Takes one in, to be called when it is due; of one that is known already, when that is.
    mutating func set(_ delivery: Delivery) {
        let place: Int
        if let known = places[delivery.id] {
            guard entries[known]?.state == .waiting else { return }
            place = known
        } else {
            place = entries.insert(Entry(id: delivery.id, host: receiver(delivery.url), state: .waiting))
            places[delivery.id] = place
        }
        timetable.set(place, due: delivery.due)
    }

    /// What is to be called now, by id.
    mutating func takeDue(at now: Instant) -> [String] {
        while let (place, _) = timetable.next(dueBy: now) {
            guard let host = entries[place]?.host else { continue }
            entries.update(place) { $0.state = .ready }
            if queues[host] == nil { turns.append(host) }
            queues[host, default: []].append(place)
        }
        var due: [String] = []
        // Hosts in turn, until none of them may have another call.
        var idle = 0
        while callCount < Self.maximumCalls, idle < turns.count {
            let host = turns.removeFirst()
            idle += 1
            if calls[host, default: 0] < Self.maximumCallsPerHost, let place = queues[host]?.removeFirst() {
                idle = 0
                if let id = begin(place) { due.append(id) }
            }
            if queues[host]?.isEmpty == true { queues[host] = nil } else { turns.append(host) }
        }
        return due
    }

    private mutating func begin(_ place: Int) -> String? {
        guard let entry = entries[place] else { return nil }
        entries.update(place) { $0.state = .underWay }
        calls[entry.host, default: 0] += 1
        callCount += 1
        return entry.id
    }

    /// A call has ended: there is room for another. It is to be set again where it is to be called again.
    mutating func end(_ id: String) {
        guard let place = places[id], entries[place]?.state == .underWay else { return }
        remove(id)
    }

    /// Forgets one that is not to be called any more; a call that is under way still takes its room.
    mutating func withdraw(_ id: String) {
        guard let place = places[id], entries[place]?.state != .underWay else { return }
        remove(id)
    }

    /// Moves what waits along a timeline that was set anew.
    mutating func shift(byNanoseconds nanoseconds: Int64) { timetable.shift(byNanoseconds: nanoseconds) }

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
