// What a number shows at an instant, or at many: answers and lists of frames.

import Base
package import Board
import Labels
package import Tween

/// An instant as a request names it.
package enum MomentTime: Hashable, Sendable {
    case date(Instant)
    /// Seconds since the start of the motion that is under way.
    case sinceStart(Double)

    /// Parses an RFC 3339 date, or seconds.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        // In an address, a plus sign that isn't escaped is a blank.
        if let date = Timestamp.instant(text.replacing(" ", with: "+")) {
            self = .date(date)
        } else if let seconds = ParameterNumber.value(of: text), (0...Self.longest).contains(seconds) {
            self = .sinceStart(seconds)
        } else {
            return nil
        }
    }

    /// The most seconds since a start: the longest motion's.
    package static let longest = TrackUpdate.maximumSeconds

    /// Returns the instant.
    /// - Throws: 422 for seconds since the start of a number that doesn't move forwards, and for those before its last pause,
    ///   seek or change of rate.
    func instant(of track: Track, _ field: String) throws(Problem) -> Instant {
        switch self {
        case .date(let date): return date
        case .sinceStart(let seconds):
            guard let start = track.motionStart else {
                throw .field(
                    field, "seconds count from the start of a motion that runs forwards, and there is none; give a date"
                )
            }
            let (instant, known) = (start.advanced(bySeconds: seconds), track.knowledgeStart)
            guard instant >= known else {
                let change = "the motion was paused, moved or given another rate at \(Timestamp.text(known))"
                throw .field(field, "\(change), and is known since then")
            }
            // A motion ends with the first nanosecond at which its time, a double, has reached its end.
            guard let end = track.run?.motion.end, instant < end,
                end.nanoseconds - instant.nanoseconds <= Self.nanosecondsOfRounding
            else { return instant }
            return end
        }
    }

    private static let nanosecondsOfRounding: Int64 = 1_000
}

/// Encodes moments.
package enum MomentEncoder {
    /// Returns a resource as it is at an instant, as JSON.
    /// - Parameter rendering: In the reader's locale; nil for as it was posted.
    /// - Throws: 422 if that is not known.
    package static func body(
        of track: Track, as rendering: Rendering? = nil, at time: MomentTime, now: Instant
    ) throws(Problem) -> [UInt8] {
        let moment = try moment(of: track, at: try time.instant(of: track, field), now, field)
        var json = JSONWriter(capacity: 640)
        TrackEncoder.append(moment, as: rendering, to: &json)
        return json.bytes
    }

    private static let field = "?at"

    /// - Parameter field: The parameter that names the instant.
    static func moment(
        of track: Track, at instant: Instant, _ now: Instant, _ field: String
    ) throws(Problem) -> Moment {
        do throws(UnknownMoment) {
            return try track.moment(at: instant, now: now)
        } catch {
            switch error {
            case .beforeHistory(let since):
                throw .field(field, "nothing is kept from before \(Timestamp.text(since))")
            case .afterMotion(let end):
                throw .field(
                    field, "the motion ends at \(Timestamp.text(end)); what the number shows later is not known yet")
            case .afterNow:
                throw .field(
                    field, "it doesn't move, and is known until now, \(Timestamp.text(now)) on the server's clock")
            }
        }
    }
}
