// The order in which the tick thread works: a tick shows nothing that came behind it.

import OperatingSystem
import Synchronization
import TestSupport
import Testing
import Tween

@testable import TweencastService

/// Notes what it is driven to, and has the next message come as soon as one is taken.
private final class RecordingNode: TickDriven {
    enum Step: Hashable {
        case receive(Instant)
        case tick(Int64)
        case send(Instant)
    }

    private let inbox: Mailbox<Message>
    private let noted: Noted
    private var random = SeededRandom(seed: 7)
    private(set) var wantsTick = false
    let isBusy = false
    let isCutShort = false
    let nextDue: Instant? = nil
    let waitsForDate = false

    init(_ inbox: Mailbox<Message>, _ noted: Noted) {
        self.inbox = inbox
        self.noted = noted
    }

    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {}

    func runTurn(with messages: ArraySlice<Message>, at now: Instant) -> Int {
        noted.add(.receive(now))
        if !wantsTick { wantsTick = Int.random(in: 0..<200, using: &random) == 0 }
        _ = inbox.post(.reviewPermits)
        return messages.count
    }

    func tick(_ number: Int64, isLate: Bool) {
        noted.add(.tick(number))
        wantsTick = Bool.random(using: &random)
    }

    func sendEvents(at now: Instant) { noted.add(.send(now)) }

    func finish(_ now: () -> Instant) {}
}

private final class Noted: Sendable {
    private let noted = Mutex<[RecordingNode.Step]>([])

    func add(_ step: RecordingNode.Step) { noted.withLock { $0.append(step) } }
    var steps: [RecordingNode.Step] { noted.withLock { $0 } }
    var ticks: Int { steps.count { if case .tick = $0 { true } else { false } } }
}

@Suite struct TickLoopTests {
    @Test func `no tick precedes a message received before it, and events are sent without ticks`()
        throws
    {
        let (clock, inbox, noted) = (ServiceClock(tickRate: 1_000), Mailbox<Message>(capacity: 100), Noted())
        let driver = TickDriver(RecordingNode(inbox, noted), clock: clock, watch: TickWatch(limit: 60))
        let loop = TickLoop(driver, inbox: inbox)
        #expect(inbox.post(.reviewPermits) && loop.start())
        try eventually("300 ticks", within: 60) { noted.ticks >= 300 }
        inbox.close()
        loop.join()
        var received = Instant(nanoseconds: 0)
        var (newest, sent) = (Int64.min, 0)
        for step in noted.steps {
            switch step {
            case .receive(let now): received = now
            case .tick(let number):
                #expect(clock.instant(tick: number) >= received && number > newest)
                newest = number
            case .send(let now):
                // Once a tick's time at most, and never beside a tick.
                #expect(now == received && clock.tick(of: now) > newest)
                newest = clock.tick(of: now)
                sent += 1
            }
        }
        #expect(sent > 0)
    }
}
