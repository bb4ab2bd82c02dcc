// Names of the schedules that stand for actions which wait for their time.

import Base

/// Numbered, in the order in which they were made.
struct DelayedActionNames {
    private static let prefix = "delay:"

    /// The number of the last one.
    private(set) var last: Int

    init(last: Int = 0) { self.last = last }

    /// The next name that nobody has.
    mutating func next(besides taken: BoardNames) -> ResourceName {
        var name: ResourceName
        repeat {
            last += 1
            name = ResourceName(.schedule, "\(Self.prefix)\(last)")
        } while taken[name] != nil
        return name
    }

    /// Has names to come follow one that a store kept.
    mutating func follow(_ name: ResourceName) {
        guard name.id.hasPrefix(Self.prefix), let number = Int(name.id.dropFirst(Self.prefix.count)),
            number < Int.max / 2
        else { return }
        last = max(last, number)
    }
}
