// A log whose server has lost the board, or a part of it: replicas say so, and give their own board.

import Board
import Machine
import Replication
import TestSupport
import Testing

@testable import TweencastService

@Suite struct BoardLossTests {
    private let script = ReplicaScript()
    private var one: HandReplica { script.replicas[0] }
    private var other: HandReplica { script.replicas[1] }

    @Test func `a board written back to the log keeps its state and its named events by id`() throws {
        _ = try one.post("a", #"{"to":5,"duration":0}"#)
        try script.settle()
        script.clock.wait(1)
        script.log.append(.epoch("f", lossOf: nil))
        _ = try one.post("a", #"{"to":6,"duration":0}"#)
        try script.settle()
        one.receive(.log(.lost(LogFailure(.gone, "emptied", cure: "wait"))))
        #expect(one.node.logClient.unreadiness == "the Redis no longer has this board: wait")
        one.receive(.log(.boardWanted))
        let board = try #require(one.access.stored.last ?? nil)
        #expect(board.follower.position == one.node.position && board.follower.digest == one.node.digest)
        #expect(board.events.map(\.epoch) == ["e", "f"] && board.events.map(\.last) == [1, 2])
        // Whoever loads it knows the ids of before.
        other.receive(.log(.loaded(board)))
        #expect(other.value("a") == 6)
        for (id, missed) in [("e-0", 2), ("e-1", 1), ("f-2", 0)] {
            let told = other.greeting(after: id)
            #expect(!told.contains("event: reset") && told.matches(of: /event: complete/).count == missed)
        }
    }

    @Test(arguments: [LogClient.Reload.gap, .lost, .differs])
    func `a reloading replica gives its board to be written back only when it merely has a gap`(
        reason: LogClient.Reload
    ) throws {
        one.node.reload(because: reason)
        one.receive(.log(.boardWanted))
        #expect(one.access.stored.count == 1 && (one.access.stored[0] == nil) == (reason != .gap))
    }

    @Test func `a replica refuses changes while the log lacks entries, until it is written back`() throws {
        var membership = Membership()
        membership.missing = "entries of the log"
        one.receive(.log(.members(membership)))
        #expect(one.node.logClient.unreadiness?.contains("has lost entries of the log") == true)
        let refused = try one.post("a", #"{"to":5}"#)
        #expect(refused.status == 503 && refused.header("Retry-After") != nil)
        membership.missing = nil
        one.receive(.log(.members(membership)))
        let taken = try one.post("a", #"{"to":5}"#)
        try script.settle()
        #expect(taken.status == 202 && one.node.logClient.unreadiness == nil)
    }

    @Test func `a damaged field of the log is named in the readiness report`() throws {
        one.receive(.log(.lost(LogFailure(.damaged, "DAMAGED the field lead of the head has no valid number: 1e9"))))
        let reason = try #require(one.node.logClient.unreadiness)
        #expect(reason.contains("following stopped") && reason.contains("the field lead of the head"))
        one.receive(.log(.unreadable(.field("t", entry: "7-0", value: "x"))))
        #expect(one.node.logClient.unreadiness?.contains("entry 7-0: field t is not a valid number: x") == true)
    }
}
