// Which random numbers a comparison goes by: always the same, and others when asked for.

import Foundation

/// Seeds of comparisons; that of a failure is among its arguments.
enum Seeds {
    /// One that is always the same; with `TWEENCAST_FRESH_SEEDS=1` also one that no run had before. What a browser rounds
    /// another way at an edge is found once in some thousand moments: to be looked at, not to fail a build by chance.
    static let all: [UInt64] = {
        guard ProcessInfo.processInfo.environment["TWEENCAST_FRESH_SEEDS"] == "1" else { return [2026] }
        let fresh = UInt64.random(in: 0..<1 << 32)
        print("comparisons with the browser, fresh seed \(fresh)")
        return [2026, fresh]
    }()
}
