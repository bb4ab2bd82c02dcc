// The target history of a number as JSON.

import Base
package import Board
import Labels
import Tween

/// Encodes the target history of a track.
package enum HistoryEncoder {
    /// Returns the targets, oldest first and the current one last.
    /// - Parameter points: The maximum number of targets; the latest are returned.
    package static func body(of track: Track, points: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("\(track.name.kind)", track.name.id)
            $0.list("points") { json in
                for point in track.history.past.suffix(points - 1) {
                    append(point.milliseconds, value: point.value, to: &json)
                }
                append(track.history.since, value: track.target.double, to: &json)
            }
        }
        return json.bytes
    }

    private static func append(_ milliseconds: Int64, value: Double, to json: inout JSONWriter) {
        json.object {
            $0.member("at", date: Instant(nanoseconds: milliseconds &* 1_000_000))
            $0.member("value", value)
        }
    }
}
