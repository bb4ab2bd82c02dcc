// Process-wide setup, and an exit that no thread can block.

import CLinux

/// Steps at a process' start and end.
package enum ProcessSetup {
    /// Opens standard input, output and error if they are closed. Call it before anything else opens a file.
    package static func openStandardDescriptors() { tweencast_fill_standard_descriptors() }

    /// Whether the process ignores a signal, as nohup has it.
    package static func ignores(_ signal: Int32) -> Bool { tweencast_ignores(signal) }

    /// Ends the process with exit code 1 and a line on standard error unless it exits by itself in time. A kernel timer does
    /// it, so blocked threads don't matter; the caller must not block signals.
    /// - Parameter seconds: Whole seconds, at least one.
    /// - Returns: false when the system has no timer left.
    package static func end(within seconds: Int) -> Bool { tweencast_end_within(max(1, seconds)) == 0 }

    /// Cancels `end(within:)`.
    package static func endInItsTime() { _ = tweencast_end_within(0) }
}
