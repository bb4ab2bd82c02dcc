// When a delivery is tried again.

import Machine
import Testing

@Suite struct RetryPlanTests {
    private let plan = RetryPlan()

    @Test(arguments: [200, 201, 202, 204, 299])
    func `an answer of success ends it`(status: Int) {
        #expect(plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: 1, jitter: 0) == .delivered)
    }

    @Test(arguments: [100, 301, 302, 307, 400, 401, 403, 404, 408, 409, 422, 429, 451, 500, 503])
    func `any other answer is tried again, as often as none is`(status: Int) {
        for attempt in 1..<plan.attempts {
            let verdict = plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: attempt, jitter: 0)
            #expect(verdict == plan.verdict(on: .failed("no answer"), attempt: attempt, jitter: 0))
            #expect(verdict != .givenUp)
        }
        let last = plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: plan.attempts, jitter: 0)
        #expect(last == .givenUp)
    }

    @Test func `a receiver that is gone, or may not be called, ends it`() {
        for outcome in [.answered(status: 410, retryAfter: nil), .forbidden("x")] as [WebhookOutcome] {
            #expect(plan.verdict(on: outcome, attempt: 1, jitter: 0) == .givenUp)
        }
    }

    @Test(arguments: [
        (1, 0.0, 0.5), (1, 0.5, 0.75), (2, 0.0, 1.0), (3, 0.0, 2.0), (11, 0.0, 512.0), (11, 0.999, 1_023.488),
    ])
    func `waits double, between half and all`(attempt: Int, jitter: Double, seconds: Double) {
        for outcome in [.failed("no answer"), .answered(status: 503, retryAfter: nil)] as [WebhookOutcome] {
            guard case .again(let wait) = plan.verdict(on: outcome, attempt: attempt, jitter: jitter) else {
                Issue.record("given up")
                continue
            }
            #expect(abs(wait - seconds) < 1e-9)
        }
    }

    @Test func `no wait is longer than the longest, whoever asks for it`() {
        var plan = RetryPlan()
        plan.attempts = 100
        #expect(plan.verdict(on: .failed("x"), attempt: 90, jitter: 0) == .again(after: 1_800))
        #expect(
            plan.verdict(on: .answered(status: 429, retryAfter: 1e9), attempt: 1, jitter: 0) == .again(after: 3_600))
    }

    @Test func `the receiver's own wish is heard`() {
        #expect(plan.verdict(on: .answered(status: 503, retryAfter: 30), attempt: 1, jitter: 0) == .again(after: 30))
        #expect(plan.verdict(on: .answered(status: 503, retryAfter: 0.1), attempt: 1, jitter: 0) == .again(after: 0.5))
    }

    @Test func `the last attempt is the last`() {
        #expect(plan.verdict(on: .failed("x"), attempt: plan.attempts, jitter: 0) == .givenUp)
        #expect(plan.verdict(on: .failed("x"), attempt: plan.attempts - 1, jitter: 0) != .givenUp)
    }
}
