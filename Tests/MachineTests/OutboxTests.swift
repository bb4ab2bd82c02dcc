// Webhooks between action and receiver: nothing is called before it is stored, nothing is lost, nothing hogs the way.

import Board
import Primitives
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
        for delivery in deliveries { outbox.add(delivery) }
        return outbox
    }

    /// As the conductor does: what is new is stored, then due.
    private func store(_ outbox: inout Outbox) {
        _ = outbox.takeChanges()
        outbox.noteStored(outbox.takeUnstored())
    }

    @Test func `nothing is called before it is stored`() {
        var outbox = outbox([Self.delivery("1")])
        let due = outbox.takeDue(at: Self.start)
        #expect(due.isEmpty)
        let changes = outbox.takeChanges()
        #expect(changes == ["1"])
        outbox.noteStored(outbox.takeUnstored())
        let dueNext = outbox.takeDue(at: Self.start)
        #expect(dueNext.map(\.id) == ["1"])
        let dueThen = outbox.takeDue(at: Self.start)
        #expect(dueThen.isEmpty)
    }

    @Test func `what is taken is forgotten, there and in the store`() {
        var outbox = outbox([Self.delivery("1")])
        store(&outbox)
        _ = outbox.takeDue(at: Self.start)
        let isDelivered = outbox.finish("1", Self.taken, at: Self.start, jitter: 0)
        #expect(isDelivered)
        let changes = outbox.takeChanges()
        #expect(changes == ["1"])
        #expect(outbox.delivery("1") == nil && outbox.pendingCount == 0)
    }

    @Test func `what fails is tried again later, then given up, then tried anew`() {
        var outbox = outbox(attempts: 2, [Self.delivery("1")])
        store(&outbox)
        _ = outbox.takeDue(at: Self.start)
        let isDelivered = outbox.finish("1", Self.busy, at: Self.start, jitter: 0)
        #expect(!isDelivered)
        let due = outbox.takeDue(at: Self.start)
        #expect(due.isEmpty)
        #expect(outbox.nextDue == Self.start.advanced(bySeconds: 0.5))
        let later = Self.start.advanced(bySeconds: 0.5)
        let dueNext = outbox.takeDue(at: later)
        #expect(dueNext.map(\.attempts) == [1])
        let isDeliveredNext = outbox.finish("1", Self.busy, at: later, jitter: 0)
        #expect(!isDeliveredNext)
        #expect(outbox.delivery("1")?.failure == "answered 503")
        #expect(outbox.deadCount == 1 && outbox.pendingCount == 0 && outbox.nextDue == nil)
        #expect(outbox.dead(after: nil, limit: 10).map(\.id) == ["1"])

        let isRetried = outbox.retry("1", at: later)
        #expect(isRetried)
        let isRetriedTwice = outbox.retry("1", at: later)
        #expect(!isRetriedTwice)
        store(&outbox)
        let dueThen = outbox.takeDue(at: later)
        #expect(dueThen.map(\.attempts) == [0])
        let isDeliveredThen = outbox.finish("1", Self.taken, at: later, jitter: 0)
        #expect(isDeliveredThen)
        #expect(outbox.deadCount == 0 && outbox.pendingCount == 0)
    }

    @Test func `an outcome that nobody waits for changes nothing`() {
        var outbox = outbox([Self.delivery("1")])
        store(&outbox)
        let isDelivered = outbox.finish("1", Self.taken, at: Self.start, jitter: 0)
        #expect(!isDelivered)
        let isDeliveredNext = outbox.finish("2", Self.taken, at: Self.start, jitter: 0)
        #expect(!isDeliveredNext)
        let changes = outbox.takeChanges()
        #expect(changes.isEmpty && outbox.pendingCount == 1)
    }

    @Test func `a host that hangs leaves room for the others, and hosts take turns`() {
        let slow = (0..<100).map { Self.delivery("slow\($0)", host: "slow.example") }
        var outbox = outbox(slow + [Self.delivery("b", host: "b.example"), Self.delivery("c", host: "c.example")])
        store(&outbox)
        let first = outbox.takeDue(at: Self.start).map(\.id)
        #expect(first.filter { $0.hasPrefix("slow") }.count == Outbox.maximumCallsPerHost)
        #expect(first.count == Outbox.maximumCallsPerHost + 2)
        #expect(first.prefix(3) == ["slow0", "b", "c"])
        let due = outbox.takeDue(at: Self.start)
        #expect(due.isEmpty)
        _ = outbox.finish("slow3", Self.taken, at: Self.start, jitter: 0)
        let dueNext = outbox.takeDue(at: Self.start)
        #expect(dueNext.map(\.id) == ["slow\(Outbox.maximumCallsPerHost)"])
    }

    @Test func `no more calls are under way than may be`() {
        var outbox = outbox((0..<200).map { Self.delivery("\($0)", host: "h\($0 % 50).example") })
        store(&outbox)
        var under = outbox.takeDue(at: Self.start).map(\.id)
        #expect(under.count == Outbox.maximumCalls)
        var delivered = 0
        while let id = under.popLast() {
            if outbox.finish(id, Self.taken, at: Self.start, jitter: 0) { delivered += 1 }
            under += outbox.takeDue(at: Self.start).map(\.id)
            #expect(under.count <= Outbox.maximumCalls)
        }
        #expect(delivered == 200 && outbox.pendingCount == 0)
    }

    @Test func `what comes on top of what may wait is given up and kept`() {
        var outbox = outbox()
        var number = 0
        while outbox.deadCount == 0 {
            outbox.add(Self.delivery("\(number)"))
            number += 1
        }
        #expect(outbox.pendingCount == number - 1 && outbox.pendingCount == Outbox.maximumPending / 2)
        #expect(outbox.delivery("\(number - 1)")?.isDead == true)
        let changes = outbox.takeChanges()
        #expect(changes.last == "\(number - 1)")
        let unstored = outbox.takeUnstored()
        #expect(!unstored.contains("\(number - 1)"))
    }

    @Test(arguments: [1, 9, 40])
    func `however many hosts hang, another one finds room`(hosts: Int) {
        var outbox = outbox()
        for number in 0..<15_000 {
            outbox.add(Self.delivery("\(number)", host: "h\(number % hosts).example"))
        }
        outbox.add(Self.delivery("honest", host: "honest.example"))
        #expect(outbox.delivery("honest")?.isDead == false)
        #expect(outbox.pendingCount <= Outbox.maximumPending)
    }

    @Test func `receivers on one machine are told apart by their ports`() {
        var outbox = outbox()
        for number in 0..<6_000 { outbox.add(Self.delivery("\(number)", host: "a.example:81")) }
        outbox.add(Self.delivery("honest", host: "a.example:82"))
        #expect(outbox.delivery("honest")?.isDead == false)
    }

    @Test func `bytes are bounded like numbers`() {
        var outbox = outbox((0..<64).map { Self.delivery("\($0)", bytes: 1024 * 1024) })
        #expect(outbox.pendingCount == 32 && outbox.deadCount == 32)
        outbox.add(Self.delivery("honest", host: "b.example", bytes: 1024 * 1024))
        #expect(outbox.delivery("honest")?.isDead == false)
    }

    @Test func `of those given up the oldest go first`() {
        var outbox = outbox()
        var dead = (0...Outbox.maximumDead).map { Self.delivery("\($0)") }
        for index in dead.indices {
            dead[index].isDead = true
            dead[index].created = Self.start.advanced(bySeconds: Double(index))
        }
        outbox.restore(dead.reversed())
        #expect(outbox.deadCount == Outbox.maximumDead)
        let changes = outbox.takeChanges()
        #expect(outbox.delivery("0") == nil && changes == ["0"])
        #expect(outbox.dead(after: "1", limit: 2).map(\.id) == ["2", "3"])
        let isDiscarded = outbox.discard("5")
        let isDiscardedTwice = outbox.discard("5")
        #expect(isDiscarded && !isDiscardedTwice)
        let changesNext = outbox.takeChanges()
        #expect(changesNext == ["5"])
    }

    @Test func `after a failure of the store both agree again`() {
        var outbox = outbox([Self.delivery("kept"), Self.delivery("gone")])
        store(&outbox)
        for delivery in outbox.takeDue(at: Self.start) {
            _ = outbox.finish(delivery.id, delivery.id == "gone" ? Self.taken : Self.busy, at: Self.start, jitter: 0)
        }
        outbox.add(Self.delivery("new"))
        _ = outbox.takeChanges()
        _ = outbox.takeUnstored()
        // None of that was committed: the store has the first two as they were, and nothing of the third.
        outbox.reconcile("kept", isKept: true)
        outbox.reconcile("gone", isKept: true)
        outbox.reconcile("new", isKept: false)
        outbox.reconcile("never", isKept: false)
        let changes = outbox.takeChanges()
        #expect(changes == ["kept", "gone"])
        #expect(outbox.delivery("kept")?.attempts == 1)
        #expect(outbox.delivery("gone") == nil && outbox.delivery("new") == nil)
    }

    @Test func `a wall clock that was set moves what waits along`() {
        var outbox = outbox([Self.delivery("1")])
        store(&outbox)
        outbox.shift(byNanoseconds: 3_600_000_000_000)
        #expect(outbox.nextDue == Self.start.advanced(bySeconds: 3_600))
        #expect(outbox.delivery("1")?.due == outbox.nextDue)
    }
}
