// The transport's clock, for deadlines only.

import CLinux

/// Returns the monotonic time in nanoseconds.
func monotonicNow() -> Int64 { tweencast_monotonic_now(0) }

/// Returns the monotonic time, a few milliseconds old: cheaper, and precise enough for deadlines of seconds.
func coarseNow() -> Int64 { tweencast_monotonic_now(1) }
