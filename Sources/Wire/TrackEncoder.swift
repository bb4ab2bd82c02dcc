// Tickers and progresses as JSON, for answers.

package import Board
import Labels
package import Tween

/// Writes tracks.
package enum TrackEncoder {
    /// The resource's JSON at an instant.
    package static func append(_ track: Track, at now: Instant, to json: inout JSONWriter) {
        let reading = track.reading(at: now)
        json.object {
            $0.member(track.name.kind == .progress ? "progress" : "ticker", track.name.id)
            appendReading(reading, to: &$0)
            switch track.face {
            case .ticker(let face):
                $0.member("target", raw: track.target.description.utf8)
                appendText(face.text, to: &$0)
                appendFormat(face.format, face.decimals, to: &$0)
            case .progress(let face):
                $0.member("current", raw: track.target.description.utf8)
                appendMaximum(face.maximum, to: &$0)
                $0.member("label", face.label)
                appendFormat(face.format, face.decimals, to: &$0)
                appendPace(track.pace(at: now), to: &$0)
                if let appearance = face.appearance { $0.member("appearance", raw: appearance) }
            }
            $0.member("revision", String(track.revision))
            appendMotion(track.run, at: now, to: &$0)
            if !track.waiting.isEmpty { $0.member("waiting", track.waiting.count) }
            if let seconds = track.timeToLive { $0.member("ttl", seconds) }
            var display: [UInt8] = []
            appendDisplay(of: track, at: now, to: &display)
            $0.member("display", raw: display)
        }
    }

    /// `value`, `fraction`, `percent`, `text`: what frames and events carry too.
    static func appendReading(_ reading: Reading, to json: inout JSONWriter) {
        json.name("value")
        switch reading.value {
        case .exact(let value): json.raw(value.description.utf8)
        case .moving(let value): json.number(value)
        }
        if let fraction = reading.fraction { json.member("fraction", fraction) }
        if let percent = reading.percent { json.member("percent", percent) }
        json.name("text")
        json.string(reading.text)
    }

    private static func appendMaximum(_ maximum: TrackUpdate.Maximum, to json: inout JSONWriter) {
        switch maximum {
        case .value(let value): json.member("maximum", raw: value.description.utf8)
        case .indeterminate: json.member("maximum", raw: "null".utf8)
        }
    }

    private static func appendMotion(_ run: Run?, at now: Instant, to json: inout JSONWriter) {
        guard let run else {
            json.member("motion") { $0.member("state", "idle") }
            return
        }
        json.member("animation", String(run.animation))
        json.member("motion") {
            $0.member("state", run.motion.isPaused ? "paused" : "running")
            $0.member("from", run.motion.from)
            $0.member("to", run.motion.to)
            $0.member("start", Timestamp.text(run.motion.playback.start))
            appendCourse(run.motion.course, to: &$0)
            $0.member("fraction", run.motion.fraction(at: now))
            $0.member("elapsed", run.motion.elapsed(at: now))
            $0.member("velocity", run.motion.velocity(at: now))
            if run.motion.playback.rate != 1 { $0.member("rate", run.motion.playback.rate) }
            if let end = run.motion.end { $0.member("end", Timestamp.text(end)) }
        }
    }

    private static func appendCourse(_ course: Motion.Course, to json: inout JSONWriter) {
        switch course {
        case .timed(let timing):
            json.member("duration", timing.duration)
            json.member("delay", timing.delay)
            json.member("easing", timing.easing.description)
            if timing.iterations != 1 {
                json.name("iterations")
                timing.iterations.isFinite ? json.number(timing.iterations) : json.string("forever".utf8)
            }
            if timing.direction != .normal { json.member("direction", timing.direction.rawValue) }
            if timing.endDelay != 0 { json.member("endDelay", timing.endDelay) }
        case .spring(let spring, let delay, _, _):
            json.member("delay", delay)
            json.member("spring") {
                $0.member("dampingRatio", spring.dampingRatio)
                $0.member("response", spring.response)
            }
        }
    }

    private static func appendText(_ text: TickerFace.Text, to json: inout JSONWriter) {
        switch text {
        case .label(let label, let index):
            json.member("label", label)
            if index != 0 { json.member("index", index) }
        case .parts(let prefix, let suffix):
            json.member("prefix", prefix)
            json.member("suffix", suffix)
        }
    }

    private static func appendFormat(_ format: NumberFormat?, _ decimals: Int?, to json: inout JSONWriter) {
        if let decimals { json.member("decimals", decimals) }
        if let format { json.member("format") { FormatEncoder.append(format, to: &$0) } }
    }

    /// `state`, and what is known of `elapsed`, `rate` and `eta` with its range: seconds, and units per second.
    private static func appendPace(_ pace: ProgressPace, to json: inout JSONWriter) {
        json.member("state", pace.state.rawValue)
        if let elapsed = pace.elapsed { json.member("elapsed", elapsed) }
        if let rate = pace.rate { json.member("rate", rate) }
        if let seconds = pace.secondsLeft { json.member("eta", seconds) }
        guard let range = pace.range else { return }
        json.list("etaRange") {
            $0.number(range.lowerBound)
            $0.number(range.upperBound)
        }
    }

    /// The strings of a track's descriptor as a JSON object.
    package static func appendDisplay(of track: Track, at now: Instant, to bytes: inout [UInt8]) {
        track.tickerDescriptor(at: now)?.appendJSON(to: &bytes)
        track.progressDescriptor(at: now)?.appendJSON(to: &bytes)
    }
}
