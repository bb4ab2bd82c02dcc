// Events begin a new log: on every replica with the same one, and whoever heard what is lost is told so.

import Machine
import Replication
import TestSupport
import Testing

@testable import TweencastService

@Suite struct EpochTests {
    private let script = ReplicaScript()
    private var one: HandReplica { script.replicas[0] }
    private var other: HandReplica { script.replicas[1] }

    @Test func `completions due when the epoch changes have the same ids on old and new replicas`() throws {
        _ = try one.post("a", #"{"to":5,"duration":2,"then":[{"notify":"n"}]}"#)
        try script.settle()
        script.clock.wait(3)
        script.log.append(.epoch("f", lossOf: nil))
        try script.settle()
        one.receive(.log(.loaded(try one.loadedFromLog())))
        for replica in script.replicas {
            let told = replica.greeting(after: "e-0")
            #expect(told.contains("id: f-1\nevent: complete") && told.contains("id: f-2\nevent: notification"))
            #expect(!told.contains("event: reset"))
        }
    }

    @Test func `a reader from before lost log entries gets a reset on every replica`() throws {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        // It came from elsewhere before anybody knew; another one has heard nothing but what is so.
        #expect(!other.greeting(after: "e-1").contains("event: reset") && !other.greeting().contains("event: reset"))
        for _ in 0..<2 { one.node.logClient.reload(because: .lost, in: "e") }
        one.receive(.log(.loaded(other.loaded())))
        try script.settle()
        #expect(other.toldAlone().matches(of: /event: reset/).count == 1)
        let late = try one.loadedFromLog()
        script.replicas[2].receive(.log(.loaded(late)))
        for replica in script.replicas { #expect(replica.greeting(after: "e-1").contains("event: reset")) }
        // Who lost as much and says so later tells nobody anew.
        let epoch = one.machine.epoch
        script.log.append(.epoch("later", lossOf: "e"))
        try script.settle()
        #expect(script.replicas.allSatisfy { $0.machine.epoch == epoch })
        #expect(!one.greeting(after: "\(epoch)-1").contains("event: reset"))
    }
}
