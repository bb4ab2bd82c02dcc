// What a replica shows, and as of when.

import Base
import Board
import Gateway
import Labels
import Machine
import RecurrenceRules
import Replication
import TestSupport
import Testing
import Tween
import Wire

@testable import EventStream
@testable import TweencastService

@Suite struct ReplicaReadsTests {
    private let script = ReplicaScript()
    private var one: HandReplica { script.replicas[0] }
    private var other: HandReplica { script.replicas[1] }

    @Test func `where two processes serve one address whoever looks finds what was answered at either`() throws {
        let responder = try other.post("a", #"{"to":5,"duration":0}"#)
        other.deliver()
        try other.follow()
        #expect(responder.status == 202)
        one.sharesAddress = true
        let looks = [one.look(at: "a"), one.look(at: "b")]
        one.hearHead()
        #expect(looks.map(\.status) == [nil, nil])
        try one.follow()
        #expect(looks.map(\.status) == [200, 404])
        // One that has come as far waits for the answer alone.
        let next = one.look(at: "a")
        #expect(next.status == nil)
        one.hearHead()
        #expect(next.status == 200)
        one.sharesAddress = false
        #expect(one.look(at: "a").status == 200)
    }

    @Test func `nobody who looks waits for a log that is away, nor for longer than that is worth`() throws {
        one.sharesAddress = true
        let away = one.look(at: "a")
        one.receive(.log(.lost(LogFailure(.away, "gone"))))
        #expect(away.status == 404 && one.look(at: "a").status == 404)
        one.receive(.log(.taken(upTo: 0, session: 1)))
        let late = one.look(at: "a")
        script.clock.wait(HeldReads.timeout)
        one.receive()
        #expect(late.status == 404)
        // How the server is is told at once.
        let readiness = NotedExchange()
        one.receive(.asked(.query(.readiness(withWarnings: false), readiness)))
        #expect(readiness.status == 200)
    }

    @Test func `what a stream begins with is of no time after the next tick, and time goes on within it`() throws {
        let json = Array(#"{"in":500,"do":[{"notify":"n"}]}"#.utf8)
        let definition = try ScheduleDecoder.definition(json, rules: NoCalendar()).definition
        let schedule = Command.schedule(ResourceName(.schedule, "s"), definition)
        script.log.append(.turn([.command(CommandRequest(schedule, as: .noContent))]))
        for id in ["a", "b"] { _ = try one.post(id, #"{"to":100,"duration":100}"#) }
        try script.settle()
        // Between a tick and when it is made: that of the others' entries before it may still come.
        let period = one.time.period
        let tick = script.clock.now.nanoseconds / period + 5
        script.clock.set(Instant(nanoseconds: tick * period + ServiceClock.latencyOfLog / 2))
        let stamps = one.greeting(Variant(text: false, stamp: true)).matches(of: /"t":(\d+)/).compactMap { Int64($0.1) }
        #expect(stamps.count == 3 && stamps == stamps.sorted())
        #expect(try #require(stamps.last) <= tick * period)
    }
}
