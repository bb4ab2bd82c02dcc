// Times a body: the least of several runs, each long enough for the clock, in CPU time of this thread, so that what else
// the machine does is not measured.

import Glibc

enum Stopwatch {
    /// Nanoseconds of one call; the body gets a counter, so that no two calls compute the same.
    static func nanoseconds(runs: Int = 9, calls: Int = 200_000, _ body: (Int) -> Void) -> Double {
        var least = Double.infinity
        for run in 0..<runs {
            let start = now()
            for call in 0..<calls { body(run * calls + call) }
            least = min(least, Double(now() - start) / Double(calls))
        }
        return least
    }

    private static func now() -> Int {
        var time = timespec()
        // Unsafe because it fills in a structure by its address, which doesn't outlive the call.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
