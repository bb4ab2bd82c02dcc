// The seeds of random tests: always the same in make test, fresh ones in make verify.

import Foundation

/// Seeds of random tests, which are tagged `random`.
package enum Seeds {
    /// Returns the seeds to use.
    /// - Parameters:
    ///   - fixed: The seeds of every run of make test.
    ///   - count: How many fresh seeds replace them with `TWEENCAST_FRESH_SEEDS=1`; nil for as many as `fixed`. `TWEENCAST_SEED`
    ///     replaces all by one, to repeat a failure: a test's arguments show its seed.
    package static func seeds(_ fixed: [UInt64], fresh count: Int? = nil) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["TWEENCAST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return areFresh ? (0..<(count ?? fixed.count)).map { _ in UInt64.random(in: 0..<1 << 32) } : fixed
    }

    /// Whether each run has other seeds, and may take longer.
    package static var areFresh: Bool { ProcessInfo.processInfo.environment["TWEENCAST_FRESH_SEEDS"] == "1" }
}
