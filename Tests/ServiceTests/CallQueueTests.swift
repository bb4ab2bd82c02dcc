// Which webhooks are called when: none hogs the way, none is called twice at a time.

import Base
import Board
import Testing
import Tween

@testable import Machine
@testable import TweencastService

@Suite struct CallQueueTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// - Parameter created: Seconds by which it is younger than others that are due at the same instant.
    private static func delivery(
        _ id: String, host: String = "a.example", due seconds: Double = 0, created: Double = 0
    ) -> Delivery {
        var delivery = Delivery(
            id: id, url: "https://\(host)/x", body: [], by: ResourceName(.ticker, "t"),
            created: start.advanced(bySeconds: created))
        delivery.due = start.advanced(bySeconds: seconds)
        return delivery
    }

    /// A queue that calls what waits in an outbox.
    private struct Calls {
        var outbox = Outbox(retries: RetryPlan()) { String($0.split(separator: "/")[1]) }
        var queue = CallQueue()

        init(_ deliveries: [Delivery]) {
            outbox.restore(deliveries)
            queue.start(outbox)
        }

        mutating func takeDue(at now: Instant) -> [String] {
            queue.dequeueDue(at: now, from: outbox, monotonic: { 0 }).map(\.id)
        }

        /// A call has ended: the receiver has taken it, or it is to be called again a second later.
        mutating func end(_ id: String, isTaken: Bool = true) {
            _ = queue.end(id, monotonic: 0)
            let attempt = (outbox.delivery(id)?.attempts ?? 0) + 1
            _ = outbox.finish(
                id, attempt: attempt, .answered(status: isTaken ? 204 : 503, retryAfter: nil), at: start, jitter: 0)
            queue.update([id], in: outbox)
        }
    }

    @Test func `a webhook is called when it is due, and never twice at a time`() {
        var calls = Calls([Self.delivery("1", due: 2)])
        #expect(calls.queue.nextDue == Self.start.advanced(bySeconds: 2))
        let early = calls.takeDue(at: Self.start)
        #expect(early.isEmpty)
        let due = calls.takeDue(at: Self.start.advanced(bySeconds: 2))
        #expect(due == ["1"])
        // It is told of again while it is under way.
        calls.queue.update(["1"], in: calls.outbox)
        let again = calls.takeDue(at: Self.start.advanced(bySeconds: 3))
        #expect(again.isEmpty && calls.queue.nextDue == nil)
        calls.end("1", isTaken: false)
        let later = calls.takeDue(at: Self.start.advanced(bySeconds: 4))
        #expect(later == ["1"])
    }

    @Test func `a webhook in flight while calling stops and starts is not called twice`() {
        var calls = Calls((0..<80).map { Self.delivery("\($0)", host: "\($0 % 20).example", created: Double($0)) })
        let first = calls.takeDue(at: Self.start)
        #expect(first.count == CallQueue.maximumCalls)
        calls.queue.stop()
        #expect(calls.takeDue(at: Self.start).isEmpty)
        calls.queue.start(calls.outbox)
        #expect(calls.takeDue(at: Self.start).isEmpty && calls.queue.callCount == CallQueue.maximumCalls)
        for id in first { calls.end(id) }
        let rest = calls.takeDue(at: Self.start)
        #expect(Set(rest + first).count == 80 && calls.queue.callCount == 16)
    }

    @Test func `a host that hangs leaves room for the others, and hosts take turns`() {
        let slow = (0..<100).map { Self.delivery("slow\($0)", host: "slow.example", created: Double($0)) }
        let others = [
            Self.delivery("b", host: "b.example", created: 100), Self.delivery("c", host: "c.example", created: 101),
        ]
        var calls = Calls(slow + others)
        let first = calls.takeDue(at: Self.start)
        #expect(first.count { $0.hasPrefix("slow") } == CallQueue.maximumCallsPerHost)
        #expect(first.count == CallQueue.maximumCallsPerHost + 2)
        #expect(first.prefix(3) == ["slow0", "b", "c"])
        let due = calls.takeDue(at: Self.start)
        #expect(due.isEmpty)
        calls.end("slow3")
        let dueNext = calls.takeDue(at: Self.start)
        #expect(dueNext == ["slow\(CallQueue.maximumCallsPerHost)"])
    }

    @Test func `webhook calls in flight never exceed the maximum`() {
        var calls = Calls((0..<200).map { Self.delivery("\($0)", host: "h\($0 % 50).example") })
        var underWay = calls.takeDue(at: Self.start)
        #expect(underWay.count == CallQueue.maximumCalls)
        var ended = 0
        while let id = underWay.popLast() {
            calls.end(id)
            ended += 1
            underWay += calls.takeDue(at: Self.start)
            #expect(underWay.count <= CallQueue.maximumCalls)
        }
        #expect(ended == 200)
    }

    @Test func `a withdrawn webhook is not called, whether it waits for its time or for room`() {
        let crowd = (0...CallQueue.maximumCallsPerHost).map { Self.delivery("\($0)", created: Double($0)) }
        var calls = Calls(crowd + [Self.delivery("later", due: 1, created: 100)])
        let last = crowd.last?.id ?? ""
        let due = calls.takeDue(at: Self.start)
        #expect(!due.contains(last))
        for id in [last, "later", "0"] { calls.outbox.reconcile(id, isKept: false) }
        // One under way keeps its room until it has ended.
        calls.queue.update([last, "later", "0"], in: calls.outbox)
        #expect(calls.queue.callCount == due.count)
        for id in due { calls.end(id) }
        let rest = calls.takeDue(at: Self.start.advanced(bySeconds: 2))
        #expect(rest.isEmpty && calls.queue.nextDue == nil && calls.queue.callCount == 0)
    }

    @Test func `a stopped call queue forgets waiting webhooks, and takes them up when it starts again`() {
        var calls = Calls([Self.delivery("1"), Self.delivery("2", due: 1)])
        let due = calls.takeDue(at: Self.start)
        #expect(due == ["1"])
        calls.queue.stop()
        calls.queue.update(["2"], in: calls.outbox)
        let none = calls.takeDue(at: Self.start.advanced(bySeconds: 1))
        #expect(none.isEmpty && calls.queue.nextDue == nil && calls.queue.callCount == 1)
        // How long the call took is still known.
        let took = calls.queue.end("1", monotonic: 7)
        #expect(took == 7)
        calls.queue.start(calls.outbox)
        let all = calls.takeDue(at: Self.start.advanced(bySeconds: 1))
        #expect(all == ["1", "2"])
    }

    @Test func `setting the clock shifts the due times of waiting webhooks`() {
        var calls = Calls([Self.delivery("1")])
        calls.queue.shift(byNanoseconds: 3_600_000_000_000)
        #expect(calls.queue.nextDue == Self.start.advanced(bySeconds: 3_600))
    }
}
