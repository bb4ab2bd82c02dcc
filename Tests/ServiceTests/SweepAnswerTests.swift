// Changes to all schedules: when they are answered, and in which order.

import Board
import Gateway
import Machine
import Storage
import TestSupport
import Testing

@testable import TweencastService

@Suite struct SweepAnswerTests {
    /// Five schedules.
    private func script(schedulesPerTurn: Int = 2) throws -> NodeScript {
        let script = NodeScript(schedulesPerSweep: schedulesPerTurn)
        for number in 1...5 { try script.schedule("s\(number)") }
        script.store.settle()
        return script
    }

    @Test func `a pause of all is answered when its last part is committed`() throws {
        let script = try script()
        let responder = script.sweep(.pauseAllSchedules)
        script.store.settle()
        #expect(responder.status == nil)
        script.finishPortions()
        #expect(responder.status == nil)
        script.store.settle()
        #expect(responder.status == 200)
        #expect(responder.text.contains(#""paused":true"#))
    }

    @Test func `pause-all that a set clock has finished is answered`() throws {
        let script = try script()
        let responder = script.sweep(.pauseAllSchedules)
        script.node.shiftTimeline(byNanoseconds: 3_600_000_000_000, at: script.now)
        #expect(script.node.isBusy)
        script.turn()
        script.store.settle()
        #expect(responder.status == 200)
    }

    @Test func `other requests are answered during pause-all, and resume-all waits for it`() throws {
        let script = try script(schedulesPerTurn: 1)
        let pause = script.sweep(.pauseAllSchedules)
        let resume = script.sweep(.resumeAllSchedules)
        let other = try script.post("t", #"{"to":1}"#)
        script.store.settle()
        #expect(other.status == 202)
        #expect(pause.status == nil && resume.status == nil)
        script.finishPortions()
        script.store.settle()
        #expect(pause.text.contains(#""paused":true"#))
        #expect(resume.text.contains(#""paused":false"#))
    }

    @Test func `changes to all schedules beyond the waiting limit get 503`() throws {
        let script = try script()
        _ = script.sweep(.pauseAllSchedules)
        let exchanges = (0...SweepRequests.maximumWaiting).map { _ in NotedExchange() }
        var messages = exchanges.map {
            Message.asked(
                .change(.command(CommandRequest(.resumeAllSchedules, as: .schedules)), PendingResponse($0)))
        }
        while !messages.isEmpty { messages.removeFirst(script.node.runTurn(with: messages[...], at: script.now)) }
        script.store.settle()
        #expect(exchanges.last?.status == 503 && exchanges.last?.header("Retry-After") == "1")
        script.finishPortions()
        script.store.settle()
        #expect(exchanges.dropLast().allSatisfy { $0.status == 200 })
    }

    @Test func `pause-all repeated with its key while it runs gets the same answer`() throws {
        let script = try script()
        let first = script.sweep(.pauseAllSchedules, key: "k")
        let second = script.sweep(.pauseAllSchedules, key: "k")
        script.finishPortions()
        script.store.settle()
        #expect(first.status == 200)
        #expect(second.text == first.text)
    }

    @Test func `a store failure in the first part of pause-all leaves all schedules unpaused`() throws {
        let script = try script()
        let responder = script.sweep(.pauseAllSchedules)
        script.loseStore()
        script.recoverStore()
        #expect(responder.status == 507)
        script.finishPortions()
        #expect(!script.node.core.machine.engine.schedulesPaused)
        #expect(script.node.core.machine.engine.schedules.allSatisfy { $0?.remaining == nil })
    }

    @Test func `a store failure after the first part of pause-all ends with all paused`() throws {
        let script = try script()
        let responder = script.sweep(.pauseAllSchedules)
        script.store.settle()
        script.finishPortions()
        script.loseStore()
        script.recoverStore()
        #expect(responder.status == 507)
        script.finishPortions()
        #expect(script.node.core.machine.engine.schedules.allSatisfy { $0?.remaining == 3_600 })
    }

    @Test func `a store failure during remove-all keeps the schedules not yet removed`() throws {
        let script = try script()
        let responder = script.sweep(.removeAllSchedules)
        script.store.settle()
        script.turn()
        script.loseStore()
        script.recoverStore()
        script.finishPortions()
        #expect(responder.status == 507)
        #expect(script.node.core.machine.engine.pendingSchedules == 3)
    }

    @Test func `a server that stops during a store outage answers waiting changes with 507`() throws {
        let script = try script()
        let responder = script.sweep(.pauseAllSchedules)
        script.store.settle(failing: StoreError(.full, "no room"))
        let later = script.sweep(.resumeAllSchedules)
        script.takePosted()
        script.node.finish { script.now }
        script.store.settle()
        #expect(responder.status == 507)
        #expect(later.status == 507)
    }

    @Test func `a stopping server finishes a remove-all that has begun`() throws {
        let script = try script()
        let responder = script.sweep(.removeAllSchedules)
        script.node.finish { script.now }
        script.store.settle()
        #expect(responder.status == 200)
        #expect(script.node.core.machine.engine.pendingSchedules == 0)
    }
}
