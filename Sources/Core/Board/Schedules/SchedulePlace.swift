// Where a schedule stands in the list of all. It is the same at whatever instant one looks, so that pages asked for one
// after another fit together while schedules fire.

import Tween

/// A place in the order of schedules: those with a due date by it, then held intervals by what they have left.
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

    /// Reads a place as `description` writes it.
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
    /// `tea@1718000000000000000`, or `tea@60.5s` while it is held; `@` is in no id.
    package var description: String {
        switch rank {
        case .due(let nanoseconds): "\(id)@\(nanoseconds)"
        case .held(let seconds): "\(id)@\(seconds)s"
        }
    }
}
