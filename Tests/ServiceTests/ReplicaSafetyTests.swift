// Answers that wait until the log's store has what they say.

import Base
import Replication
import TestSupport
import Testing

@testable import TweencastService

@Suite struct ReplicaSafetyTests {
    private let script = ReplicaScript(isHolding: true)

    @Test func `an answer waits until its log entry is safe, or says not known after the timeout`() throws {
        let replica = script.replicas[0]
        let (first, second) = (try replica.post("a", #"{"to":1}"#), try replica.post("b", #"{"to":1}"#))
        try script.settle()
        #expect(first.status == nil && second.status == nil)
        replica.receive(.log(.safe(upTo: replica.node.position.name)))
        #expect(first.status == 202 && second.status == 202)
        let third = try replica.post("c", #"{"to":1}"#)
        try script.settle()
        script.clock.wait(PendingEntries.timeout)
        replica.receive()
        #expect(third.status == 503 && third.text.contains("not known"))
    }

    @Test func `an answer waits for the safety of its own entry, not of later ones`() throws {
        let (replica, other) = (script.replicas[0], script.replicas[1])
        let (answer, later) = (try replica.post("a", #"{"to":1}"#), try other.post("b", #"{"to":1}"#))
        replica.deliver()
        other.deliver()
        try script.settle()
        replica.receive(.log(.safe(upTo: try #require(script.log.entries.first).position.name)))
        #expect(answer.status == 202 && later.status == nil)
    }

    @Test func `an answer that waits for safety is given up within the timeout since its request`() throws {
        let replica = script.replicas[0]
        let answer = try replica.post("a", #"{"to":1}"#)
        // The log is slow: nearly all of the time passes before the entry is back.
        script.clock.wait(PendingEntries.timeout - 0.5)
        replica.receive()
        try script.settle()
        #expect(answer.status == nil)
        script.clock.wait(0.5)
        replica.receive()
        #expect(answer.status == 503 && answer.text.contains("not known"))
    }

    @Test func `a batch's answer waits until its log entry is safe`() throws {
        let replica = script.replicas[0]
        let batch = replica.batch((0..<150).map { _ in #"{"ticker":"a","by":1,"duration":0}"# })
        try script.settle()
        #expect(batch.status == nil && replica.value("a") == 150)
        replica.receive(.log(.safe(upTo: replica.node.position.name)))
        #expect(batch.status == 200)
    }

    @Test func `an entry safe in a promoted server's log does not confirm entries of the lost log`() throws {
        let replica = script.replicas[0]
        let lost = try replica.post("a", #"{"to":1}"#)
        try script.settle()
        // The promoted server lacks that entry, and has another with its number.
        replica.receive(.log(.safe(upTo: EntryName(rawValue: 7))))
        #expect(lost.status == nil)
        replica.node.logClient.reload(because: .lost, in: "e")
        replica.receive(.log(.loaded(script.replicas[1].loaded())))
        #expect(lost.status == 503 && lost.text.contains("not known"))
    }

    @Test func `an entry that is safe before it comes back is answered as soon as it does`() throws {
        let replica = script.replicas[0]
        let answer = try replica.post("a", #"{"to":1}"#)
        replica.deliver()
        replica.receive(.log(.safe(upTo: try #require(script.log.entries.first).position.name)))
        #expect(answer.status == nil)
        try script.settle()
        #expect(answer.status == 202)
    }

    @Test func `a safe position in a lost log does not confirm entries of the log in its place`() throws {
        let replica = script.replicas[0]
        replica.receive(.log(.safe(upTo: EntryName(rawValue: 100))))
        replica.node.logClient.reload(because: .lost, in: "e")
        replica.receive(.log(.loaded(script.replicas[1].loaded())))
        let answer = try replica.post("a", #"{"to":1}"#)
        try script.settle()
        #expect(answer.status == nil)
        replica.receive(.log(.safe(upTo: replica.node.position.name)))
        #expect(answer.status == 202)
    }
}
