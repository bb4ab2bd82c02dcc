// When a client sends a request again.

import Testing

@testable import TweencastClient

@Suite struct RetryTests {
    private let times = RetryTimes(patience: .seconds(10))

    @Test func `pauses between retries double up to eight seconds, with jitter`() {
        let pauses = (1...7).map {
            RetryTimes(patience: .seconds(60)).pause(after: $0, asked: nil, elapsed: .zero, jitter: 0.5)
        }
        let expected = [0.1875, 0.375, 0.75, 1.5, 3, 6, 6].map { Duration.seconds($0) }
        #expect(pauses == expected)
    }

    @Test func `a Retry-After within the client's patience is honoured`() {
        #expect(times.pause(after: 1, asked: 4, elapsed: .seconds(1), jitter: 0) == .seconds(4))
        #expect(times.pause(after: 1, asked: 60, elapsed: .seconds(1), jitter: 0) == nil)
        #expect(times.pause(after: 3, asked: nil, elapsed: .seconds(9.9), jitter: 0) == nil)
    }

    @Test(arguments: [(10, 0, 10), (10, 7, 3), (10, 9.5, 1), (0, 0, 1), (600, 0, 30)])
    func `an attempt's timeout is the patience left, from 1 to 30 seconds`(
        patience: Double, elapsed: Double, limit: Double
    ) {
        let times = RetryTimes(patience: .seconds(patience))
        #expect(times.limit(elapsed: .seconds(elapsed)) == .seconds(limit))
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 507]) func `timeouts, rate limits and server errors are retried`(
        status: Int
    ) {
        #expect(ClientError.refused(ClientError.Problem(status: status, detail: "")).isTemporary)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 422, 301])
    func `other client errors and redirects are not retried`(status: Int) {
        #expect(!ClientError.refused(ClientError.Problem(status: status, detail: "")).isTemporary)
    }

    @Test func `an error is described in one sentence, also one from a proxy`() {
        let problem = ClientError.Problem(
            status: 422, body: Array(#"{"status":422,"title":"x","detail":"must be a number","pointer":"/to"}"#.utf8))
        #expect(ClientError.refused(problem).description == "must be a number (/to)")
        let other = ClientError.Problem(status: 502, body: Array("<html>".utf8))
        #expect(ClientError.refused(other).description == "the server answered with status 502")
    }

    @Test func `new retry keys are unique`() {
        let keys = Set((0..<1_000).map { _ in RetryKey.new() })
        #expect(keys.count == 1_000)
        #expect(keys.allSatisfy { (1...255).contains($0.utf8.count) })
    }
}
