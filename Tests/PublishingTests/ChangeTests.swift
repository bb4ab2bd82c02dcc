// Open streams that are to hear something else, with a board behind them.

import EventStream
import Machine
import TestSupport
import Testing
import Tween

@testable import Publishing

@Suite struct ChangeTests {
    private let script = PublisherScript()

    private func update(_ id: String, to value: Int, duration: Double = 1) throws {
        script.take(try MachineScript.update(id, #"{"label":"0","to":\#(value),"duration":\#(duration)}"#))
    }

    /// The ids of the frames that were sent since the last look.
    private func shown() -> [String] {
        script.sent().compactMap { line in
            line.hasPrefix(#"data: {"ticker":""#) ? String(line.dropFirst(17).prefix { $0 != "\"" }) : nil
        }
    }

    @Test func `a changed stream's left ticker gets no frames, and its new one does`() throws {
        for id in ["a", "b", "c"] { try update(id, to: 10) }
        try script.open("a", "b")
        #expect(shown() == ["a", "b"])
        #expect(try script.change(to: "b", "c") == .changed)
        #expect(shown() == ["c"])
        script.script.wait(0.5)
        script.tick()
        #expect(Set(shown()) == ["b", "c"])
        #expect(script.publisher.linkCount == 2 && script.publisher.patternCount == 2)
        // A tick makes frames of what somebody hears.
        let frames = script.publisher.frameCount
        script.script.wait(0.1)
        script.tick()
        #expect(script.publisher.frameCount == frames + 2)
    }

    @Test func `a ticker created after a stream's change is sent`() throws {
        try script.open("a")
        #expect(try script.change(to: "a", "b") == .changed)
        try update("b", to: 10)
        script.tick()
        #expect(shown() == ["b"])
    }

    @Test func `a changed stream gets frames in its new locale`() throws {
        try update("a", to: 10)
        try script.open("a", locale: "de")
        _ = script.sent()
        #expect(try script.change(to: "a", locale: "fr") == .changed && script.publisher.localeCount == 1)
        #expect(shown() == ["a"])
        #expect(try script.change(to: "a") == .changed && script.publisher.localeCount == 0)
        #expect(shown() == ["a"])
        script.close(0)
        #expect(script.publisher.localeCount == 0 && script.publisher.patternCount == 0)
    }

    @Test func `a change to one locale too many is refused, and the old topics stay`() throws {
        for slot in 1...UInt32(ReaderLocales.maximumCount) { try script.open("a", slot: slot, locale: "l\(slot)") }
        try script.open("a")
        #expect(try script.change(to: "b", locale: "one-more") == .noRoom("locale"))
        try update("b", to: 10)
        script.tick()
        #expect(!script.sent().contains { $0.contains(#""ticker":"b""#) })
    }

    @Test func `a changed stream ends when its new permit expires`() throws {
        let script = script
        try script.open("a", permit: StreamLease(expires: script.script.now.advanced(bySeconds: 1)))
        let later = StreamLease(expires: script.script.now.advanced(bySeconds: 3))
        #expect(try script.change(to: "a", permit: later) == .changed)
        for (seconds, isOver) in [(2.0, false), (1.5, true)] {
            script.script.wait(seconds)
            script.tick()
            #expect(script.sent().contains("event: bye") == isOver)
        }
    }
}

/// What counts until an instant.
private final class StreamLease: StreamPermit {
    let expires: Int64
    init(expires: Instant) { self.expires = expires.nanoseconds }
    var isHonoured: Bool { true }
    var holder: String? { nil }
    var readable: TopicSelection? { nil }
    var client: String? { nil }
}
