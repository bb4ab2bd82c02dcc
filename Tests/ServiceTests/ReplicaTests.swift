// Replicas of one board: whoever is asked, all come to the same, once.

import Base
import Board
import EventStream
import Gateway
import Labels
import Machine
import Replication
import TestSupport
import Testing
import Tween

@testable import TweencastService

@Suite struct ReplicaTests {
    private let script = ReplicaScript()
    private var one: HandReplica { script.replicas[0] }
    private var other: HandReplica { script.replicas[1] }

    @Test func `a change is answered once the log has it, and every replica applies it`() throws {
        let responder = try one.post("a", #"{"to":5,"duration":2}"#)
        #expect(responder.status == nil && one.value("a") == nil)
        one.deliver()
        try other.follow()
        #expect(other.value("a") == 5 && responder.status == nil)
        try script.settle()
        #expect(responder.status == 202 && script.replicas.allSatisfy { $0.value("a") == 5 })
        #expect(script.digests.count == 1)
    }

    @Test func `of two changes at the same revision the first in the log wins, on all replicas`() throws {
        _ = try one.post("a", #"{"to":5,"duration":2}"#)
        try script.settle()
        let revision = try #require(one.machine.engine.track(ResourceName(.ticker, "a"))?.revision)
        let late = try one.post("a", #"{"to":6,"duration":2}"#, expecting: revision)
        let early = try other.post("a", #"{"to":7,"duration":2}"#, expecting: revision)
        other.deliver()
        try script.settle()
        #expect(early.status == 202 && late.status == 412)
        #expect(script.replicas.map { $0.value("a") } == [7, 7, 7])
    }

    @Test func `a key makes a request safe to send again to any replica`() throws {
        let exchanges = try script.replicas.map { try $0.post("a", #"{"by":1,"duration":0}"#, key: "k") }
        try script.settle()
        #expect(exchanges.map(\.status) == [202, 202, 202])
        #expect(script.replicas.map { $0.value("a") } == [1, 1, 1])
        #expect(Set(exchanges.map(\.text)).count == 1)
    }

    @Test func `due work is entered into the log once, by the replica whose turn it is`() throws {
        script.meet()
        _ = try one.post("a", #"{"to":5,"duration":2,"then":[{"notify":"n"}]}"#)
        try script.settle()
        script.clock.wait(2)
        for replica in script.replicas { replica.receive() }
        // The first in the order for this instant speaks; the others wait for it to be heard.
        #expect(script.replicas.map(\.access.sentCount).reduce(0, +) == 1)
        try script.settle()
        #expect(script.replicas.allSatisfy { $0.machine.lastEvent == 2 })
        script.clock.wait(1)
        for replica in script.replicas { replica.receive() }
        #expect(script.replicas.map(\.access.sentCount) == [0, 0, 0])
    }

    @Test func `when a replica misses its turn others enter due work, and duplicates are dropped`() throws {
        script.meet()
        _ = try one.post("a", #"{"to":5,"duration":2}"#)
        try script.settle()
        script.clock.wait(2.1)
        for replica in script.replicas { replica.receive() }
        #expect(script.replicas.map(\.access.sentCount) == [1, 1, 1])
        let before = script.log.entries.count
        try script.settle()
        #expect(script.log.entries.count == before + 1)
    }

    @Test func `a batch of any replica is worked off between the others' requests`() throws {
        let batch = one.batch((0..<150).map { _ in #"{"ticker":"a","by":1,"duration":0}"# })
        let update = try other.post("b", #"{"to":1}"#)
        try script.settle()
        #expect(batch.status == 200 && update.status == 202)
        #expect(batch.text.split(separator: "\n").count == 150)
        #expect(script.replicas.map { $0.value("a") } == [150, 150, 150] && script.digests.count == 1)
    }

    @Test func `the same batch sent to two replicas at once does each line once`() throws {
        let lines = (0..<150).map { _ in #"{"ticker":"a","by":1,"duration":0}"# }
        let answers = [one.batch(lines, key: "k"), other.batch(lines, key: "k")]
        try script.settle()
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.map { $0.text.split(separator: "\n").count } == [150, 150])
        #expect(script.replicas.map { $0.value("a") } == [150, 150, 150])
    }

    @Test func `the same batch sent repeatedly to one replica executes once and has one answer`() throws {
        let lines = (0..<150).map { _ in #"{"ticker":"a","by":1,"duration":0}"# }
        let answers = (0..<3).map { _ in one.batch(lines, key: "k") }
        try script.settle()
        #expect(answers.map(\.status) == [200, 200, 200] && Set(answers.map(\.text)).count == 1)
        #expect(script.replicas.map { $0.value("a") } == [150, 150, 150])
        // Nor does it matter that the log refuses it, or that its answer is known already.
        let refused = (0..<2).map { _ in one.batch(lines, key: "k2") }
        one.receive(.log(.refused(one.access.takeSent().map(\.name), Self.away)))
        #expect(refused.map(\.status) == [503, 503])
        let known = (0..<2).map { _ in other.batch(lines, key: "k") }
        try script.settle()
        #expect(known.map(\.text) == [answers[0].text, answers[0].text])
        #expect(script.replicas.map { $0.value("a") } == [150, 150, 150])
    }

    // MARK: - Webhooks and listeners

    @Test func `webhooks are called by the steward alone, and by the next where that one has gone`() throws {
        script.meet(steward: 0)
        _ = try other.post("a", #"{"to":1,"duration":0,"then":[{"webhook":"https://a.example/x"}]}"#)
        try script.settle()
        script.replicas.forEach { $0.receive() }
        #expect(script.replicas.map(\.called) == [["wh-e-1"], [], []])
        script.meet(steward: 2)
        script.replicas.forEach { $0.receive() }
        #expect(script.replicas.map(\.called) == [["wh-e-1"], [], ["wh-e-1"]])
        // Both tell how it ended: it counts once.
        for replica in [script.replicas[2], one] {
            replica.receive(.webhookEnded("wh-e-1", .answered(status: 503, retryAfter: nil)))
        }
        try script.settle()
        #expect(script.replicas.allSatisfy { $0.machine.outbox.delivery("wh-e-1")?.attempts == 1 })
    }

    @Test func `a steward calls webhooks read during a log outage once the log is back`() throws {
        script.meet(steward: 0)
        one.receive(.log(.lost(LogFailure(.full, "OOM"))))
        _ = try other.post("a", #"{"to":1,"duration":0,"then":[{"webhook":"https://a.example/x"}]}"#)
        try script.settle()
        one.receive()
        #expect(one.called == [])
        one.receive(.log(.taken(upTo: 1, session: 1)))
        #expect(one.called == ["wh-e-1"])
    }

    @Test func `a reader ahead of this replica waits until the replica has caught up`() throws {
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "a"))
        let request = StreamRequest(
            parts: StreamParts(TopicSelection([pattern]), .json), lastEventID: "e-1")
        let responder = NotedExchange()
        one.receive(.asked(.query(.stream(request), responder)))
        #expect(responder.stream == nil)
        _ = try other.post("a", #"{"to":1,"duration":0}"#)
        other.deliver()
        one.hearHead()
        #expect(responder.stream == nil)
        try script.settle()
        #expect(responder.stream != nil)
        // An id that the log lacks, too, is waited for no longer.
        let unknown = NotedExchange()
        var further = request
        further.lastEventID = "e-99"
        one.receive(.asked(.query(.stream(further), unknown)))
        one.hearHead()
        #expect(unknown.stream != nil)
    }

    @Test func `a replica that has gone no longer counts as a subscriber`() throws {
        script.meet()
        _ = try one.post("a", #"{"to":1,"duration":0,"ttl":5}"#)
        try script.settle()
        one.node.core.machine.setWatched(true, slot: 0, at: script.clock.now)
        one.receive()
        try script.settle()
        script.clock.wait(60)
        for replica in script.replicas { replica.receive() }
        try script.settle()
        #expect(script.replicas.allSatisfy { $0.value("a") == 1 })
        script.meet(steward: 1, gone: ["r0"])
        try script.settle(without: one)
        script.clock.wait(2)
        // It comes back in time, and says that somebody still listens.
        try script.settle()
        script.clock.wait(60)
        for replica in script.replicas { replica.receive() }
        try script.settle()
        #expect(script.replicas.allSatisfy { $0.value("a") == 1 })
        // Or it doesn't.
        script.meet(steward: 1, gone: ["r0"])
        try script.settle(without: one)
        script.clock.wait(6)
        for replica in script.replicas.dropFirst() { replica.receive() }
        try script.settle(without: one)
        #expect(script.replicas.dropFirst().allSatisfy { $0.value("a") == nil })
    }

    // MARK: - Faults

    private static let away = LogFailure(.away, "nobody answers")

    @Test func `while the log is away changes get 503 at once, and are taken again when it is back`() throws {
        one.receive(.log(.lost(Self.away)))
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        #expect(one.access.sentCount == 0 && one.node.logClient.unreadiness != nil)
        one.receive(.log(.taken(upTo: 0, session: 1)))
        let responder = try one.post("a", #"{"to":5}"#)
        #expect(one.access.session == 1)
        try script.settle()
        #expect(responder.status == 202 && one.node.logClient.unreadiness == nil)
    }

    @Test func `requests in flight when the log goes away are answered by what the log has of them`() throws {
        let kept = try one.post("a", #"{"by":1,"duration":0}"#)
        one.deliver()
        let lost = try one.post("a", #"{"by":1,"duration":0}"#)
        _ = one.access.takeSent()
        one.receive(.log(.lost(Self.away)))
        #expect(kept.status == nil && lost.status == nil)
        one.receive(.log(.taken(upTo: 1, session: 1)))
        #expect(lost.status == nil)
        try one.follow()
        #expect(kept.status == 202 && lost.status == 503)
        #expect(lost.text.contains("nothing was changed"))
    }

    @Test func `a request that waits too long for the log is answered with not known`() throws {
        let responder = try one.post("a", #"{"by":1,"duration":0}"#)
        script.clock.wait(PendingEntries.timeout)
        one.receive()
        #expect(responder.status == 503 && responder.text.contains("not known"))
        // It may still come to pass.
        try script.settle()
        #expect(one.value("a") == 1)
    }

    @Test func `an entry that the log refuses changes nothing and gets 503`() throws {
        let responder = try one.post("a", #"{"by":1,"duration":0}"#)
        let names = one.access.takeSent().map(\.name)
        one.receive(.log(.refused(names, LogFailure(.full, "OOM"))))
        #expect(responder.status == 503 && responder.header("Retry-After") != nil)
        try script.settle()
        #expect(one.value("a") == nil)
    }

    @Test func `a replica that misses entries reloads the board, and its waiting requests get 503`()
        throws
    {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        let waiting = try one.post("b", #"{"by":1,"duration":0}"#)
        for _ in 0..<3 {
            _ = try other.post("a", #"{"by":1,"duration":0}"#)
            other.deliver()
        }
        one.skip(1)
        try one.follow()
        #expect(one.access.reloads == 1 && one.value("a") == 1)
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        try other.follow()
        one.receive(.log(.loaded(other.loaded())))
        #expect(one.value("a") == 4 && one.node.logClient.unreadiness == nil)
        #expect(waiting.status == 503)
    }

    @Test func `entries in another version's format stop a replica, which goes on serving what it has`() throws {
        _ = try one.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        one.receive(.log(.unreadable(.anotherFormat(9))))
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        #expect(one.value("a") == 1 && one.node.logClient.unreadiness?.contains("format 9") == true)
        #expect(one.access.lastReport?.isFollowing == false)
        // That its connection was lost and found again changes nothing of that.
        one.receive(.log(.lost(LogFailure(.away, "gone"))), .log(.taken(upTo: 1, session: 2)))
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        #expect(one.node.logClient.unreadiness?.contains("format 9") == true)
    }

    @Test func `a replica without the log's time zone version stops until it has it`() throws {
        _ = try one.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        one.receive(.log(.unreadable(.zones("2026b"))))
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        #expect(one.node.logClient.unreadiness?.contains("time zones of 2026b") == true)
        #expect(one.access.lastReport?.isFollowing == false)
        one.receive(.zones(HandZones("2026a", hours: -8)))
        #expect(one.access.reloads == 0 && one.node.logClient.unreadiness?.contains("2026b") == true)
        one.receive(.zones(HandZones("2026b", hours: -7)))
        #expect(one.access.reloads == 1)
        try other.follow()
        one.receive(.log(.loaded(other.loaded())))
        #expect(one.node.logClient.unreadiness == nil)
    }

    @Test(arguments: [nil, "2026a", "2026b"] as [String?])
    func `time zones count as changed only if the board had another version before`(before: String?) {
        #expect(ReplicaNode.isChange(from: before, to: "2026b") == (before == "2026a"))
    }

    @Test func `readiness tells why the board can't be loaded until it is`() throws {
        one.node.logClient.reload(because: .gap, in: "e")
        #expect(one.node.logClient.unreadiness == "the board is being loaded")
        one.receive(.log(.loadFailed(LogFailure(.away, "entry 7 of the log can't be followed"))))
        #expect(one.node.logClient.unreadiness?.contains("can't load the board") == true)
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
        one.receive(.log(.loaded(other.loaded())))
        #expect(one.node.logClient.unreadiness == nil)
        // What is told late is told of what is past.
        one.receive(.log(.loadFailed(LogFailure(.away, "entry 7 of the log can't be followed"))))
        #expect(one.node.logClient.unreadiness == nil)
    }

    @Test(arguments: [
        (LogFailure.Code.away, "unreachable"), (.full, "no room"), (.gone, "no longer has this board"),
        (.refused, "refuses"),
    ])
    func `readiness tells why the log takes no changes`(code: LogFailure.Code, word: String) throws {
        one.receive(.log(.lost(LogFailure(code, "because"))))
        #expect(one.node.logClient.unreadiness?.contains(word) == true)
        #expect(try one.post("a", #"{"to":5}"#).status == 503)
    }

    @Test func `a replica whose digest differs from the others reloads the board`() throws {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        for _ in 0..<DivergenceDetector.interval { script.log.append(.turn([])) }
        try script.settle()
        script.meet()
        #expect(script.replicas.map(\.access.reloads) == [0, 0, 0])
        // It loses what no entry takes away.
        one.node.core.machine = ReplicaScript(1).replicas[0].machine
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        for _ in 0..<DivergenceDetector.interval { script.log.append(.turn([])) }
        try script.settle()
        script.meet()
        #expect(script.replicas.map(\.access.reloads) == [1, 0, 0])
    }

    @Test func `where the log has lost entries events begin a new epoch`() throws {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        var membership = Membership()
        membership.head = one.node.position
        (membership.reported, membership.reportedEntry) = (1, one.node.position.name)
        one.receive(.log(.members(membership)))
        #expect(one.access.reloads == 0)
        membership.head.sequence = 0
        one.receive(.log(.members(membership)))
        #expect(one.access.reloads == 1)
        let emptied = ReplicaScript(1).replicas[0]
        one.receive(.log(.loaded(emptied.loaded())))
        // It says where it is, and what is still told of where it was is not taken for another loss.
        #expect(one.access.lastReport?.sequence == 0)
        one.receive(.log(.members(membership)))
        #expect(one.access.reloads == 1)
        one.receive(.log(.loaded(other.loaded())))
        try script.settle()
        let epochs = Set(script.replicas.map(\.machine.epoch))
        #expect(epochs.count == 1 && epochs.first != "e")
        #expect(script.replicas.allSatisfy { $0.machine.lastEvent == 1 })
    }

    @Test func `a replica whose digest differs from a replay of the log reloads the board`() throws {
        for _ in 0..<DivergenceDetector.interval { script.log.append(.turn([])) }
        try script.settle()
        let digest = one.node.digest.value
        let checkpoint = DigestCheckpoint(sequence: DivergenceDetector.interval, digest: digest)
        one.receive(.log(.snapshot(checkpoint)))
        #expect(one.access.reloads == 0)
        one.receive(.log(.snapshot(DigestCheckpoint(sequence: DivergenceDetector.interval, digest: digest &+ 1))))
        #expect(one.access.reloads == 1)
    }

    @Test func `warnings about the log's server are part of readiness`() {
        let responder = NotedExchange()
        one.receive(.log(.warnings(["set appendonly yes"])))
        one.receive(.asked(.query(.readiness(withWarnings: true), responder)))
        #expect(responder.status == 200 && responder.text == #"{"ready":true,"warnings":["set appendonly yes"]}"#)
    }

    @Test func `limits are those of whoever started last`() throws {
        var settings = MachineSettings()
        settings.boardBytes = 1
        script.log.append(.settings(settings))
        try script.settle()
        let responder = try other.post("a", #"{"to":5}"#)
        try script.settle()
        #expect(responder.status == 507)
    }

    @Test func `the steward resets a log clock that runs ahead`() throws {
        var membership = Membership()
        membership.clockLead = 5
        one.receive(.log(.members(membership)))
        #expect(one.access.clockResets == 0)
        membership.stewardUntil = .max
        one.receive(.log(.members(membership)))
        #expect(one.access.clockResets == 1)
    }
}
