// The clock of the transport: deadlines and nothing else.

import CLinux

/// Nanoseconds of the monotonic clock.
func monotonicNow() -> Int64 { tweencast_monotonic_now(0) }

/// The same, some milliseconds old: for deadlines of seconds it is good enough, and cheaper.
func coarseNow() -> Int64 { tweencast_monotonic_now(1) }
