// Instants as tests write them.

import Base
import Foundation
import Tween

@testable import RecurrenceRules

extension Instant {
    /// An RFC 3339 date with an offset, without fractions.
    init(_ text: String) throws {
        self.init(nanoseconds: Int64(try Date.ISO8601FormatStyle().parse(text).timeIntervalSince1970) * 1_000_000_000)
    }

    /// Wall time and offset in a zone: `2026-03-29 03:30 +02:00`.
    func text(in zone: ZoneOffsets) -> String {
        let second = Int(nanoseconds / 1_000_000_000)
        let wall = zone.wall(at: second)
        let day = wall.dividedDown(by: 86_400)
        let date = CivilDate(dayNumber: day)
        let minute = (wall - day * 86_400) / 60
        let offset = abs(wall - second) / 60
        return String(
            format: "%04d-%02d-%02d %02d:%02d %@%02d:%02d", date.year, date.month, date.day, minute / 60, minute % 60,
            wall < second ? "-" : "+", offset / 60, offset % 60)
    }
}
