// The timing and playback models against the shared vectors, whose times are milliseconds.
import Testing

@testable import Tween

@Suite struct TimingVectorTests {
    @Test(arguments: Vector.cases("timing", in: "easing.json"))
    func `timing resolves as Web Animations has it`(vector: Vector) throws {
        let fields = vector.fields
        let timing = try Self.timing(fields.object("timing"))
        let time = try #require(fields["localTime"])
        let resolution = timing.resolution(at: time, rate: fields["playbackRate"] ?? 1)
        let expected = fields.object("expect")
        #expect(resolution.phase.rawValue == expected.text("phase"))
        #expect(timing.activeDuration == expected["activeDuration"])
        #expect(timing.endTime == expected["endTime"])
        #expect(resolution.currentIteration == expected["currentIteration"])
        #expect((resolution.progress == nil) == (expected["progress"] == nil))
        if let progress = resolution.progress, let wanted = expected["progress"] {
            #expect(abs(progress - wanted) <= (try #require(fields["tol"])))
        }
    }

    @Test(arguments: Vector.cases("playback", in: "easing.json"))
    func `playback follows Web Animations' script`(vector: Vector) throws {
        let steps = vector.fields.objects("steps")
        var player = Player(timing: try Self.timing(try #require(steps.first)))
        for step in steps.dropFirst() {
            try player.perform(step)
        }
    }

    @Test(arguments: Vector.cases("autoreverse", in: "origins.json"))
    func `autoreverse is there and back`(vector: Vector) throws {
        let (input, expected) = (vector.fields.object("input"), vector.fields.object("expected"))
        let easing = try Easing(parsing: try #require(input.text("curve")))
        let timing = Timing(duration: try #require(input["duration"]), repeats: 0, autoreverse: true, easing: easing)
        let motion = Motion(
            from: try #require(input["from"]), to: try #require(input["to"]), course: .timed(timing),
            startingAt: Instant(nanoseconds: 0))
        let values = input.numbers("sampleSeconds").map(motion.value(atTime:))
        #expect(values == expected.numbers("values"))
        #expect(motion.destination == motion.from)
    }

    /// A timing from a vector's fields; absent fields have Web Animations' own defaults.
    static func timing(_ fields: Fields) throws -> Timing {
        let easing = try fields.text("easing").map { text throws in try Easing(parsing: text) } ?? .linear
        let direction = try fields.text("direction").map { try #require(Direction(rawValue: $0)) } ?? .normal
        let fill = fields.text("fill").flatMap(FillMode.init(rawValue:)) ?? .none
        return Timing(
            duration: fields["duration"] ?? 0, delay: fields["delay"] ?? 0, endDelay: fields["endDelay"] ?? 0,
            iterations: fields["iterations"] ?? 1, iterationStart: fields["iterationStart"] ?? 0,
            direction: direction, easing: easing, fill: fill)
    }
}

/// Plays a vector's script on a `Playback`; no playback is Web Animations' idle state.
private struct Player {
    let timing: Timing
    var playback: Playback?
    var rate = 1.0
    var events: [String] = []
    var wasFinished = false

    init(timing: Timing) { self.timing = timing }

    mutating func perform(_ step: Fields) throws {
        let operation = try #require(step.text("op"))
        let now = Instant(nanoseconds: Int64(try #require(step["now"]) * 1e9))
        noteFinish(at: now)
        if step.text("throws") != nil {
            #expect(throws: PlaybackError.self) { try carryOut(operation, step, at: now) }
        } else {
            try carryOut(operation, step, at: now)
        }
        noteFinish(at: now)
        if operation == "expect" { check(step, at: now) }
    }

    private mutating func carryOut(_ operation: String, _ step: Fields, at now: Instant) throws {
        let end = timing.endTime
        var changed = playback ?? Playback(start: now, rate: rate)
        switch operation {
        case "play":
            playback == nil ? (changed = Playback(start: now, rate: rate)) : try changed.play(at: now, end: end)
        case "pause": changed.pause(at: now, end: end)
        case "seek": changed.seek(to: try #require(step["time"]), at: now)
        case "setRate": changed.setRate(try #require(step["rate"]), at: now, end: end)
        case "reverse": try changed.reverse(at: now, end: end)
        case "finish": try changed.finish(at: now, end: end)
        case "cancel":
            if playback != nil { events.append("cancel") }
            playback = nil
            return
        default: return
        }
        if operation == "setRate" { rate = changed.rate }
        playback = changed
    }

    /// A finish is an event when the state is first seen to be finished.
    private mutating func noteFinish(at now: Instant) {
        let isFinished = playback?.state(at: now, end: timing.endTime) == .finished
        if isFinished, !wasFinished { events.append("finish") }
        wasFinished = isFinished
    }

    private func check(_ step: Fields, at now: Instant) {
        if let wanted = step["currentTime"] {
            let time = playback?.currentTime(at: now, end: timing.endTime)
            #expect(time.map { abs($0 - wanted) <= 1e-6 } == true, "current time \(String(describing: time))")
        } else if step.values["currentTime"] != nil {
            #expect(playback == nil)
        }
        if let state = step.text("playState") {
            #expect((playback?.state(at: now, end: timing.endTime).rawValue ?? "idle") == state)
        }
        if let wanted = step["rate"] { #expect(playback?.rate ?? rate == wanted) }
        if let wanted = step.values["events"] as? [String] { #expect(events == wanted) }
    }
}
