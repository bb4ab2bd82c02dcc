// Webhooks between action and receiver: nothing is lost, nothing counts twice, nobody takes all the room.

import Base
import Board
import Testing
import Tween

@testable import Machine

@Suite struct OutboxTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let busy = WebhookOutcome.answered(status: 503, retryAfter: nil)
    private static let taken = WebhookOutcome.answered(status: 200, retryAfter: nil)

    private static func delivery(_ id: String, host: String = "a.example", bytes: Int = 2) -> Delivery {
        Delivery(
            id: id, url: "https://\(host)/x", body: [UInt8](repeating: 0x30, count: bytes),
            by: ResourceName(.ticker, "t"),
            created: start)
    }

    /// Who is called by a URL.
    private static let host: @Sendable (String) -> String = { String($0.split(separator: "/")[1]) }

    private func outbox(attempts: Int = 3, _ deliveries: [Delivery] = []) -> Outbox {
        var retries = RetryPlan()
        retries.attempts = attempts
        var outbox = Outbox(retries: retries, receiver: Self.host)
        for delivery in deliveries { _ = outbox.add(delivery) }
        return outbox
    }

    @Test func `a new webhook waits for the store, and a delivered one is forgotten`() {
        var outbox = outbox([Self.delivery("1")])
        let (changes, unstored) = (outbox.drainChanges(), outbox.drainUnstored())
        #expect(changes == ["1"] && unstored == ["1"])
        let isDelivered = outbox.finish("1", attempt: 1, Self.taken, at: Self.start, jitter: 0)
        #expect(isDelivered)
        let changesNext = outbox.drainChanges()
        #expect(changesNext == ["1"])
        #expect(outbox.delivery("1") == nil && outbox.pendingCount == 0)
    }

    @Test func `a failed webhook is retried later, then given up, then retried on request`() {
        var outbox = outbox(attempts: 2, [Self.delivery("1")])
        let isDelivered = outbox.finish("1", attempt: 1, Self.busy, at: Self.start, jitter: 0)
        #expect(!isDelivered)
        let later = Self.start.advanced(bySeconds: 0.5)
        #expect(outbox.delivery("1")?.due == later && outbox.delivery("1")?.attempts == 1)
        let isDeliveredNext = outbox.finish("1", attempt: 2, Self.busy, at: later, jitter: 0)
        #expect(!isDeliveredNext)
        #expect(outbox.delivery("1")?.failure == "answered 503")
        #expect(outbox.deadCount == 1 && outbox.pendingCount == 0 && outbox.pending.isEmpty)
        #expect(outbox.dead(after: nil, limit: 10).map(\.id) == ["1"])

        let isRetried = outbox.retry("1", at: later)
        #expect(isRetried == .done)
        let isRetriedTwice = outbox.retry("1", at: later)
        #expect(isRetriedTwice == .unknown)
        #expect(outbox.pending.map(\.attempts) == [0])
        let isDeliveredThen = outbox.finish("1", attempt: 1, Self.taken, at: later, jitter: 0)
        #expect(isDeliveredThen)
        #expect(outbox.deadCount == 0 && outbox.pendingCount == 0)
    }

    @Test func `an outcome of a webhook counts once, and that of an unknown attempt not at all`() {
        var outbox = outbox([Self.delivery("1")])
        _ = outbox.finish("1", attempt: 1, Self.busy, at: Self.start, jitter: 0)
        _ = outbox.drainChanges()
        for (id, attempt) in [("1", 1), ("1", 3), ("2", 1)] {
            let isDelivered = outbox.finish(id, attempt: attempt, Self.taken, at: Self.start, jitter: 0)
            #expect(!isDelivered)
        }
        let changes = outbox.drainChanges()
        #expect(changes.isEmpty && outbox.pendingCount == 1)
    }

    @Test func `webhooks beyond the limit of pending ones are given up and kept as dead letters`() {
        var outbox = outbox()
        var number = 0
        while outbox.deadCount == 0 {
            _ = outbox.add(Self.delivery("\(number)"))
            number += 1
        }
        #expect(outbox.pendingCount == number - 1 && outbox.pendingCount == Outbox.maximumPending / 2)
        #expect(outbox.delivery("\(number - 1)")?.isDead == true)
        let changes = outbox.drainChanges()
        #expect(changes.last == "\(number - 1)")
        let unstored = outbox.drainUnstored()
        #expect(!unstored.contains("\(number - 1)"))
    }

    @Test func `a dead letter can't be retried while its host has no room`() {
        var outbox = outbox(attempts: 1, [Self.delivery("old")])
        _ = outbox.finish("old", attempt: 1, Self.busy, at: Self.start, jitter: 0)
        for number in 0..<Outbox.maximumPending / 2 {
            let refused = outbox.add(Self.delivery("\(number)"))
            #expect(refused == nil)
        }
        let refused = outbox.add(Self.delivery("new"))
        #expect(refused?.id == "new" && refused?.failure == Outbox.noRoom && refused == outbox.delivery("new"))
        _ = (outbox.drainChanges(), outbox.drainUnstored())
        let later = Self.start.advanced(bySeconds: 9)
        for id in ["old", "new"] {
            let before = outbox.delivery(id)
            let handling = outbox.retry(id, at: later)
            #expect(handling == .noRoom && outbox.delivery(id) == before)
        }
        let (changes, unstored) = (outbox.drainChanges(), outbox.drainUnstored())
        #expect(changes.isEmpty && unstored.isEmpty)
        #expect(outbox.dead(after: nil, limit: 9).map(\.id) == ["old", "new"])
        _ = outbox.finish("0", attempt: 1, Self.taken, at: later, jitter: 0)
        let handling = outbox.retry("old", at: later)
        #expect(handling == .done && outbox.delivery("old")?.isDead == false && outbox.delivery("old")?.due == later)
    }

    @Test(arguments: [1, 9, 40])
    func `a webhook to another host finds room, however many hosts hang`(hosts: Int) {
        var outbox = outbox()
        for number in 0..<15_000 {
            _ = outbox.add(Self.delivery("\(number)", host: "h\(number % hosts).example"))
        }
        _ = outbox.add(Self.delivery("honest", host: "honest.example"))
        #expect(outbox.delivery("honest")?.isDead == false)
        #expect(outbox.pendingCount <= Outbox.maximumPending)
    }

    @Test func `receivers on one machine are told apart by their ports`() {
        var outbox = outbox()
        for number in 0..<6_000 { _ = outbox.add(Self.delivery("\(number)", host: "a.example:81")) }
        _ = outbox.add(Self.delivery("honest", host: "a.example:82"))
        #expect(outbox.delivery("honest")?.isDead == false)
    }

    @Test func `pending webhooks are limited in bytes per host`() {
        var outbox = outbox((0..<64).map { Self.delivery("\($0)", bytes: 1024 * 1024) })
        #expect(outbox.pendingCount == 32 && outbox.deadCount == 32)
        _ = outbox.add(Self.delivery("honest", host: "b.example", bytes: 1024 * 1024))
        #expect(outbox.delivery("honest")?.isDead == false)
    }

    @Test func `beyond the limit of dead letters the oldest is dropped`() {
        var outbox = outbox()
        var dead = (0...Outbox.maximumDead).map { Self.delivery("\($0)") }
        for index in dead.indices {
            dead[index].isDead = true
            dead[index].created = Self.start.advanced(bySeconds: Double(index))
        }
        outbox.restore(dead.reversed())
        #expect(outbox.deadCount == Outbox.maximumDead)
        let changes = outbox.drainChanges()
        #expect(outbox.delivery("0") == nil && changes == ["0"])
        #expect(outbox.dead(after: "1", limit: 2).map(\.id) == ["2", "3"])
        let isDiscarded = outbox.discard("5")
        let isDiscardedTwice = outbox.discard("5")
        #expect(isDiscarded == .done && isDiscardedTwice == .unknown)
        let changesNext = outbox.drainChanges()
        #expect(changesNext == ["5"])
    }

    @Test func `after a store failure outbox and store agree again`() {
        var outbox = outbox([Self.delivery("kept"), Self.delivery("gone")])
        for id in ["kept", "gone"] {
            _ = outbox.finish(id, attempt: 1, id == "gone" ? Self.taken : Self.busy, at: Self.start, jitter: 0)
        }
        _ = outbox.add(Self.delivery("new"))
        _ = outbox.drainChanges()
        _ = outbox.drainUnstored()
        // None of that was committed: the store has the first two as they were, and nothing of the third.
        outbox.reconcile("kept", isKept: true)
        outbox.reconcile("gone", isKept: true)
        outbox.reconcile("new", isKept: false)
        outbox.reconcile("never", isKept: false)
        let changes = outbox.drainChanges()
        let unstored = outbox.drainUnstored()
        // What waits is called when the store has it as it is now.
        #expect(changes == ["kept", "gone"] && unstored == ["kept"])
        #expect(outbox.delivery("kept")?.attempts == 1)
        #expect(outbox.delivery("gone") == nil && outbox.delivery("new") == nil)
    }

    @Test func `setting the clock shifts the due times of pending webhooks`() {
        var outbox = outbox([Self.delivery("1")])
        _ = outbox.drainChanges()
        outbox.shift(byNanoseconds: 3_600_000_000_000)
        #expect(outbox.delivery("1")?.due == Self.start.advanced(bySeconds: 3_600))
        #expect(outbox.drainChanges() == ["1"], "it is stored by the new time")
    }
}
