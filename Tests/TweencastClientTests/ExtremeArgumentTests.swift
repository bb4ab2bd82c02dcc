// Arguments at the ends of their types end no program.

import Testing

@testable import TweencastClient

@Suite struct ExtremeArgumentTests {
    @Test(arguments: [(Int.max, 60, 121), (.min, 1, 3), (0, 1, 3), (61, 60, 121), (5, 5, 11)])
    func `a heartbeat is kept within what a server sends`(seconds: Int, heartbeat: Int, silence: Int) {
        var options = StreamOptions()
        options.heartbeat = seconds
        #expect(options.heartbeat == heartbeat && options.silence == silence)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude])
    func `a frame rate of any double is a path that the server may refuse`(rate: Double) throws {
        var options = StreamOptions()
        options.framesPerSecond = rate
        #expect(try options.path(of: [Topic(.ticker, "a")]).contains("fps=\(rate)"))
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1)])
    func `a patience of any duration is one`(patience: Duration) {
        let times = RetryTimes(patience: patience)
        for elapsed in [Duration.zero, .seconds(Int64.max), .seconds(1)] {
            #expect((.seconds(1)...(.seconds(30))).contains(times.limit(elapsed: elapsed)))
            for attempt in [1, .max] {
                for asked in [nil, 0, Int.max] {
                    let pause = times.pause(after: attempt, asked: asked, elapsed: elapsed, jitter: 0.5)
                    #expect(pause.map { $0 <= patience } ?? true)
                }
            }
        }
    }

    private static let bodies = [
        #""from":-1e308,"to":1e308,"duration":1e308,"easing":"ease-out""#,
        #""from":0,"to":1,"duration":0,"iterations":"forever","direction":"alternate""#,
        #""from":0,"to":1,"duration":1,"iterations":1e308,"repeatDelay":1e308,"delay":1e308"#,
        #""from":0,"to":5e-324,"duration":5e-324,"spring":{"dampingRatio":0.01,"response":60},"velocity":1e308"#,
        #""from":0,"to":1,"duration":1,"launch":{"chase":1e308},"maximum":{"from":-1e308,"to":1e308,"duration":1}"#,
        #""from":0,"to":1,"duration":1,"rate":-1e308,"elapsed":1e308,"range":[-1e308,1e308],"clamp":[null,1e308]"#,
    ]

    @Test(arguments: bodies) func `a motion of any numbers has a value at any time`(body: String) throws {
        let json = #"{"state":"running","start":"2026-01-01T00:00:00Z",\#(body)}"#
        let motion = try #require(RemoteMotion(json: Array(json.utf8)))
        for time in [Double(0), 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            _ = (motion.value(at: time), motion.maximum(at: time), motion.hasEnded(at: time))
        }
    }
}
