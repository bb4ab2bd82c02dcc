// What `tweencast watch` reports and writes into a file, and when it ends.

import Testing

@testable import TweencastClient
@testable import tweencast

@Suite struct WatchTests {
    private static func frame(_ kind: Topic.Kind, _ id: String, _ text: String, fraction: Double? = nil)
        -> ResourceFrame
    {
        ResourceFrame(topic: Topic(kind, id), text: text, value: nil, fraction: fraction)
    }

    @Test func `watch reports an outage once, and only after a failed connection`() {
        var outage = WatchOutage(server: "http://a")
        let failure = StreamItem.disconnected(reason: "refused")
        #expect(outage.receive(failure) == "no connection to http://a (refused), trying again")
        #expect(outage.receive(failure) == nil)
        #expect(outage.receive(.connected) == nil)
        #expect(outage.receive(failure) == nil)
        #expect(outage.receive(failure) != nil)
        #expect(outage.receive(failure) == nil)
    }

    @Test func `a line of watch's file becomes empty when its resource is removed or lost`() throws {
        var lines = WatchFileLines([try ClientName("a"), try ClientName("b")])
        #expect(lines.receive(.frame(Self.frame(.progress, "a", "1%"))) == "1%\n\n")
        #expect(lines.receive(.frame(Self.frame(.ticker, "a", "5"))) == "5\n\n")
        #expect(lines.receive(Self.event("removed", Topic(.progress, "a"), "deleted")) == nil)
        #expect(lines.receive(Self.event("removed", Topic(.ticker, "a"), "deleted")) == "\n\n")
        #expect(lines.receive(.frame(Self.frame(.ticker, "b", "6"))) == "\n6\n")
        let reset = StreamEvent(name: "reset", topic: nil, reason: "unknown", frame: nil, json: "")
        #expect(lines.receive(.event(reset)) == "\n\n")
    }

    // MARK: - The end

    private static func goals(_ names: String...) throws -> WatchGoals {
        WatchGoals(try names.map { try ClientName($0, takesPatterns: true) })
    }

    private static func event(_ name: String, _ topic: Topic, _ reason: String?, fraction: Double? = nil) -> StreamItem
    {
        let frame = ResourceFrame(topic: topic, text: "", value: nil, fraction: fraction)
        return .event(StreamEvent(name: name, topic: topic, reason: reason, frame: frame, json: ""))
    }

    @Test func `watch is done once all names have finished`() throws {
        var goals = try Self.goals("a", "progress:b")
        #expect(goals.receive(Self.event("complete", Topic(.ticker, "a"), "superseded")) == nil)
        #expect(goals.receive(Self.event("complete", Topic(.ticker, "a"), "finished")) == nil)
        #expect(goals.receive(Self.event("complete", Topic(.ticker, "b"), "finished")) == nil)
        #expect(goals.receive(Self.event("complete", Topic(.progress, "b"), "finished", fraction: 0.5)) == nil)
        #expect(goals.receive(Self.event("complete", Topic(.progress, "b"), "finished", fraction: 1)) == .done)
    }

    @Test func `watch is done at once for a progress that is full`() throws {
        var goals = try Self.goals("b")
        #expect(goals.receive(.frame(Self.frame(.progress, "b", "100%", fraction: 1))) == .done)
    }

    @Test(arguments: [("removed", "deleted"), ("complete", "cancelled"), ("complete", "removed")])
    func `watch fails if a motion is cancelled or removed`(name: String, reason: String) throws {
        var goals = try Self.goals("room-*")
        #expect(goals.receive(Self.event(name, Topic(.ticker, "other"), reason)) == nil)
        #expect(goals.receive(Self.event(name, Topic(.ticker, "room-1"), reason)) == .failed)
    }
}
