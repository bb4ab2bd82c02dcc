// The seeds of random tests: always the same, unless make explore gives another.

import Foundation

/// Seeds of random tests, which are tagged `random`.
package enum Seeds {
    /// Returns the seeds to use.
    /// - Parameters:
    ///   - fixed: The seeds of every run of a gate.
    /// - Note: `TWEENCAST_SEED` replaces them by one: a fresh seed, or that of a failure, which is among the test's arguments.
    package static func seeds(_ fixed: [UInt64]) -> [UInt64] {
        let seed = ProcessInfo.processInfo.environment["TWEENCAST_SEED"].flatMap { UInt64($0) }
        return seed.map { [$0] } ?? fixed
    }
}
