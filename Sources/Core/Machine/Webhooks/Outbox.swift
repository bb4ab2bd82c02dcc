// Webhooks between the action that asked for them and the receiver that took them: which wait, how often each was tried,
// which were given up. Pure: calls, time and the store are its owner's matter.

package import Base
package import Board
import Tween

/// Deliveries that wait for a receiver to take them, or were given up. Every state it goes through is to be stored.
package struct Outbox {
    /// The most that may wait, of which no host has more than is left free; what comes on top is given up at once.
    package static let maximumPending = 10_000
    /// The most bytes of those that wait, shared likewise.
    package static let maximumPendingBytes = 64 * 1024 * 1024
    /// The most that were given up and are kept; the oldest go first.
    package static let maximumDead = 1_000

    struct Entry {
        var delivery: Delivery
        var host: String
    }

    var retries: RetryPlan
    /// Who is called by a URL: one machine may have several receivers.
    private let receiver: @Sendable (String) -> String
    var entries = SlotTable<Entry>()
    private var places: [String: Int] = [:]
    var dead: [String] = []
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

    package func delivery(_ id: String) -> Delivery? { places[id].flatMap { entries[$0]?.delivery } }

    /// One that waits to be taken, and who is called for it; nil for one that was given up, or isn't there.
    package func waiting(_ id: String) -> (delivery: Delivery, host: String)? {
        guard let entry = places[id].flatMap({ entries[$0] }), !entry.delivery.isDead else { return nil }
        return (entry.delivery, entry.host)
    }

    /// Those that were not given up, oldest first.
    package var pending: [Delivery] {
        entries.slots.compactMap { $0?.delivery }.filter { !$0.isDead }.sorted(by: Self.isOlder)
    }

    /// All of them, those that were given up last.
    package var all: [Delivery] { pending + dead.compactMap { delivery($0) } }

    private static func isOlder(_ one: Delivery, _ other: Delivery) -> Bool {
        (one.created, one.id) < (other.created, other.id)
    }

    // MARK: - In

    /// Takes back what the store kept.
    package mutating func restore(_ deliveries: [Delivery]) {
        for delivery in deliveries.sorted(by: Self.isOlder) { insert(delivery) }
    }

    /// Takes a new one, to be called when it is stored.
    mutating func add(_ delivery: Delivery) {
        guard share.admits(delivery.size, of: receiver(delivery.url)) else {
            var refused = delivery
            refused.failure = "too many webhooks of this host wait"
            refused.isDead = true
            insert(refused)
            changed.append(delivery.id)
            return
        }
        insert(delivery)
        changed.append(delivery.id)
        unstored.append(delivery.id)
    }

    /// The store failed and tells whether it has this one; what it has is brought in line with what is known here.
    mutating func reconcile(_ id: String, isKept: Bool) {
        switch (delivery(id), isKept) {
        case (.some, false):
            // What asked for it was taken back, and asks anew.
            remove(id)
        case (nil, false): break
        case (let known, true):
            changed.append(id)
            if known?.isDead == false { unstored.append(id) }
        }
    }

    // MARK: - Out

    /// Takes in how a call ended; nothing for one that nobody waits for any more.
    /// - Parameters:
    ///   - attempt: Which attempt it was, from 1.
    ///   - jitter: 0 ≤ … < 1.
    /// - Returns: Whether it was delivered.
    mutating func finish(
        _ id: String, attempt: Int, _ outcome: WebhookOutcome, at now: Instant, jitter: Double
    ) -> Bool {
        guard let place = places[id], var entry = entries[place], !entry.delivery.isDead,
            attempt == entry.delivery.attempts + 1
        else { return false }
        changed.append(id)
        entry.delivery.attempts = attempt
        entry.delivery.failure = Self.reason(outcome)
        switch retries.verdict(on: outcome, attempt: attempt, jitter: jitter) {
        case .delivered:
            remove(id)
            return true
        case .again(let seconds):
            entry.delivery.due = now.advanced(bySeconds: seconds)
            entries.update(place) { $0 = entry }
        case .givenUp:
            entry.delivery.isDead = true
            remove(id)
            insert(entry.delivery)
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
    /// - Returns: How many that were.
    @discardableResult
    mutating func shift(byNanoseconds nanoseconds: Int64) -> Int {
        // By age: where they lie is not the same after a restart.
        let ids = pending.map(\.id)
        for place in ids.compactMap({ places[$0] }) {
            entries.update(place) { $0.delivery.due = $0.delivery.due.advanced(byNanoseconds: nanoseconds) }
        }
        changed += ids
        return ids.count
    }

    mutating func insert(_ delivery: Delivery) {
        let host = receiver(delivery.url)
        places[delivery.id] = entries.insert(Entry(delivery: delivery, host: host))
        guard delivery.isDead else { return share.take(delivery.size, of: host) }
        dead.append(delivery.id)
        while dead.count > Self.maximumDead, let oldest = dead.first {
            remove(oldest)
            changed.append(oldest)
        }
    }

    private mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id), let entry = entries.remove(at: place) else { return }
        if entry.delivery.isDead {
            // Mostly the oldest, which makes room.
            if dead.first == id { dead.removeFirst() } else { dead.removeAll { $0 == id } }
        } else {
            share.free(entry.delivery.size, of: entry.host)
        }
    }
}
