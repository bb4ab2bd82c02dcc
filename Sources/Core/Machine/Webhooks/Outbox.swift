// Webhooks from their action until a receiver accepts them: which are waiting, how often each was tried, and which were
// given up. Pure: its owner sends requests, keeps time and stores.

import Base
package import Board
import Tween

/// Deliveries that wait to be accepted, or were given up. Every state of them must be stored.
package struct Outbox {
    /// The most waiting deliveries. No host has more than are left free; a delivery beyond that is given up at once.
    package static let maximumPending = 10_000
    /// The most bytes of waiting deliveries, with the same rule for each host.
    package static let maximumPendingBytes = 64 * 1024 * 1024
    /// The most deliveries that were given up. Beyond that the oldest is deleted.
    package static let maximumDead = 1_000

    var retries: RetryPlan
    /// Returns the receiver of a URL: one machine may have several.
    private let receiver: @Sendable (String) -> String
    private var deliveries = SlotTable<Delivery>()
    private var places: [String: Int] = [:]
    var dead: [String] = []
    private var share = FairShare(places: maximumPending, bytes: maximumPendingBytes)
    private var changed: [String] = []
    private var unstored: [String] = []

    /// - Parameter receiver: Returns the receiver of a URL. Deliveries of one receiver share its part of the limits.
    package init(retries: RetryPlan, receiver: @escaping @Sendable (String) -> String) {
        self.retries = retries
        self.receiver = receiver
    }

    /// The number of waiting deliveries.
    package var pendingCount: Int { places.count - dead.count }
    package var deadCount: Int { dead.count }

    package func delivery(_ id: String) -> Delivery? { places[id].flatMap { deliveries[$0] } }

    /// Returns a waiting delivery and its receiver; nil if it was given up or doesn't exist.
    package func waiting(_ id: String) -> (delivery: Delivery, host: String)? {
        guard let delivery = delivery(id), !delivery.isDead else { return nil }
        return (delivery, receiver(delivery.url))
    }

    /// Waiting deliveries, oldest first.
    package var pending: [Delivery] {
        deliveries.slots.compactMap { $0 }.filter { !$0.isDead }.sorted(by: Self.isOlder)
    }

    /// All deliveries: first those waiting, then those given up.
    package var all: [Delivery] { pending + dead.compactMap { delivery($0) } }

    private static func isOlder(_ one: Delivery, _ other: Delivery) -> Bool {
        (one.created, one.id) < (other.created, other.id)
    }

    // MARK: - In

    /// Adds stored deliveries.
    package mutating func restore(_ deliveries: [Delivery]) {
        for delivery in deliveries.sorted(by: Self.isOlder) { insert(delivery) }
    }

    /// Adds a new delivery. It is sent once it is stored.
    /// - Returns: The delivery as it was given up at once, because its host has no room; nil if it waits.
    mutating func add(_ delivery: Delivery) -> Delivery? {
        guard hasRoom(for: delivery) else {
            var refused = delivery
            refused.failure = Self.noRoom
            refused.isDead = true
            insert(refused)
            changed.append(delivery.id)
            return refused
        }
        enqueue(delivery)
        return nil
    }

    static let noRoom = "too many webhooks of this host wait"

    private func hasRoom(for delivery: Delivery) -> Bool { share.admits(delivery.size, of: receiver(delivery.url)) }

    private mutating func enqueue(_ delivery: Delivery) {
        insert(delivery)
        changed.append(delivery.id)
        unstored.append(delivery.id)
    }

    /// Corrects the store after it failed. `isKept` says whether it has this delivery.
    mutating func reconcile(_ id: String, isKept: Bool) {
        switch (delivery(id), isKept) {
        case (.some, false):
            // The action will be run again, and add it again.
            remove(id)
        case (nil, false): break
        case (let known, true):
            changed.append(id)
            if known?.isDead == false { unstored.append(id) }
        }
    }

    // MARK: - Out

    /// Records the result of an attempt. Ignored if the delivery is no longer waiting for it.
    /// - Parameters:
    ///   - attempt: The number of the attempt, from 1.
    ///   - jitter: 0 ≤ jitter < 1.
    /// - Returns: Whether it was delivered.
    mutating func finish(
        _ id: String, attempt: Int, _ outcome: WebhookOutcome, at now: Instant, jitter: Double
    ) -> Bool {
        guard let place = places[id], var delivery = deliveries[place], !delivery.isDead,
            attempt == delivery.attempts + 1
        else { return false }
        changed.append(id)
        delivery.attempts = attempt
        delivery.failure = Self.reason(outcome)
        switch retries.verdict(on: outcome, attempt: attempt, jitter: jitter) {
        case .delivered:
            remove(id)
            return true
        case .again(let seconds):
            delivery.due = now.advanced(bySeconds: seconds)
            deliveries.update(place) { $0 = delivery }
        case .givenUp:
            delivery.isDead = true
            remove(id)
            insert(delivery)
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

    /// Returns deliveries that were given up, oldest first.
    /// - Parameter after: The id after which the page begins.
    package func dead(after: String?, limit: Int) -> [Delivery] {
        let start = after.flatMap { id in dead.firstIndex(of: id) }.map { $0 + 1 } ?? 0
        return dead[start...].prefix(limit).compactMap { delivery($0) }
    }

    /// The result of a request to retry or delete a delivery.
    enum Handling {
        case done
        /// It wasn't given up, or doesn't exist.
        case unknown
        /// Its host has no room for another one that waits; it stays as it is.
        case noRoom
    }

    /// Retries a delivery that was given up, with all its attempts.
    mutating func retry(_ id: String, at now: Instant) -> Handling {
        guard var delivery = delivery(id), delivery.isDead else { return .unknown }
        guard hasRoom(for: delivery) else { return .noRoom }
        remove(id)
        delivery.isDead = false
        delivery.attempts = 0
        delivery.failure = nil
        delivery.due = now
        enqueue(delivery)
        return .done
    }

    /// Deletes a delivery that was given up.
    mutating func discard(_ id: String) -> Handling {
        guard delivery(id)?.isDead == true else { return .unknown }
        remove(id)
        changed.append(id)
        return .done
    }

    // MARK: - Bookkeeping

    /// Removes and returns the ids of changed deliveries, to be stored, or deleted if `delivery` has none.
    mutating func drainChanges() -> [String] {
        defer { changed.removeAll() }
        return changed
    }

    /// Removes and returns the ids of new deliveries, which may be sent once they are stored.
    mutating func drainUnstored() -> [String] {
        defer { unstored.removeAll() }
        return unstored
    }

    /// Shifts the due instants of waiting deliveries after a clock change.
    /// - Returns: Their number.
    @discardableResult
    mutating func shift(byNanoseconds nanoseconds: Int64) -> Int {
        // By age: the order of slots changes after a restart.
        let ids = pending.map(\.id)
        for place in ids.compactMap({ places[$0] }) {
            deliveries.update(place) { $0.due = $0.due.advanced(byNanoseconds: nanoseconds) }
        }
        changed += ids
        return ids.count
    }

    mutating func insert(_ delivery: Delivery) {
        places[delivery.id] = deliveries.insert(delivery)
        guard delivery.isDead else { return share.reserve(delivery.size, of: receiver(delivery.url)) }
        dead.append(delivery.id)
        while dead.count > Self.maximumDead, let oldest = dead.first {
            remove(oldest)
            changed.append(oldest)
        }
    }

    private mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id), let delivery = deliveries.remove(at: place) else { return }
        if delivery.isDead {
            // Usually the oldest, to make room.
            if dead.first == id { dead.removeFirst() } else { dead.removeAll { $0 == id } }
        } else {
            share.free(delivery.size, of: receiver(delivery.url))
        }
    }
}
