// The instants that frames are stamped with: each frame shows the state of its own, and none goes back.

import Base
import Board
import EventStream
import Machine
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

@Suite struct StampTests {
    private let script = PublisherScript()
    private let stamped = Variant(text: false, stamp: true)

    /// A frame of a ticker, and the tenths of a second after which it is; a whole one is a tick.
    private func frame(_ value: String, _ text: String, _ tenths: Double) -> String {
        let instant = Instant(nanoseconds: 0).advanced(bySeconds: tenths / 10).nanoseconds
        let tick = tenths == tenths.rounded() ? #","seq":\#(instant / 100_000_000)"# : ""
        return #"data: {"ticker":"a","value":\#(value),"text":"\#(text)","t":\#(instant)\#(tick)}"#
    }

    private func relabel(_ label: String) throws {
        let definition = try UpdateDecoder.update(
            Array(#"{"label":"\#(label)"}"#.utf8), kind: .ticker, role: .definition)
        let name = ResourceName(.ticker, "a")
        script.take(.command(CommandRequest(.define(name, definition), showing: name, as: .noContent)))
    }

    private func update(_ json: String) throws { script.take(try MachineScript.update("a", json)) }

    @Test func `a motion's last frame is stamped with the instant of its end`() throws {
        try update(#"{"label":"A 0","to":10,"duration":0.25}"#)
        try script.open("a", variant: stamped)
        #expect(script.sent() == [frame("0", "A 0", 0)])
        script.script.wait(0.2)
        script.tick()
        #expect(script.sent() == [frame("8", "A 8", 2)])
        // The turn comes later than the end, and the tick later still.
        script.script.wait(0.07)
        script.take()
        script.script.wait(0.03)
        script.tick()
        #expect(script.sent().first == frame("10", "A 10", 2.5))
    }

    @Test func `frames of a follow-up motion within a tick are stamped later than the first motion's`() throws {
        try update(#"{"label":"A 0","to":10,"duration":0.25,"then":[{"ticker":"a","to":0,"duration":0.5}]}"#)
        try script.open("a", variant: stamped)
        _ = script.sent()
        script.script.wait(0.3)
        script.tick()
        let frames = script.sent().filter { $0.hasPrefix("data: {\"ticker\":\"a\",\"value\"") }
        #expect(frames == [frame("10", "A 10", 2.5), frame("9", "A 9", 3)])
    }

    @Test func `a change while a tick's wheels are made is not stamped with that tick`() throws {
        let names = (0..<200).map { "t\($0)" }
        for name in names {
            script.take(try MachineScript.update(name, #"{"label":"A 0","to":10,"duration":10}"#))
        }
        try script.open("t*", variant: Variant(text: false, stamp: true, wheels: .up))
        _ = script.sent()
        script.script.wait(0.1)
        script.tick()
        // Some are made with the tick. The others, which change now, would show what came later.
        #expect(script.publisher.hasFramesToContinue)
        script.script.wait(0.01)
        for name in names {
            script.take(try MachineScript.update(name, #"{"label":"B 0","to":20,"duration":10}"#))
        }
        while script.publisher.hasFramesToContinue {
            script.publisher.continueFrames(of: script.script.machine, at: script.script.now)
        }
        let frames = script.sent().filter { $0.hasSuffix(#""seq":1}"#) }
        #expect(frames.contains { $0.contains(#""text":"A 0""#) })
        #expect(!frames.contains { $0.contains(#""text":"B 0""#) })
    }

    @Test func `a new stream gets the last tick's state, and later changes stamped with their instant`() throws {
        try update(#"{"label":"A 0","to":10,"duration":1}"#)
        script.script.wait(0.25)
        try script.open("a", variant: stamped)
        #expect(script.sent() == [frame("2", "A 2", 2)])
        try update(#"{"to":2.5,"duration":0}"#)
        _ = script.sent()
        script.script.wait(0.01)
        try script.open("a", slot: 1, variant: stamped)
        #expect(script.sent().last == frame("2.5", "A 2.5", 2.6))
    }

    @Test func `a stream greeted with a change is not sent it again in the next frame`() throws {
        try update(#"{"label":"A 1","to":1,"duration":0}"#)
        try script.open("a")
        script.tick()
        _ = script.sent()
        script.script.wait(0.02)
        try relabel("B 1")
        try script.open("a", slot: 1)
        #expect(script.sent().count { $0.contains("B 1") } == 1, "the second's beginning")
        script.script.wait(0.08)
        script.tick()
        #expect(script.sent().count { $0.contains("B 1") } == 1, "the first's next frame")
    }

    @Test func `a stream greeted with a state since reverted is sent the state the others know`() throws {
        try relabel("A 1")
        try script.open("a")
        script.tick()
        _ = script.sent()
        script.script.wait(0.02)
        try relabel("B 1")
        try script.open("a", slot: 1)
        _ = script.sent()
        try relabel("A 1")
        script.script.wait(0.08)
        script.tick()
        #expect(script.sent().count { $0.contains("A 1") } == 1)
    }
}
