// Waiting for what other processes do.

import Glibc

/// What was waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Asks again and again until it is so.
/// - Parameters:
///   - what: What is waited for, in words.
///   - seconds: A bound for what is broken, not a wait.
package func eventually(
    _ what: String, within seconds: Double = 30, _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(description: "\(what): not in \(seconds) s") }
        usleep(5_000)
    }
}
