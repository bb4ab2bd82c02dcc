// When a delivery is tried again.

import Base
import Testing

@Suite struct RetryPlanTests {
    private let plan = RetryPlan()

    @Test(arguments: [200, 201, 202, 204, 299])
    func `an answer of success ends it`(status: Int) {
        #expect(plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: 1, jitter: 0) == .delivered)
    }

    @Test(arguments: [301, 302, 400, 401, 403, 404, 410, 422])
    func `an answer that will never change gives it up`(status: Int) {
        #expect(plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: 1, jitter: 0) == .givenUp)
    }

    @Test func `what is not allowed is given up`() {
        #expect(plan.verdict(on: .forbidden("x"), attempt: 1, jitter: 0) == .givenUp)
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
