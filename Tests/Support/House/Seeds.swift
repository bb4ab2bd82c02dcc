// Which random numbers a test goes by: always the same in make test, others in make verify.

import Foundation

/// Seeds of random tests, which are tagged `random`.
package enum Seeds {
    /// - Parameters:
    ///   - fixed: Those of every run of make test.
    ///   - count: How many seeds that no run had before take their place with `TWEENCAST_FRESH_SEEDS=1`; nil for as many
    ///     as `fixed`. `TWEENCAST_SEED` is the one seed instead, to run a failure again: it stands among its arguments.
    package static func seeds(_ fixed: [UInt64], fresh count: Int? = nil) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["TWEENCAST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return areFresh ? (0..<(count ?? fixed.count)).map { _ in UInt64.random(in: 0..<1 << 32) } : fixed
    }

    /// Whether the seeds are others in each run, and runs may be longer.
    package static var areFresh: Bool { ProcessInfo.processInfo.environment["TWEENCAST_FRESH_SEEDS"] == "1" }
}
