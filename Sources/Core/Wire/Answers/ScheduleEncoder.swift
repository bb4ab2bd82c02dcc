// Schedules as JSON, for answers and countdown frames.

package import Board
import Labels
package import Tween

/// Encodes schedules.
package enum ScheduleEncoder {
    /// Appends the first members of a list of schedules.
    /// - Parameter count: The number of schedules; nil for readers who may not know it.
    package static func appendHead(isPaused: Bool, count: Int?, to json: inout JSONWriter) {
        json.member("paused", isPaused)
        if let count { json.member("pending", count) }
    }

    /// Appends the resource's JSON at an instant.
    /// - Parameter preview: The number of its next instants to include.
    package static func append(
        _ schedule: Schedule, isHeld: Bool, preview: Int = 0, at now: Instant, to json: inout JSONWriter
    ) {
        json.object {
            $0.member("schedule", schedule.name.id)
            $0.member("state", state(of: schedule, isHeld: isHeld).rawValue)
            $0.member("remaining", schedule.remaining(at: now))
            if let due = due(schedule) { $0.member("due", date: due) }
            if preview > 0 { appendNext(preview, of: schedule, at: now, to: &$0) }
            $0.name("text")
            $0.string(text(of: schedule, at: now))
            $0.member("fired", schedule.fired)
            $0.member("revision", quoted: schedule.revision)
            $0.member("definition", raw: schedule.definition.source)
            var display: [UInt8] = []
            appendDisplay(of: schedule, isHeld: isHeld, at: now, to: &display)
            $0.member("display", raw: display)
            ActionOrigin.append(schedule.origin, to: &$0)
        }
    }
}

extension ScheduleEncoder {
    /// Returns the instants at which a schedule would fire.
    /// - Parameter count: The number of instants; 0 means five.
    package static func preview(of schedule: Schedule, count: Int, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object { appendNext(count > 0 ? count : 5, of: schedule, at: now, to: &$0) }
        return json.bytes
    }

    private static func appendNext(_ count: Int, of schedule: Schedule, at now: Instant, to json: inout JSONWriter) {
        json.list("next") { json in
            for instant in schedule.upcoming(count, at: now) { json.string(Timestamp.text(instant).utf8) }
        }
    }

    private static func state(of schedule: Schedule, isHeld: Bool) -> ScheduleDescriptor.State {
        if schedule.isEnded { return .ended }
        return isHeld ? .paused : .pending
    }

    /// Returns when it fires next. A paused interval has no date until it is resumed.
    private static func due(_ schedule: Schedule) -> Instant? {
        schedule.isEnded || schedule.remaining != nil ? nil : schedule.due
    }

    /// Returns the countdown's text.
    package static func text(of schedule: Schedule, at now: Instant) -> [UInt8] {
        if let words = schedule.words(at: now) { return Array(words.utf8) }
        var bytes: [UInt8] = []
        schedule.definition.label.append(TimeSpan(remaining: schedule.remaining(at: now)), to: &bytes)
        return bytes
    }

    /// Returns the whole seconds that a countdown shows, rounded up: 0 only when it is due.
    package static func secondsShown(of schedule: Schedule, at now: Instant) -> Int {
        TimeSpan(remaining: schedule.remaining(at: now)).totalSeconds
    }

    /// Appends the strings of a schedule's descriptor as a JSON object.
    package static func appendDisplay(of schedule: Schedule, isHeld: Bool, at now: Instant, to bytes: inout [UInt8]) {
        ScheduleDescriptor(
            schedule.definition.label, seconds: schedule.remaining(at: now),
            due: due(schedule).map { Timestamp.text($0) }, state: state(of: schedule, isHeld: isHeld),
            ended: schedule.words(at: now)
        ).appendJSON(to: &bytes)
    }

    /// Appends a countdown frame's payload.
    /// - Parameters:
    ///   - text: The countdown's text, not escaped.
    ///   - hasDisplay: Whether to include the descriptor's strings.
    package static func appendFrame(
        _ schedule: Schedule, text: [UInt8], isHeld: Bool, at now: Instant, hasDisplay: Bool, stamp: FrameStamp?,
        to bytes: inout [UInt8]
    ) {
        var json = JSONWriter()
        json.object {
            $0.member("schedule", schedule.name.id)
            $0.member("value", secondsShown(of: schedule, at: now))
            $0.name("text")
            $0.string(text)
            $0.member("state", state(of: schedule, isHeld: isHeld).rawValue)
            if let due = due(schedule) { $0.member("due", date: due) }
            if hasDisplay {
                var display: [UInt8] = []
                appendDisplay(of: schedule, isHeld: isHeld, at: now, to: &display)
                $0.member("display", raw: display)
            }
            guard let stamp else { return }
            $0.member("t", Int(stamp.unixNanoseconds))
            if let tick = stamp.tick { $0.member("seq", Int(tick)) }
        }
        bytes.append(contentsOf: json.bytes)
    }
}
