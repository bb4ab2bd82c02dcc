// The wall clock is set while streams are told something by the clock: it goes on as if nothing had happened.

import Base
import Board
import Machine
import Publishing
import Storage
import TestSupport
import Testing
import Tween

@testable import EventStream
@testable import Persistence
@testable import TweencastService

@Suite struct ClockSetTests {
    private let script = NodeScript()
    private let hour: Int64 = 3_600_000_000_000

    private func open(_ slots: some Sequence<UInt32>, isSelfTest: Bool) {
        for slot in slots {
            let request = StreamRequest(parts: StreamParts(TopicSelection([]), .json), isSelfTest: isSelfTest)
            script.receive(.open(OpenedStream(request), StreamID(loop: 0, slot: slot, generation: 0)))
        }
        _ = messages()
    }

    private func messages() -> [ShardMessage] {
        script.node.tick(script.node.core.parts.clock.tick(of: script.now), isLate: false)
        var messages: [ShardMessage] = []
        script.inbox.receive(into: &messages)
        return messages
    }

    /// What streams are told in ten seconds, a turn and a tick each tenth.
    private func tenSeconds() -> (told: Int, ended: Int) {
        var (told, ended) = (0, 0)
        for _ in 0..<100 {
            script.now = script.now.advanced(bySeconds: 0.1)
            script.turn()
            for message in messages() {
                if case .tell = message { told += 1 }
                if case .end = message { ended += 1 }
            }
        }
        return (told, ended)
    }

    private func setClock(by nanoseconds: Int64) {
        script.now = script.now.advanced(byNanoseconds: nanoseconds)
        script.node.shiftTimeline(byNanoseconds: nanoseconds, at: script.now)
    }

    @Test(arguments: [Int64(-1), 1])
    func `a stream's self test runs to its end when the clock is set`(direction: Int64) {
        open([0], isSelfTest: true)
        setClock(by: direction * hour)
        let counts = tenSeconds()
        // All but the first piece and the last, and a heartbeat before every tenth.
        #expect(counts.told == 48 + 4 && counts.ended == 1)
    }

    @Test(arguments: [Int64(-1), 1])
    func `a draining server ends all streams when the clock is set`(direction: Int64) {
        open(0..<200, isSelfTest: false)
        script.receive(.drain)
        setClock(by: direction * hour)
        #expect(tenSeconds().ended == 200)
    }

    /// A motion that is stored, and another one that is not.
    private func loseMotion() throws {
        _ = try script.post("a", #"{"to":10,"duration":100}"#)
        // From here on the store has a reading of the clock.
        setClock(by: 1)
        script.turn()
        script.store.settle()
        script.takePosted()
        _ = try script.post("a", #"{"to":20,"duration":100}"#)
    }

    private func expectStoredMotion() throws {
        #expect(script.target("a") == 10)
        let due = try #require(script.node.nextDue)
        #expect((0...100).contains(due.seconds(since: script.now)))
    }

    @Test(arguments: [Int64(-1), 1])
    func `a motion restored after a store failure continues although the clock was set before it`(direction: Int64)
        throws
    {
        try loseMotion()
        setClock(by: direction * hour)
        script.turn()
        script.loseStore()
        script.recoverStore()
        try expectStoredMotion()
    }

    @Test(arguments: [Int64(-1), 1])
    func `a motion restored after a store outage continues although the clock was set during it`(direction: Int64)
        throws
    {
        try loseMotion()
        script.loseStore()
        // The store is asked what it has in the turn before this one.
        setClock(by: direction * hour)
        script.turn()
        script.store.finishRecovery()
        script.takePosted()
        script.store.settle()
        script.takePosted()
        try expectStoredMotion()
    }

    @Test(arguments: [Int64(-1), 1])
    func `a stop during a store outage leaves the clock reading by which the board was stored`(direction: Int64)
        throws
    {
        try loseMotion()
        setClock(by: direction * hour)
        script.turn()
        script.loseStore()
        // The store works again when it is asked, which nobody hears of any more.
        script.node.finish { script.now }
        script.store.finishRecovery()
        script.store.settle()
        #expect(try storedShift() == 1)
    }

    /// How much the clock had been set in all, by the store.
    private func storedShift() throws -> Int64 {
        let record = try #require(script.store.record(RecordName(.setting, "clock")))
        return try StoreClock.read(record).shift
    }

    @Test(arguments: [Int64(-1), 1])
    func `a clock set while the store is asked what it has is stored only with the restored board`(direction: Int64)
        throws
    {
        try loseMotion()
        script.loseStore()
        setClock(by: direction * hour)
        script.turn()
        script.store.finishRecovery()
        script.store.settle()
        #expect(try storedShift() == 1)
        script.takePosted()
        // The store fails once more, and asked again it tells of the same motion.
        script.loseStore()
        script.now = script.now.advanced(bySeconds: 2)
        script.turn()
        script.recoverStore()
        try expectStoredMotion()
        #expect(try storedShift() == 1 + direction * hour)
    }

    @Test func `a change handled together with the news of a store failure is not stored`() throws {
        _ = try script.post("a", #"{"to":10,"duration":100}"#)
        script.store.settle()
        script.takePosted()
        _ = try script.post("a", #"{"to":20,"duration":100}"#)
        script.store.settle(failing: StoreError(.full, "no room"))
        let late = try script.post("a", #"{"by":5,"duration":100}"#, beforePosted: true)
        script.store.finishRecovery()
        script.recoverStore()
        #expect(late.status == 507 && script.target("a") == 10)
    }

    @Test func `what a start moves with the clock is stored together with the reading of the clock`() throws {
        _ = try script.post("a", #"{"to":10,"duration":100}"#)
        script.store.settle()
        script.takePosted()
        let motion = RecordName(.resource(.ticker), "a")
        let stored = script.store.record(motion)
        script.node.core.machine.shift(byNanoseconds: hour, at: script.now.advanced(byNanoseconds: hour))
        script.now = script.now.advanced(byNanoseconds: hour)
        script.node.begin(at: script.now)
        script.store.settle(1)
        #expect(try storedShift() == hour)
        #expect(script.store.record(motion)?.body != stored?.body)
    }
}
