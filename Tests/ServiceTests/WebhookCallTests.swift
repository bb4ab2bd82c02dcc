// A webhook's way through the service: nothing is called before it is stored, and how a call ended is stored, too.

import Base
import Machine
import TestSupport
import Testing
import Tween

@testable import TweencastService

@Suite struct WebhookCallTests {
    private let script = NodeScript()

    private func ask() throws {
        _ = try script.post("a", #"{"to":1,"duration":0,"then":[{"webhook":"https://a.example/x"}]}"#)
    }

    @Test func `a webhook is called only after its commit, and once`() throws {
        try ask()
        script.turn()
        #expect(script.calls.isEmpty)
        script.store.settle()
        script.takePosted()
        #expect(script.calls == ["wh-e-1"])
        script.turn()
        #expect(script.calls == ["wh-e-1"])
    }

    @Test func `setting the clock doesn't call a webhook before its commit`() throws {
        try ask()
        let hour: Int64 = 3_600_000_000_000
        script.now = script.now.advanced(byNanoseconds: hour)
        script.node.shiftTimeline(byNanoseconds: hour, at: script.now)
        script.turn()
        #expect(script.calls.isEmpty)
        script.store.settle()
        script.takePosted()
        #expect(script.calls == ["wh-e-1"])
    }

    @Test func `a failed webhook is called again later, and forgotten once it is delivered`() throws {
        try ask()
        script.store.settle()
        script.takePosted()
        script.receive(.webhookEnded("wh-e-1", .answered(status: 503, retryAfter: nil)))
        #expect(script.calls == ["wh-e-1"])
        script.now = script.now.advanced(bySeconds: 1)
        script.turn()
        #expect(script.calls == ["wh-e-1", "wh-e-1"])
        script.receive(.webhookEnded("wh-e-1", .answered(status: 204, retryAfter: nil)))
        #expect(script.node.core.machine.outbox.pendingCount == 0)
    }

    @Test func `a webhook lost with a store failure is not called, a stored one is`() throws {
        try ask()
        script.loseStore()
        script.turn()
        #expect(script.calls.isEmpty)
        script.recoverStore()
        script.turn()
        // What asked for it was taken back with it.
        #expect(script.calls.isEmpty && script.node.core.machine.outbox.pendingCount == 0)
        try ask()
        script.store.settle()
        script.takePosted()
        #expect(script.calls == ["wh-e-2"])
    }
}
