// A schedule's position in the list of all schedules. It does not depend on the time, so that consecutive pages fit together
// while schedules fire.

import Tween

/// A position in the order of schedules: first those with a due date, by date, then paused intervals, by remaining time.
package struct SchedulePlace: Hashable, Sendable {
    private enum Rank: Hashable, Comparable {
        /// Unix nanoseconds.
        case due(Int64)
        /// Seconds.
        case held(Double)
    }

    private let rank: Rank
    package let id: String

    package init(_ schedule: Schedule) {
        rank = schedule.remaining.map { .held($0) } ?? .due(schedule.due.nanoseconds)
        id = schedule.name.id
    }

    /// Parses a place in the form of `description`.
    package init?(_ text: String) {
        guard let sign = text.lastIndex(of: "@") else { return nil }
        let id = String(text[..<sign])
        let rank = text[text.index(after: sign)...]
        guard ResourceName.isWellFormed(id: id) else { return nil }
        self.id = id
        if let nanoseconds = Int64(rank) {
            self.rank = .due(nanoseconds)
        } else if rank.last == "s", let seconds = Double(rank.dropLast()), seconds >= 0 {
            self.rank = .held(seconds)
        } else {
            return nil
        }
    }
}

extension SchedulePlace: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.rank == right.rank ? left.id < right.id : left.rank < right.rank
    }
}

extension SchedulePlace: CustomStringConvertible {
    /// `tea@1718000000000000000`, or `tea@60.5s` while it is paused; no id contains `@`.
    package var description: String {
        switch rank {
        case .due(let nanoseconds): "\(id)@\(nanoseconds)"
        case .held(let seconds): "\(id)@\(seconds)s"
        }
    }
}
