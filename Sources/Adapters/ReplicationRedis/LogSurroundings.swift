// What the log takes from the machine. A simulation replaces it.

package import Base
import OperatingSystem

/// Time, chance and threads.
package struct LogSurroundings: Sendable {
    /// Monotonic nanoseconds.
    var monotonic: @Sendable () -> Int64
    var random: RandomSource
    /// Waits so many nanoseconds.
    var pause: @Sendable (_ nanoseconds: Int64) -> Void
    /// Runs what takes long beside the turns of the log; nil for a thread of its own.
    var runLater: (@Sendable (_ body: @escaping @Sendable () -> Void) -> Void)?

    /// Those of the machine.
    package static let system = LogSurroundings(
        monotonic: { SystemClock.monotonic() }, random: .system, pause: { SystemClock.sleep(nanoseconds: $0) },
        runLater: nil)

    package init(
        monotonic: @escaping @Sendable () -> Int64, random: RandomSource,
        pause: @escaping @Sendable (_ nanoseconds: Int64) -> Void,
        runLater: (@Sendable (_ body: @escaping @Sendable () -> Void) -> Void)?
    ) {
        (self.monotonic, self.random, self.pause, self.runLater) = (monotonic, random, pause, runLater)
    }
}
