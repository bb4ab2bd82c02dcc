// Schedules as JSON, for answers and countdown frames.

package import Board
import Labels
package import Tween

/// Writes schedules.
package enum ScheduleEncoder {
    /// The resource's JSON at an instant.
    /// - Parameter preview: How many of its next instants are told; 0 tells none.
    package static func append(
        _ schedule: Schedule, isHeld: Bool, preview: Int = 0, at now: Instant, to json: inout JSONWriter
    ) {
        let remaining = schedule.remaining(at: now)
        json.object {
            $0.member("schedule", schedule.name.id)
            $0.member("state", isHeld ? "paused" : "pending")
            $0.member("remaining", remaining)
            // A held interval has no date: it gets one when it goes on.
            if schedule.remaining == nil { $0.member("due", Timestamp.text(schedule.due)) }
            if preview > 0 {
                $0.list("next") { json in
                    for instant in schedule.upcoming(preview, at: now) { json.string(Timestamp.text(instant).utf8) }
                }
            }
            $0.name("text")
            $0.string(text(of: schedule, at: now))
            $0.member("fired", schedule.fired)
            $0.member("revision", String(schedule.revision))
            $0.member("definition", raw: schedule.definition.source)
            $0.member("display") {
                $0.member("value", CountdownText(nil).text(seconds: remaining))
                $0.member(
                    "accessible", "\(isHeld ? "paused" : "due in") \(CountdownText(nil).spoken(seconds: remaining))")
            }
        }
    }
}

extension ScheduleEncoder {
    /// The countdown's text.
    package static func text(of schedule: Schedule, at now: Instant) -> [UInt8] {
        Array(CountdownText(schedule.definition.label).text(seconds: schedule.remaining(at: now)).utf8)
    }

    /// A countdown frame's payload.
    /// - Parameter text: The countdown's text, not escaped.
    package static func appendFrame(
        _ schedule: Schedule, text: [UInt8], isHeld: Bool, at now: Instant, stamp: FrameStamp?,
        to bytes: inout [UInt8]
    ) {
        var json = JSONWriter()
        json.object {
            $0.member("schedule", schedule.name.id)
            $0.member("value", CountdownText.shown(schedule.remaining(at: now)))
            $0.name("text")
            $0.string(text)
            $0.member("state", isHeld ? "paused" : "pending")
            if schedule.remaining == nil { $0.member("due", Timestamp.text(schedule.due)) }
            guard let stamp else { return }
            $0.member("t", Int(stamp.unixNanoseconds))
            $0.member("seq", Int(stamp.tick))
        }
        bytes.append(contentsOf: json.bytes)
    }
}

/// A countdown's text: whole seconds left in the label's number, or as a clock where there is no label.
package struct CountdownText: Hashable, Sendable {
    private let label: TickerLabel?

    package init(_ label: String?) {
        self.label = label.map { TickerLabel($0) }
    }

    /// The seconds shown: what is left, rounded up, so that 0 is shown only when it is due.
    package static func shown(_ seconds: Double) -> Int { Int(min(seconds, 1e15).rounded(.up)) }

    package func text(seconds: Double) -> String {
        let shown = Self.shown(seconds)
        return label?.text(of: ExactDecimal(shown)) ?? TimeSpan(seconds: shown).text(.clock)
    }

    func spoken(seconds: Double) -> String { TimeSpan(seconds: Self.shown(seconds)).text(.words) }
}
