// Webhooks between the action that asked for them and the receiver that took them: which are due, how many are called at
// a time, which were given up. Pure: calls, time and the store are its owner's matter.

package import Board
package import Primitives
import Recurrences
package import Tween

/// Deliveries that wait, are under way, or were given up. Every state it goes through is to be stored.
package struct Outbox {
    /// The most that may wait, of which no host has more than is left free; what comes on top is given up at once.
    package static let maximumPending = 10_000
    /// The most bytes of those that wait, shared likewise.
    package static let maximumPendingBytes = 64 * 1024 * 1024
    /// The most that were given up and are kept; the oldest go first.
    package static let maximumDead = 1_000
    /// The most calls under way.
    package static let maximumCalls = 64
    /// The most calls of one host under way: one that hangs leaves room for the others.
    package static let maximumCallsPerHost = 8

    private enum State {
        /// Not called before the store has it.
        case unstored
        case waiting, ready, underWay, dead
    }

    private struct Entry {
        var delivery: Delivery
        var state: State
        var host: String
    }

    private let retries: RetryPlan
    /// Who is called by a URL: one machine may have several receivers.
    private let receiver: @Sendable (String) -> String
    private var entries = SlotTable<Entry>()
    private var places: [String: Int] = [:]
    private var timetable = Timetable()
    /// What is due, by host; hosts take turns.
    private var queues: [String: [Int]] = [:]
    private var turns: [String] = []
    private var calls: [String: Int] = [:]
    private var callCount = 0
    private var dead: [String] = []
    private var share = FairShare(places: maximumPending, bytes: maximumPendingBytes)
    private var changed: [String] = []
    private var unstored: [String] = []

    /// - Parameter receiver: Tells who is called by a URL; those that are the same share what is free.
    package init(retries: RetryPlan, receiver: @escaping @Sendable (String) -> String) {
        self.retries = retries
        self.receiver = receiver
    }

    /// Deliveries that were not given up.
    package var pendingCount: Int { places.count - dead.count }
    package var deadCount: Int { dead.count }
    /// When the next waiting one is due.
    package var nextDue: Instant? { timetable.first }

    package func delivery(_ id: String) -> Delivery? { places[id].flatMap { entries[$0]?.delivery } }

    // MARK: - In

    /// Takes back what the store kept.
    package mutating func restore(_ deliveries: [Delivery]) {
        for delivery in deliveries.sorted(by: { $0.created < $1.created }) {
            insert(delivery, delivery.isDead ? .dead : .waiting)
        }
    }

    /// Takes a new one, to be called when it is stored.
    mutating func add(_ delivery: Delivery) {
        guard share.admits(delivery.size, of: receiver(delivery.url)) else {
            var refused = delivery
            refused.failure = "too many webhooks of this host wait"
            refused.isDead = true
            insert(refused, .dead)
            changed.append(delivery.id)
            return
        }
        insert(delivery, .unstored)
        changed.append(delivery.id)
        unstored.append(delivery.id)
    }

    /// The store has these.
    mutating func noteStored(_ ids: [String]) {
        for id in ids {
            guard let place = places[id], let entry = entries[place], entry.state == .unstored else { continue }
            entries.update(place) { $0.state = .waiting }
            timetable.set(place, due: entry.delivery.due)
        }
    }

    /// The store failed and tells whether it has this one; what it has is brought in line with what is known here.
    mutating func reconcile(_ id: String, isKept: Bool) {
        switch (places[id], isKept) {
        case (let place?, false) where entries[place]?.state == .unstored:
            // What asked for it was taken back, and asks anew.
            remove(id)
        case (nil, false): break
        default: changed.append(id)
        }
    }

    // MARK: - Out

    /// What is to be called now.
    mutating func takeDue(at now: Instant) -> [Delivery] {
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
                if let delivery = begin(place) { due.append(delivery) }
            }
            if queues[host]?.isEmpty == true { queues[host] = nil } else { turns.append(host) }
        }
        return due
    }

    private mutating func begin(_ place: Int) -> Delivery? {
        guard let entry = entries[place] else { return nil }
        entries.update(place) { $0.state = .underWay }
        calls[entry.host, default: 0] += 1
        callCount += 1
        return entry.delivery
    }

    /// Takes in how a call ended.
    /// - Parameter jitter: 0 ≤ … < 1.
    /// - Returns: Whether it was delivered.
    mutating func finish(_ id: String, _ outcome: WebhookOutcome, at now: Instant, jitter: Double) -> Bool {
        guard let place = places[id], var entry = entries[place], entry.state == .underWay else { return false }
        calls[entry.host] = calls[entry.host].flatMap { $0 > 1 ? $0 - 1 : nil }
        callCount -= 1
        changed.append(id)
        entry.delivery.attempts += 1
        entry.delivery.failure = Self.reason(outcome)
        switch retries.verdict(on: outcome, attempt: entry.delivery.attempts, jitter: jitter) {
        case .delivered:
            remove(id)
            return true
        case .again(let seconds):
            entry.delivery.due = now.advanced(bySeconds: seconds)
            entry.state = .waiting
            entries.update(place) { $0 = entry }
            timetable.set(place, due: entry.delivery.due)
        case .givenUp:
            entry.delivery.isDead = true
            remove(id)
            insert(entry.delivery, .dead)
        }
        return false
    }

    private static func reason(_ outcome: WebhookOutcome) -> String {
        switch outcome {
        case .answered(let status, _): "answered \(status)"
        case .failed(let reason), .forbidden(let reason): reason
        }
    }

    // MARK: - Given up

    /// Those that were given up, oldest first.
    /// - Parameter after: The id that the page begins behind.
    package func dead(after: String?, limit: Int) -> [Delivery] {
        let start = after.flatMap { id in dead.firstIndex(of: id) }.map { $0 + 1 } ?? 0
        return dead[start...].prefix(limit).compactMap { delivery($0) }
    }

    /// Tries one anew from the start.
    /// - Returns: false when it is none of those that were given up.
    mutating func retry(_ id: String, at now: Instant) -> Bool {
        guard var delivery = delivery(id), delivery.isDead else { return false }
        remove(id)
        delivery.isDead = false
        delivery.attempts = 0
        delivery.failure = nil
        delivery.due = now
        add(delivery)
        return true
    }

    /// Forgets one that was given up.
    mutating func discard(_ id: String) -> Bool {
        guard delivery(id)?.isDead == true else { return false }
        remove(id)
        changed.append(id)
        return true
    }

    // MARK: - Bookkeeping

    /// What is to be stored, or, where `delivery` has it no more, deleted.
    mutating func takeChanges() -> [String] {
        defer { changed.removeAll() }
        return changed
    }

    /// Those among the changes that may be called once they are stored.
    mutating func takeUnstored() -> [String] {
        defer { unstored.removeAll() }
        return unstored
    }

    /// Moves what waits along a timeline that was set anew.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        timetable.shift(byNanoseconds: nanoseconds)
        for place in entries.slots.indices where entries[place]?.delivery.isDead == false {
            entries.update(place) { $0.delivery.due = $0.delivery.due.advanced(byNanoseconds: nanoseconds) }
        }
    }

    private mutating func insert(_ delivery: Delivery, _ state: State) {
        let host = receiver(delivery.url)
        let place = entries.insert(Entry(delivery: delivery, state: state, host: host))
        places[delivery.id] = place
        guard state == .dead else {
            share.take(delivery.size, of: host)
            if state == .waiting { timetable.set(place, due: delivery.due) }
            return
        }
        dead.append(delivery.id)
        while dead.count > Self.maximumDead, let oldest = dead.first {
            remove(oldest)
            changed.append(oldest)
        }
    }

    private mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id), let entry = entries.remove(at: place) else { return }
        timetable.set(place, due: nil)
        if entry.state == .dead {
            // Mostly the oldest, which makes room.
            if dead.first == id { dead.removeFirst() } else { dead.removeAll { $0 == id } }
        } else {
            share.free(entry.delivery.size, of: entry.host)
        }
    }
}
