// Changes of the whole board: what is asked for while the log is away is in effect once it is back.

import Machine
import Replication
import TestSupport
import Testing

@testable import TweencastService

@Suite struct BoardChangesTests {
    private let script = ReplicaScript()
    private var one: HandReplica { script.replicas[0] }
    private var other: HandReplica { script.replicas[1] }
    private let away = LogFailure(.away, "nobody answers")
    private var rates: [Int] { script.replicas.map(\.machine.settings.updateRate) }

    @Test func `an update rate set while the log is away takes effect on all replicas once it is back`() throws {
        try script.settle()
        one.receive(.log(.lost(away)))
        one.receive(.updateRate(7))
        #expect(one.access.sentCount == 0)
        one.receive(.log(.taken(upTo: UInt64(script.log.entries.count), session: 1)))
        try script.settle()
        #expect(rates == [7, 7, 7])
    }

    @Test(arguments: [false, true])
    func `a lost update rate entry is sent again, and only the newest rate`(isRefused: Bool) throws {
        try script.settle()
        one.receive(.updateRate(7))
        let lost = one.access.takeSent()
        #expect(lost.count == 1)
        if isRefused {
            one.receive(.log(.refused(lost.map(\.name), away)))
        } else {
            one.receive(.log(.lost(away)))
            one.receive(.updateRate(8))
            one.receive(.updateRate(9))
            one.receive(.log(.taken(upTo: UInt64(script.log.entries.count), session: 1)))
        }
        script.meet()
        let entries = script.log.entries.count
        try script.settle()
        #expect(rates == (isRefused ? [7, 7, 7] : [9, 9, 9]))
        // Once: what the log has is sent no more.
        script.meet()
        try script.settle()
        #expect(script.log.entries.count <= entries + 2)
    }

    @Test func `an update rate set and reset while the log is away changes nothing`() throws {
        try script.settle()
        let usual = rates[0]
        one.receive(.log(.lost(away)))
        one.receive(.updateRate(usual + 1))
        one.receive(.updateRate(usual))
        one.receive(.log(.taken(upTo: UInt64(script.log.entries.count), session: 1)))
        try script.settle()
        #expect(rates == [usual, usual, usual])
    }

    @Test func `time zone rules are entered once at a start, and again if the entry was refused`() throws {
        try script.settle()
        one.receive(.zones(HandZones("2026a", hours: -8)))
        for _ in 0..<3 { script.meet() }
        let sent = one.access.takeSent()
        #expect(sent.count == 1)
        one.receive(.log(.refused(sent.map(\.name), away)))
        script.meet()
        #expect(one.access.sentCount == 1)
    }

    @Test func `a loss of the board is announced again if the connection breaks during the announcement`() throws {
        _ = try other.post("a", #"{"by":1,"duration":0}"#)
        try script.settle()
        one.node.reload(because: .lost)
        one.receive(.log(.loaded(other.loaded())))
        let lost = one.access.takeSent()
        one.receive(.log(.refused(lost.map(\.name), away)))
        #expect(script.replicas.allSatisfy { $0.machine.epoch == "e" })
        script.meet()
        try script.settle()
        #expect(Set(script.replicas.map(\.machine.epoch)).count == 1 && one.machine.epoch != "e")
        #expect(one.greeting(after: "e-1").contains("event: reset"))
    }
}
