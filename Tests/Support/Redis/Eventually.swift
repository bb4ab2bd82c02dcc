// Waits for other processes.

import Glibc

/// A condition that was not met in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Polls a condition until it is true.
/// - Parameters:
///   - what: What is awaited, in words.
///   - seconds: A bound for broken code, not a wait.
package func eventually(
    _ what: String, within seconds: Double = 30, _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(description: "\(what): not in \(seconds) s") }
        usleep(5_000)
    }
}
