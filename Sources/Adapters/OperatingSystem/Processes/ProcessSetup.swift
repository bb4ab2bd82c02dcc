// The process as a whole: what it begins with, and an end that no thread can hold up.

import CLinux

/// What happens at a process' beginning and end.
package enum ProcessSetup {
    /// Sees to it that standard input, output and error are open. Before anything else opens a file.
    package static func openStandardDescriptors() { tweencast_fill_standard_descriptors() }

    /// Ends the process with exit code 1 and a line on standard error unless it has ended by then. The kernel's timer does
    /// it, whatever any other thread waits for; the caller must not hold up signals.
    /// - Parameter seconds: Whole seconds, at least one.
    /// - Returns: false when the system has no timer to give.
    package static func end(within seconds: Int) -> Bool { tweencast_end_within(max(1, seconds)) == 0 }

    /// It has as long as it takes after all.
    package static func endInItsTime() { _ = tweencast_end_within(0) }
}
