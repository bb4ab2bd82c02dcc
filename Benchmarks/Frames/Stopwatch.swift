// Times a closure: the least of several runs, each long compared with the clock's resolution. It uses this thread's CPU
// time, so that other processes don't count.

import Glibc

enum Stopwatch {
    /// Returns the nanoseconds of one call. The closure gets a counter, so that no two calls compute the same.
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
        // Unsafe because it passes a structure's address, which is not used after the call.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
