// What a replica does while its log takes nothing, and when another log is in its place.

import Board
import Replication
import TestSupport
import Testing
import Tween

@testable import TweencastService

@Suite struct ReplicaOutageTests {
    private let script = ReplicaScript(1)
    private var one: HandReplica { script.replicas[0] }

    @Test func `while the log is away overdue work does not keep the tick thread awake`() throws {
        _ = try one.post("a", #"{"to":1,"duration":0.1}"#)
        try script.settle()
        script.clock.wait(1)
        #expect(one.node.nextDue.map { $0 <= script.clock.now } == true)
        one.receive(.log(.lost(LogFailure(.away, "gone"))))
        one.receive()
        #expect(one.node.nextDue.map { $0 > script.clock.now } ?? true)
    }

    @Test func `a stopping replica answers not known to requests it has already sent to the log`() throws {
        let change = try one.post("a", #"{"to":1}"#)
        let batch = one.batch([#"{"ticker":"b","to":1}"#])
        one.node.finish { script.clock.now }
        #expect(change.status == 503 && change.text.contains("not known"))
        #expect(batch.status == 503 && batch.text.contains("not known"))
    }

    @Test func `a batch whose entry comes back in another log is answered with not known`() throws {
        let batch = one.batch([#"{"ticker":"a","to":1}"#])
        let draft = try #require(one.access.takeSent().last)
        let position = LogPosition(
            sequence: one.node.position.sequence + 1, instant: script.clock.now, name: draft.name)
        let entry = LogEntry(
            position: position, previous: EntryName(rawValue: 7),
            content: try LogContent(draft.payload, rules: NoCalendar()))
        one.receive(.log(.entries([entry])))
        #expect(one.access.reloads == 1)
        #expect(batch.status == 503 && batch.text.contains("not known"))
    }
}
