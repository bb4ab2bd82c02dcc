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

    @Test func `with two processes on one address a read sees what either has answered`() throws {
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

    @Test func `a read does not wait for a log that is away, nor beyond its timeout`() throws {
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

    @Test func `a stream's greeting has rising stamps, none later than the next tick`() throws {
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

    @Test func `stamps never go back, however late an entry reaches a replica that has greeted a stream`() throws {
        _ = try other.post("a", #"{"to":1,"duration":0}"#)
        try script.settle()
        script.clock.wait(1)
        _ = try other.post("a", #"{"to":2,"duration":0}"#)
        other.deliver()
        script.clock.wait(0.06)
        let stamps = { (text: String) in text.matches(of: /"t":(\d+)/).compactMap { Int64($0.1) } }
        let greeted = stamps(one.greeting(Variant(text: false, stamp: true)))
        try one.follow()
        let later = stamps(one.sentToAll())
        #expect(greeted.count == 1 && !later.isEmpty)
        #expect(greeted + later == (greeted + later).sorted())
    }

    @Test(arguments: [false, true])
    func `a replica behind a reader's Last-Event-ID ends the stream with bye and reason behind`(isAway: Bool) throws {
        for _ in 0..<2 {
            _ = try other.post("a", #"{"by":1,"duration":0}"#)
            try script.settle(without: one)
            script.clock.wait(1)
        }
        if isAway { one.receive(.log(.lost(LogFailure(.away, "nobody answers")))) }
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "a"))
        let request = StreamRequest(parts: StreamParts(TopicSelection([pattern]), .json), lastEventID: "e-2")
        let responder = NotedExchange()
        one.receive(.asked(.query(.stream(request), responder)))
        #expect(responder.status == nil && responder.stream == nil)
        script.clock.wait(HeldReads.timeout)
        one.receive()
        #expect(responder.stream == nil && responder.status == 200)
        #expect(responder.text.contains("event: bye\n") && responder.text.contains(#"{"reason":"behind"}"#))
        let retry = responder.text.firstMatch(of: /retry: (\d+)/).flatMap { Int($0.1) }
        #expect((1_000..<4_000).contains(retry ?? 0))
        #expect(!responder.text.contains("\nid:") && !responder.text.contains("event: reset"))
        // It comes back when the log has.
        if isAway { one.receive(.log(.taken(upTo: 2, session: 1))) }
        try one.follow()
        let again = NotedExchange()
        one.receive(.asked(.query(.stream(request), again)))
        #expect(again.stream != nil)
        #expect(!one.greeting(after: "e-2").contains("event: reset"))
    }

    @Test func `a reader with an id of an epoch that a halted replica has not reached is told bye, not reset`() throws {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle(without: one)
        script.log.append(.epoch("f", lossOf: nil))
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle(without: one)
        #expect(other.machine.epoch == "f")
        one.receive(.log(.lost(LogFailure(.away, "an entry is damaged"))))
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "a"))
        let id = "f-\(other.machine.lastEvent)"
        let request = StreamRequest(parts: StreamParts(TopicSelection([pattern]), .json), lastEventID: id)
        let responder = NotedExchange()
        one.receive(.asked(.query(.stream(request), responder)))
        script.clock.wait(HeldReads.timeout)
        one.receive()
        #expect(responder.stream == nil && responder.text.contains(#"{"reason":"behind"}"#))
        #expect(!responder.text.contains("event: reset"))
    }
}
