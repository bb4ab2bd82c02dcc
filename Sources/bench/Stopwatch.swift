// Times a body: the median of several runs, each long enough for the clock.

enum Stopwatch {
    /// Nanoseconds of one call; the body gets a counter, so that no two calls compute the same.
    static func nanoseconds(runs: Int = 7, calls: Int = 200_000, _ body: (Int) -> Void) -> Double {
        var results: [Double] = []
        for run in 0..<runs {
            let time = ContinuousClock().measure {
                for call in 0..<calls { body(run * calls + call) }
            }
            results.append(
                Double(time.components.attoseconds) / 1e9 / Double(calls) + Double(time.components.seconds) * 1e9
                    / Double(calls))
        }
        return results.sorted()[runs / 2]
    }
}
