// Names of the schedules that represent delayed actions.

import Base

/// Numbered names, in order of creation.
struct DelayedActionNames {
    private static let prefix = "delay:"

    /// The last number used.
    private(set) var last: Int

    init(last: Int = 0) { self.last = last }

    /// Returns the next free name.
    mutating func next(besides taken: BoardNames) -> ResourceName {
        var name: ResourceName
        repeat {
            last += 1
            name = ResourceName(.schedule, "\(Self.prefix)\(last)")
        } while taken[name] != nil
        return name
    }

    /// Continues after a name from the store.
    mutating func resume(_ name: ResourceName) {
        guard name.id.hasPrefix(Self.prefix), let number = Int(name.id.dropFirst(Self.prefix.count)),
            number < Int.max / 2
        else { return }
        last = max(last, number)
    }
}
