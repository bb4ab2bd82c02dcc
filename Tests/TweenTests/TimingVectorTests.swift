// The timing and playback models against the vectors, whose times are milliseconds.
import TestSupport
import Testing

@testable import Tween

@Suite struct TimingVectorTests {
    @Test(arguments: try VectorCase.all("timing", in: "easing.json"))
    func `timing resolves as Web Animations has it`(vector: VectorCase) throws {
        let fields = vector.fields
        let timing = try Self.timing(fields["timing"] ?? .null)
        let time = try #require(fields["localTime"]?.number)
        let resolution = timing.resolution(at: time, rate: fields["playbackRate"]?.number ?? 1)
        let expected = fields["expect"] ?? .null
        #expect(resolution.phase.rawValue == expected["phase"]?.text)
        #expect(timing.activeDuration == expected["activeDuration"]?.number)
        #expect(timing.endTime == expected["endTime"]?.number)
        #expect(resolution.currentIteration == expected["currentIteration"]?.number)
        #expect((resolution.progress == nil) == (expected["progress"]?.number == nil))
        if let progress = resolution.progress, let wanted = expected["progress"]?.number {
            #expect(abs(progress - wanted) <= (try #require(fields["tol"]?.number)))
        }
    }

    @Test(arguments: try VectorCase.all("playback", in: "easing.json"))
    func `playback operations behave as in Web Animations`(vector: VectorCase) throws {
        let steps = vector.fields["steps"]?.list ?? []
        var player = Player(timing: try Self.timing(try #require(steps.first)))
        for step in steps.dropFirst() {
            try player.perform(step)
        }
    }

    @Test(arguments: try VectorCase.all("autoreverse", in: "origins.json"))
    func `autoreverse plays forwards, then backwards`(vector: VectorCase) throws {
        let (input, expected) = (vector.input, vector.expected)
        let easing = try Easing(parsing: try #require(input["curve"]?.text))
        let timing = Timing(
            duration: try #require(input["duration"]?.number), repeats: 0, autoreverse: true, easing: easing)
        let motion = Motion(
            from: try #require(input["from"]?.number), to: try #require(input["to"]?.number), course: .timed(timing),
            startingAt: Instant(nanoseconds: 0))
        let values = (input["sampleSeconds"]?.list ?? []).compactMap(\.number).map(motion.value(atTime:))
        #expect(values == (expected["values"]?.list ?? []).compactMap(\.number))
        #expect(motion.destination == motion.from)
    }

    /// A timing from a vector's fields; absent fields have Web Animations' own defaults.
    static func timing(_ fields: JSONValue) throws -> Timing {
        let easing = try fields["easing"]?.text.map { text throws in try Easing(parsing: text) } ?? .linear
        let direction = try fields["direction"]?.text.map { try #require(Direction(rawValue: $0)) } ?? .normal
        let fill = fields["fill"]?.text.flatMap(FillMode.init(rawValue:)) ?? .none
        return Timing(
            duration: fields["duration"]?.number ?? 0, delay: fields["delay"]?.number ?? 0,
            endDelay: fields["endDelay"]?.number ?? 0,
            iterations: fields["iterations"]?.number ?? 1, iterationStart: fields["iterationStart"]?.number ?? 0,
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

    mutating func perform(_ step: JSONValue) throws {
        let operation = try #require(step["op"]?.text)
        let now = Instant(nanoseconds: Int64(try #require(step["now"]?.number) * 1e9))
        noteFinish(at: now)
        if step["throws"]?.text != nil {
            #expect(throws: PlaybackError.self) { try carryOut(operation, step, at: now) }
        } else {
            try carryOut(operation, step, at: now)
        }
        noteFinish(at: now)
        if operation == "expect" { check(step, at: now) }
    }

    private mutating func carryOut(_ operation: String, _ step: JSONValue, at now: Instant) throws {
        let end = timing.endTime
        var changed = playback ?? Playback(start: now, rate: rate)
        switch operation {
        case "play":
            playback == nil ? (changed = Playback(start: now, rate: rate)) : try changed.play(at: now, end: end)
        case "pause": changed.pause(at: now, end: end)
        case "seek": changed.seek(to: try #require(step["time"]?.number), at: now)
        case "setRate": changed.setRate(try #require(step["rate"]?.number), at: now, end: end)
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

    private func check(_ step: JSONValue, at now: Instant) {
        if let wanted = step["currentTime"]?.number {
            let time = playback?.currentTime(at: now, end: timing.endTime)
            #expect(time.map { abs($0 - wanted) <= 1e-6 } == true, "current time \(String(describing: time))")
        } else if step.holds("currentTime") {
            #expect(playback == nil)
        }
        if let state = step["playState"]?.text {
            #expect((playback?.state(at: now, end: timing.endTime).rawValue ?? "idle") == state)
        }
        if let wanted = step["rate"]?.number { #expect(playback?.rate ?? rate == wanted) }
        if let wanted = step["events"]?.list?.compactMap(\.text) { #expect(events == wanted) }
    }
}
