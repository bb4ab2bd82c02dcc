// Tickers and progresses as JSON, for answers.

import Base
package import Board
import Labels
package import Tween

/// Encodes tracks.
package enum TrackEncoder {
    /// Appends the resource's JSON at an instant.
    /// - Parameters:
    ///   - rendering: The rendering in the reader's locale; nil: the track's own.
    ///   - isLate: Whether this answers an update that arrived after a later one.
    package static func append(
        _ track: Track, as rendering: Rendering? = nil, isLate: Bool = false, at now: Instant, to json: inout JSONWriter
    ) {
        // A copy counts many references, so it is only made for another rendering.
        guard let rendering else { return append(track, shownAs: track, isLate: isLate, at: now, to: &json) }
        var shown = track
        shown.rendering = rendering
        append(track, shownAs: shown, isLate: isLate, at: now, to: &json)
    }

    /// Returns what a client sees of a track's JSON that may add to it and not read it: its name, value and text.
    package static func sum(of json: [UInt8]) -> [UInt8] {
        var sum = JSONWriter()
        sum.object {
            guard let document = try? JSONDocument(json, from: .stored),
                case .object(let members) = document.root.content
            else { return }
            for member in members where ["ticker", "progress", "value", "text"].contains(member.name) {
                $0.member(member.name, raw: document.source(of: member.value))
            }
        }
        return sum.bytes
    }

    /// Appends the resource's JSON at another instant than now.
    static func append(_ moment: Moment, as rendering: Rendering?, to json: inout JSONWriter) {
        var shown = moment.track
        if let rendering { shown.rendering = rendering }
        append(moment.track, shownAs: shown, of: moment, isLate: false, at: moment.instant, to: &json)
    }

    private static func append(
        _ track: Track, shownAs shown: Track, of moment: Moment? = nil, isLate: Bool, at now: Instant,
        to json: inout JSONWriter
    ) {
        json.object {
            $0.member(track.name.kind == .progress ? "progress" : "ticker", track.name.id)
            appendReading(of: shown, at: now, to: &$0)
            $0.member(track.name.kind == .progress ? "current" : "target", track.target)
            for field in RenderingField.all(of: track.name.kind) { field.append(track, as: .answer, to: &$0) }
            if track.name.kind == .progress { appendPace(track.pace(at: now), to: &$0) }
            if let definition = track.definition?.source, !definition.isEmpty {
                $0.member("definition", raw: definition)
            }
            $0.member("revision", quoted: track.revision)
            if let sequence = track.sequence { $0.member("sequence", sequence) }
            if isLate { $0.member("late", true) }
            if let moment {
                $0.member("at", date: moment.instant)
                $0.member("source", moment.source.rawValue)
            }
            appendMotion(track.run, at: now, to: &$0)
            if !track.waiting.isEmpty { appendQueue(track.waiting, to: &$0) }
            $0.name("display")
            $0.raw { appendDisplay(of: shown, at: now, to: &$0) }
        }
    }

    /// Appends `value`, `fraction`, `percent` and `text`, which frames and events also have.
    static func appendReading(_ reading: Reading, to json: inout JSONWriter) {
        appendNumbers(reading.value, fraction: reading.fraction, percent: reading.percent, to: &json)
        json.name("text")
        json.string(reading.text)
    }

    /// Appends what a track shows now, without creating a reading.
    private static func appendReading(of track: Track, at now: Instant, to json: inout JSONWriter) {
        let position = track.position(at: now)
        let share = track.share(of: position, at: now)
        appendNumbers(position, fraction: share?.fraction, percent: share?.percent, to: &json)
        json.name("text")
        json.quoted { track.appendText(position, at: now, escaped: true, to: &$0) }
    }

    private static func appendNumbers(
        _ value: Position, fraction: Double?, percent: Int?, to json: inout JSONWriter
    ) {
        json.name("value")
        switch value {
        case .exact(let value): json.number(value)
        case .moving(let value): json.number(value)
        }
        if let fraction { json.member("fraction", fraction) }
        if let percent { json.member("percent", percent) }
    }

    private static func appendMotion(_ run: Run?, at now: Instant, to json: inout JSONWriter) {
        guard let run else {
            json.member("motion") { $0.member("state", "idle") }
            return
        }
        json.member("animation", quoted: run.animation)
        json.member("motion") {
            $0.member("state", run.motion.isPaused ? "paused" : "running")
            $0.member("from", run.motion.from)
            $0.member("to", run.motion.to)
            $0.member("start", date: run.motion.playback.startTime)
            for field in TrackUpdate.MotionField.allCases { field.show(run, to: &$0) }
            if let keyframes = run.motion.keyframes { keyframes.append(to: &$0) }
            if let change = run.maximum?.motion {
                $0.member("maximum") {
                    $0.member("from", change.from)
                    $0.member("to", change.to)
                    $0.member("value", change.value(at: now))
                }
            }
            if let then = run.then { $0.member("then", raw: then.source) }
            if let otherwise = run.otherwise { $0.member("else", raw: otherwise.source) }
            $0.member("fraction", run.motion.fraction(at: now))
            $0.member("elapsed", run.motion.elapsed(at: now))
            $0.member("velocity", run.motion.velocity(at: now))
            if let end = run.motion.end { $0.member("end", date: end) }
        }
    }

    /// Appends the number of waiting updates, and each as it was sent.
    private static func appendQueue(_ waiting: [WaitingUpdate], to json: inout JSONWriter) {
        json.member("waiting", waiting.count)
        json.list("queue") { json in
            for next in waiting {
                json.object {
                    $0.member("animation", quoted: next.animation)
                    $0.member("target", next.target)
                    $0.member("update", raw: next.update.source)
                }
            }
        }
    }

    /// Appends `state`, and if known `elapsed`, `rate` and `eta` with its range: seconds, and units per second.
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

    /// Appends the strings of a track's descriptor as a JSON object.
    /// - Parameter position: The position whose text parts are included for a ticker; nil omits them.
    package static func appendDisplay(
        of track: Track, partsAt position: Position? = nil, at now: Instant, to bytes: inout [UInt8]
    ) {
        let isTicker = track.appendTickerDescriptor(
            parts: position.flatMap { track.textParts(of: $0) }, at: now, to: &bytes)
        if !isTicker { track.progressDescriptor(at: now)?.appendJSON(to: &bytes) }
    }
}
