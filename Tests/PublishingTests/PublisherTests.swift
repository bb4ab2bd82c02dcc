// From outcomes and samples to the bytes that a stream is sent.

import Base
import Board
import EventStream
import Machine
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

@Suite struct PublisherTests {
    private let script = PublisherScript()

    private func frame(_ id: String, _ value: String, _ text: String) -> String {
        #"data: {"ticker":"\#(id)","value":\#(value),"text":"\#(text)"}"#
    }

    @Test func `frames held for a commit are sent when it returns, before the next tick`() throws {
        script.take(try MachineScript.update("t", #"{"to":100,"duration":10,"easing":"linear"}"#))
        try script.open("t")
        _ = script.sent()
        script.script.wait(1)
        script.publisher.hold(at: script.script.now)
        script.tick()
        #expect(script.sent().isEmpty)
        script.publisher.release(at: script.script.now)
        #expect(script.sent() == [frame("t", "10", "10")])
    }

    @Test func `the cost of a subscription counts its patterns, topics and the size of their states`() throws {
        let parts = Variant(text: false, stamp: false, display: .parts)
        for id in ["t1", "t2", "t3"] { script.take(try MachineScript.update(id, #"{"to":100,"duration":10}"#)) }
        let costs = try [Variant.json, parts].enumerated().map { slot, variant in
            let before = script.publisher.subscriptionWork
            try script.open("t*", slot: UInt32(slot), variant: variant)
            _ = script.sent()
            return script.publisher.subscriptionWork - before
        }
        // A prefix, three topics and their states.
        #expect(costs[0] == 7 && costs[1] == 4 + 3 * 24)
    }

    @Test func `a stream begins with the state, and has a frame a tick while that changes`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a")
        #expect(script.sent() == [frame("a", "0", "A 0")])
        script.script.wait(0.5)
        script.tick()
        #expect(script.sent() == [frame("a", "5", "A 5")])
        script.tick()
        #expect(script.sent().isEmpty, "an equal frame is not sent")
    }

    @Test(arguments: [Variant.json, Variant(text: false, stamp: true)])
    func `a new number is shown to earlier streams although another stream opens before the tick`(
        variant: Variant
    ) throws {
        try script.open("a*", variant: variant)
        _ = script.sent()
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1,"delay":5}"#))
        try script.open("a*", slot: 1)
        #expect(script.sent() == [frame("a", "0", "A 0")])
        script.tick()
        #expect(script.sent().count { $0.contains("A 0") } == 1)
    }

    @Test(arguments: [
        Variant.json, Variant(text: true, stamp: false), Variant(text: false, stamp: false, wheels: .odometer),
    ])
    func `after a reset a stream is sent the state again, in every form`(variant: Variant) throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#))
        try script.open("a", variant: variant)
        script.tick()
        let snapshot = script.sent().filter { $0.hasPrefix("data: ") }
        script.publisher.beginEpoch(of: &script.script.machine, hasLost: true, at: script.script.now)
        script.tick()
        #expect(snapshot.count == 1 && script.sent() == snapshot)
    }

    @Test func `a new countdown is shown to earlier streams although another stream opens before the tick`() throws {
        try script.open("s", kind: .schedule)
        _ = script.sent()
        let name = ResourceName(.schedule, "s")
        let (_, definition) = try ScheduleDecoder.definition(
            Array(#"{"in":60,"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar())
        script.take(.command(CommandRequest(.schedule(name, definition), showing: name, as: .noContent)))
        try script.open("s", slot: 1, kind: .schedule)
        let isCountdown = { (line: String) in line.contains(#""text":"1:00""#) }
        let snapshot = script.sent().filter(isCountdown)
        script.tick()
        #expect(snapshot.count == 1 && script.sent().filter(isCountdown) == snapshot)
    }

    @Test func `a stream that opens during a drain is ended too`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#))
        script.tick()
        script.publisher.drain({ $0 }, at: script.script.now)
        script.publisher.sendEvents(at: script.script.now)
        try script.open("a")
        script.publisher.sendEvents(at: script.script.now)
        #expect(script.sent().contains("event: bye"))
    }

    @Test func `a completion follows the last frame and carries the event's id`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a")
        _ = script.sent()
        script.script.wait(1)
        script.tick()
        let sent = script.sent()
        #expect(Array(sent.prefix(3)) == [frame("a", "10", "A 10"), "id: e-1", "event: complete"])
    }

    @Test func `a last frame has the exact number, though the one before had the same text`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a")
        try script.open("a", slot: 1, variant: Variant(text: true, stamp: false))
        _ = script.sent()
        script.script.wait(0.96)
        script.tick()
        #expect(script.sent() == [frame("a", "9.6", "A 10"), "data: A 10"])
        script.script.wait(0.04)
        script.tick()
        let sent = script.sent()
        #expect(sent.first == frame("a", "10", "A 10"))
        #expect(!sent.contains("data: A 10"), "a text alone is not said twice")
    }

    @Test(arguments: ["a", "*"], [0, 1])
    func `a ticker created and removed within a turn gets one frame before its completion`(topic: String, seconds: Int)
        throws
    {
        try script.open(topic)
        _ = script.sent()
        script.take(
            try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":\#(seconds)}"#),
            .command(CommandRequest(.remove(ResourceName(.ticker, "a")), as: .noContent)))
        script.tick()
        let sent = script.sent()
        #expect(sent.first == (seconds == 0 ? frame("a", "10", "A 10") : frame("a", "0", "A 0")))
        #expect(sent.filter { $0.hasPrefix("event") } == ["event: complete", "event: removed"])
        #expect(sent.count { $0.hasPrefix("data") } == 3)
        // One that is made anew begins anew.
        script.script.wait(1)
        script.take(try MachineScript.update("a", #"{"label":"B 0","to":7,"duration":0}"#))
        script.tick()
        #expect(script.sent().first == frame("a", "7", "B 7"))
    }

    @Test(arguments: [Variant.json, Variant(text: false, stamp: false, wheels: .odometer)])
    func `a last frame equal to the one before is not sent`(variant: Variant) throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1,"endDelay":1}"#))
        try script.open("a", variant: variant)
        _ = script.sent()
        script.script.wait(1.5)
        script.tick()
        #expect(script.sent().count { $0.contains(#""value":10,"#) } == 1)
        script.script.wait(0.5)
        script.tick()
        #expect(Array(script.sent().prefix(2)) == ["id: e-1", "event: complete"])
    }

    @Test(arguments: [
        Variant.json, Variant(text: true, stamp: false), Variant(text: false, stamp: false, wheels: .odometer),
    ])
    func `an update to the value already shown sends a completion and no frame`(variant: Variant) throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#))
        script.tick()
        try script.open("a", variant: variant)
        _ = script.sent()
        for _ in 0..<2 {
            script.script.wait(1)
            script.take(try MachineScript.update("a", #"{"to":10,"duration":0}"#))
            script.tick()
            let sent = script.sent()
            #expect(sent.filter { $0.hasPrefix("event") } == ["event: complete"])
            #expect(sent.count { $0.hasPrefix("data") } == 1, "\(sent)")
        }
    }

    @Test func `a queued update that ends with its bound repeats no frame`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        script.take(try MachineScript.update("a", #"{"max":12,"interrupt":"queue"}"#))
        script.take(try MachineScript.update("a", #"{"to":50,"duration":0.3}"#))
        try script.open("a")
        _ = script.sent()
        script.script.wait(1)
        script.tick()
        let sent = script.sent()
        #expect(sent.count { $0 == frame("a", "50", "A 50") } == 1, "\(sent)")
        #expect(sent.count { $0 == "event: complete" } == 2)
    }

    @Test func `control characters in a label are left out of a text stream`() throws {
        let label = #"\u001b[J\u0007\u009bm \u202etxt\n0 \"km\""#
        script.take(try MachineScript.update("a", #"{"label":"\#(label)","to":10,"duration":1}"#))
        try script.open("a", variant: Variant(text: true, stamp: false))
        var sent = script.sent()
        script.script.wait(0.5)
        script.tick()
        sent += script.sent()
        script.script.wait(0.5)
        script.tick()
        sent += script.sent()
        let lines = sent.filter { $0.hasPrefix("data: [J") || $0.hasSuffix("km\"") }
        #expect(lines == ["0", "5", "10"].flatMap { ["data: [Jm txt", "data: \($0) \"km\""] })
    }

    @Test func `a last frame shows its motion's label, though an update followed in the same turn`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a", variant: Variant(text: false, stamp: false, wheels: .odometer))
        _ = script.sent()
        script.take(
            .command(CommandRequest(.play(ResourceName(.ticker, "a"), .finish), as: .noContent)),
            try MachineScript.update("a", #"{"label":"B 0","from":500,"to":700,"duration":1}"#))
        script.tick()
        let sent = script.sent()
        let last = try #require(sent.first)
        #expect(last.contains(#""text":"A 10""#) && last.contains("wheels"))
        #expect(sent.last?.contains(#""text":"B 500""#) == true)
    }

    @Test func `an event after a long idle time is kept in the history for its full age`() throws {
        let update = try MachineScript.update("a", #"{"by":1,"duration":0}"#)
        script.take(update)
        script.tick()
        script.script.wait(7_200)
        script.take(update)
        script.tick()
        script.take(update)
        script.tick()
        try script.open("a", after: "e-1")
        #expect(
            script.sent().filter { $0.hasPrefix("id: ") || $0.hasPrefix("event: ") } == [
                "id: e-2", "event: complete", "id: e-3", "event: complete",
            ])
    }

    @Test func `a prefix stream hears a resource created later`() throws {
        try script.open("later*")
        _ = script.sent()
        script.take(try MachineScript.update("later-1", #"{"label":"7","to":7,"duration":0}"#))
        script.tick()
        #expect(script.sent().contains("event: complete"))
    }

    private static let instants = [
        #""duration":0"#, #""duration":9,"animated":false"#, #""duration":0.0005"#, #""duration":0.002"#,
        #""duration":0.002,"easing":"steps(3)""#, #""spring":{"dampingRatio":1,"response":0}"#,
    ]

    @Test(arguments: instants, ["", #","ttl":1"#])
    func `a stream that answers an update gets a frame with the target before the completion`(
        timing: String, more: String
    ) throws {
        let name = ResourceName(.ticker, "a")
        let update = try MachineScript.update("a", #"{"label":"A 0","to":10,\#(timing)\#(more)}"#)
        try script.open(answering: update, of: name, variant: .json, after: 0.01)
        script.tick()
        let sent = script.sent()
        let end = try #require(sent.firstIndex(of: "event: complete"))
        let frames = sent[..<end].filter { $0.hasPrefix("data: ") }
        #expect(frames.last == frame("a", "10", "A 10"))
        #expect(Set(frames).count == frames.count)
    }

    @Test func `a stream that answers an update to the present value gets a frame, too`() throws {
        let update = try MachineScript.update("a", #"{"label":"A 7","to":7,"duration":2}"#)
        try script.open(answering: update, of: ResourceName(.ticker, "a"), variant: .json)
        let sent = script.sent()
        #expect(sent.first == frame("a", "7", "A 7") && sent.contains("event: complete"))
    }

    @Test func `a text stream that answers an update gets the text`() throws {
        let update = try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#)
        try script.open(
            answering: update, of: ResourceName(.ticker, "a"), variant: Variant(text: true, stamp: false))
        #expect(script.sent().first == "data: A 10")
    }

    @Test func `a stream that answers an ended motion gets its first and its last frame`() throws {
        let update = try MachineScript.update("a", #"{"label":"A 3","to":10,"duration":0.5}"#)
        try script.open(answering: update, of: ResourceName(.ticker, "a"), variant: .json, after: 2)
        let sent = script.sent().filter { $0.hasPrefix("data: ") }
        #expect(sent.prefix(2) == [frame("a", "3", "A 3"), frame("a", "10", "A 10")])
    }

    @Test func `the first frame that answers an update has wheels of the asked style`() throws {
        let motion = #"{"label":"0","from":0,"to":100,"duration":10,"easing":"linear","decimals":0}"#
        script.take(try MachineScript.update("a", motion))
        script.script.wait(4.262)
        try script.open(
            answering: try MachineScript.update("a", #"{"to":0,"duration":10}"#), of: ResourceName(.ticker, "a"),
            variant: Variant(text: false, stamp: false, wheels: .up))
        let first = script.sent().first
        #expect(first?.contains(#""text":"43","wheels":[[1,4],[0,3]]"#) == true, "\(first ?? "nothing")")
    }

    @Test(arguments: instants)
    func `a stream of all topics gets a new resource's last frame before its completion`(timing: String)
        throws
    {
        try script.open("*")
        _ = script.sent()
        for index in 0..<40 {
            script.take(try MachineScript.update("n\(index)", #"{"label":"A 0","to":10,\#(timing)}"#))
            script.script.wait(0.01)
            script.tick()
            let sent = script.sent()
            let end = try #require(sent.firstIndex(of: "event: complete"))
            #expect(sent[..<end].contains(frame("n\(index)", "10", "A 10")))
        }
    }

    @Test func `a motion stream of a progress gets no event when only its rate changes`() throws {
        let update = #"{"label":"A 0","current":100,"maximum":100,"duration":60}"#
        script.take(try MachineScript.update("a", update, of: .progress))
        try script.open("a", kind: .progress, variant: Variant(text: false, stamp: false, motion: true))
        try script.open("a", slot: 1, kind: .progress, variant: Variant(text: false, stamp: false, display: .strings))
        var motions = script.sent().count { $0 == "event: motion" }
        var frames = 0
        for _ in 0..<30 {
            script.script.wait(0.1)
            script.tick()
            let sent = script.sent()
            motions += sent.count { $0 == "event: motion" }
            frames += sent.count { $0.contains("display") }
        }
        #expect(motions == 1 && frames > 20)
        script.take(try MachineScript.update("a", #"{"current":50}"#, of: .progress))
        script.tick()
        #expect(script.sent().contains("event: motion"), "a change is told as ever")
    }

    @Test func `the strings of a motion's last frame are those of its end, though a queued one follows`() throws {
        let first = #"{"label":"{value} at {rate}/s, {eta}","current":0,"maximum":100,"duration":0}"#
        script.take(try MachineScript.update("a", first, of: .progress))
        try script.open("a", kind: .progress, variant: Variant(text: false, stamp: false, display: .strings))
        script.take(try MachineScript.update("a", #"{"current":100,"duration":1.5}"#, of: .progress))
        script.take(try MachineScript.update("a", #"{"current":50,"duration":2,"interrupt":"queue"}"#, of: .progress))
        _ = script.sent()
        script.script.wait(1.55)
        script.tick()
        let sent = script.sent()
        let end = try #require(sent.firstIndex(of: "event: complete"))
        let frame = try #require(sent[..<end].last { $0.hasPrefix("data: ") })
        #expect(frame.ranges(of: #""text":"100 at –/s, 0:00""#).count == 2, "\(frame)")
    }

    @Test func `a removed ticker recreated in one turn completes, is removed and starts anew`() throws {
        script.take(try MachineScript.update("a", #"{"to":1,"duration":9}"#))
        try script.open("a")
        _ = script.sent()
        script.take(
            .command(CommandRequest(.remove(ResourceName(.ticker, "a")), as: .noContent)),
            try MachineScript.update("a", #"{"label":"new 3","to":9,"duration":9}"#))
        script.tick()
        let sent = script.sent()
        #expect(sent.filter { $0.hasPrefix("event") } == ["event: complete", "event: removed"])
        #expect(sent.last == frame("a", "3", "new 3"))
    }

    @Test func `a watched countdown is due when its second changes`() throws {
        let name = ResourceName(.schedule, "s")
        let (_, definition) = try ScheduleDecoder.definition(
            Array(#"{"in":10,"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar())
        script.take(.command(CommandRequest(.schedule(name, definition), showing: name, as: .noContent)))
        #expect(script.publisher.nextDue == nil, "nobody watches")
        try script.open("s", kind: .schedule)
        #expect(script.publisher.nextDue == script.script.now.advanced(bySeconds: 1))
    }

    /// A past date, and dates to come.
    @Test(arguments: [
        (#"{"at":"1970-01-01T00:00:00Z""#, "0:00"), (#"{"in":0"#, "0:00"), (#"{"in":60"#, "1:00"),
        (#"{"every":5"#, "0:05"),
    ])
    func `a countdown begins with its full seconds, not one more`(first: String, text: String) throws {
        try script.open("s", kind: .schedule, variant: Variant(text: true, stamp: false))
        _ = script.sent()
        let (_, definition) = try ScheduleDecoder.definition(
            Array(#"\#(first),"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar())
        let name = ResourceName(.schedule, "s")
        script.take(.command(CommandRequest(.schedule(name, definition), showing: name, as: .noContent)))
        script.flush()
        #expect(script.sent().last == "data: \(text)")
    }
}
