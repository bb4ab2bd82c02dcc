// Which webhooks are called when: none hogs the way, none is called twice at a time.

import Base
import Board
import Testing
import Tween

@testable import TweencastService

@Suite struct CallQueueTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    private static func delivery(_ id: String, host: String = "a.example", due seconds: Double = 0) -> Delivery {
        var delivery = Delivery(
            id: id, url: "https://\(host)/x", body: [], by: ResourceName(.ticker, "t"), created: start)
        delivery.due = start.advanced(bySeconds: seconds)
        return delivery
    }

    private func queue(_ deliveries: [Delivery]) -> CallQueue {
        var queue = CallQueue { String($0.split(separator: "/")[1]) }
        for delivery in deliveries { queue.set(delivery) }
        return queue
    }

    @Test func `one is called when it is due, and once at a time`() {
        var queue = queue([Self.delivery("1", due: 2)])
        #expect(queue.nextDue == Self.start.advanced(bySeconds: 2))
        let early = queue.takeDue(at: Self.start)
        #expect(early.isEmpty)
        let due = queue.takeDue(at: Self.start.advanced(bySeconds: 2))
        #expect(due == ["1"])
        // It is told of again while it is under way.
        queue.set(Self.delivery("1"))
        let again = queue.takeDue(at: Self.start.advanced(bySeconds: 3))
        #expect(again.isEmpty && queue.nextDue == nil)
        queue.end("1")
        queue.set(Self.delivery("1", due: 4))
        let later = queue.takeDue(at: Self.start.advanced(bySeconds: 4))
        #expect(later == ["1"])
    }

    @Test func `a host that hangs leaves room for the others, and hosts take turns`() {
        let slow = (0..<100).map { Self.delivery("slow\($0)", host: "slow.example") }
        var queue = queue(slow + [Self.delivery("b", host: "b.example"), Self.delivery("c", host: "c.example")])
        let first = queue.takeDue(at: Self.start)
        #expect(first.count { $0.hasPrefix("slow") } == CallQueue.maximumCallsPerHost)
        #expect(first.count == CallQueue.maximumCallsPerHost + 2)
        #expect(first.prefix(3) == ["slow0", "b", "c"])
        let due = queue.takeDue(at: Self.start)
        #expect(due.isEmpty)
        queue.end("slow3")
        let dueNext = queue.takeDue(at: Self.start)
        #expect(dueNext == ["slow\(CallQueue.maximumCallsPerHost)"])
    }

    @Test func `no more calls are under way than may be`() {
        var queue = queue((0..<200).map { Self.delivery("\($0)", host: "h\($0 % 50).example") })
        var underWay = queue.takeDue(at: Self.start)
        #expect(underWay.count == CallQueue.maximumCalls)
        var ended = 0
        while let id = underWay.popLast() {
            queue.end(id)
            ended += 1
            underWay += queue.takeDue(at: Self.start)
            #expect(underWay.count <= CallQueue.maximumCalls)
        }
        #expect(ended == 200)
    }

    @Test func `what is withdrawn is not called, whether it waits or has no room yet`() {
        let crowd = (0...CallQueue.maximumCallsPerHost).map { Self.delivery("\($0)") }
        var queue = queue(crowd + [Self.delivery("later", due: 1)])
        let last = crowd.last?.id ?? ""
        let due = queue.takeDue(at: Self.start)
        #expect(!due.contains(last))
        queue.withdraw(last)
        queue.withdraw("later")
        // One under way keeps its room until it has ended.
        queue.withdraw("0")
        for id in due { queue.end(id) }
        let rest = queue.takeDue(at: Self.start.advanced(bySeconds: 2))
        #expect(rest.isEmpty && queue.nextDue == nil)
    }

    @Test func `a wall clock that was set moves what waits along`() {
        var queue = queue([Self.delivery("1")])
        queue.shift(byNanoseconds: 3_600_000_000_000)
        #expect(queue.nextDue == Self.start.advanced(bySeconds: 3_600))
    }
}
