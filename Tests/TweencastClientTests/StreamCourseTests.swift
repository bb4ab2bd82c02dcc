// How a client follows a stream over its connections.

import Testing

@testable import TweencastClient

@Suite struct StreamCourseTests {
    private static func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

    private static let frame = #"{"event":"frame","data":{"ticker":"a","value":5,"text":"$5"}}"#
    private static let shown = StreamItem.frame(
        ResourceFrame(topic: Topic(.ticker, "a"), text: "$5", value: 5, fraction: nil))

    @Test func `frames are parsed wherever their bytes are split`() {
        let bytes = Self.line(Self.frame) + Self.line(Self.frame)
        for size in [1, 7, bytes.count] {
            var course = StreamCourse()
            var items: [StreamItem] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                items += course.receive(Array(bytes.dropFirst(start).prefix(size))).items
            }
            #expect(items == [Self.shown, Self.shown])
        }
    }

    @Test func `a line cut off by a disconnect is dropped`() {
        var course = StreamCourse()
        _ = course.receive(Array(#"{"event":"complete","id":"7","data":{"#.utf8))
        #expect(course.lastID == nil)
        course.begin()
        #expect(course.receive(Self.line(Self.frame)).items == [Self.shown])
    }

    @Test func `the last event id and the retry pause are taken from the server`() {
        var course = StreamCourse()
        _ = course.receive(Self.line(#"{"event":"hello","id":"e-1","retry":1500,"data":{"heartbeat":5}}"#))
        #expect(course.lastID == "e-1")
        #expect(course.pause(asked: nil) == .milliseconds(1_500))
        _ = course.receive(Self.line(#"{"event":"reset","id":"f-9","data":{"reason":"unknown"}}"#))
        #expect(course.lastID == "f-9")
    }

    @Test func `pauses between reconnects double while nothing arrives, up to 30 seconds`() {
        var course = StreamCourse()
        _ = course.receive(Self.line(#"{"event":"hello","retry":2000,"data":{}}"#))
        var pauses: [Duration] = []
        for _ in 0..<7 {
            course.fail()
            pauses.append(course.pause(asked: nil))
        }
        #expect(pauses == [2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        _ = course.receive(Self.line(Self.frame))
        #expect(course.pause(asked: nil) == .seconds(2))
    }

    @Test func `a Retry-After sets the pause before a reconnect, up to a minute`() {
        let course = StreamCourse()
        #expect(course.pause(asked: 7) == .seconds(7))
        #expect(course.pause(asked: 3_600) == .seconds(60))
    }

    @Test func `lines after a bye are ignored`() {
        var course = StreamCourse()
        let bye = Self.line(#"{"event":"bye","retry":3000,"data":{"reason":"draining"}}"#)
        let progress = course.receive(bye + Self.line(Self.frame))
        #expect(progress.isEnding)
        #expect(progress.items == [.disconnected(reason: "the server says goodbye: draining")])
        #expect(course.pause(asked: nil) == .seconds(3))
    }

    @Test func `unknown and endless lines are skipped`() {
        var course = StreamCourse()
        let odd = Self.line("no JSON") + Self.line(#"{"event":5}"#) + Self.line("")
        #expect(course.receive(odd).items.isEmpty)
        for _ in 0..<70 { #expect(course.receive([UInt8](repeating: 32, count: 1_000)).items.isEmpty) }
        #expect(course.receive(Self.line("") + Self.line(Self.frame)).items == [Self.shown])
    }

    @Test func `an event has its name, topic, reason and frame`() throws {
        var course = StreamCourse()
        let text =
            #"{"event":"complete","id":"1","data":{"progress":"p","finished":true,"reason":"finished","text":"100%","fraction":1}}"#
        guard case .event(let event)? = course.receive(Self.line(text)).items.first else {
            Issue.record("no event")
            return
        }
        #expect(event.name == "complete" && event.topic == Topic(.progress, "p") && event.reason == "finished")
        #expect(event.frame?.fraction == 1 && event.json == text)
    }

    @Test func `a stream's address has its topics and options`() throws {
        var options = StreamOptions()
        options.framesPerSecond = 2
        #expect(
            try options.path(of: [Topic(.ticker, "a.b"), Topic(.progress, "room-*")])
                == "/v1/events?ticker=a.b&progress=room-%2A&fps=2.0&as=ndjson&heartbeat=5")
    }
}
