// When a delivery is tried again.

import Machine
import Testing

@Suite struct RetryPlanTests {
    private let plan = RetryPlan()

    @Test(arguments: [200, 201, 202, 204, 299])
    func `a 2xx answer counts as delivered`(status: Int) {
        #expect(plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: 1, jitter: 0) == .delivered)
    }

    @Test(arguments: [100, 301, 302, 307, 400, 401, 403, 404, 408, 409, 422, 429, 451, 500, 503])
    func `any other answer is retried like no answer, and given up after the last attempt`(status: Int) {
        for attempt in 1..<plan.attempts {
            let verdict = plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: attempt, jitter: 0)
            #expect(verdict == plan.verdict(on: .failed("no answer"), attempt: attempt, jitter: 0))
            #expect(verdict != .givenUp)
        }
        let last = plan.verdict(on: .answered(status: status, retryAfter: nil), attempt: plan.attempts, jitter: 0)
        #expect(last == .givenUp)
    }

    @Test func `a 410 or a forbidden host gives the webhook up at once`() {
        for outcome in [.answered(status: 410, retryAfter: nil), .forbidden("x")] as [WebhookOutcome] {
            #expect(plan.verdict(on: outcome, attempt: 1, jitter: 0) == .givenUp)
        }
    }

    @Test(arguments: [
        (1, 0.0, 0.5), (1, 0.5, 0.75), (2, 0.0, 1.0), (3, 0.0, 2.0), (11, 0.0, 512.0), (11, 0.999, 1_023.488),
    ])
    func `retry waits double, with jitter between half and the whole`(attempt: Int, jitter: Double, seconds: Double) {
        for outcome in [.failed("no answer"), .answered(status: 503, retryAfter: nil)] as [WebhookOutcome] {
            guard case .again(let wait) = plan.verdict(on: outcome, attempt: attempt, jitter: jitter) else {
                Issue.record("given up")
                continue
            }
            #expect(abs(wait - seconds) < 1e-9)
        }
    }

    @Test func `no retry wait exceeds the maximum, even if Retry-After asks for it`() {
        var plan = RetryPlan()
        plan.attempts = 100
        #expect(plan.verdict(on: .failed("x"), attempt: 90, jitter: 0) == .again(after: 1_800))
        #expect(
            plan.verdict(on: .answered(status: 429, retryAfter: 1e9), attempt: 1, jitter: 0) == .again(after: 3_600))
    }

    @Test func `Retry-After sets the wait, but never below the usual minimum`() {
        #expect(plan.verdict(on: .answered(status: 503, retryAfter: 30), attempt: 1, jitter: 0) == .again(after: 30))
        #expect(plan.verdict(on: .answered(status: 503, retryAfter: 0.1), attempt: 1, jitter: 0) == .again(after: 0.5))
    }

    @Test func `a webhook is given up after its last attempt and not before`() {
        #expect(plan.verdict(on: .failed("x"), attempt: plan.attempts, jitter: 0) == .givenUp)
        #expect(plan.verdict(on: .failed("x"), attempt: plan.attempts - 1, jitter: 0) != .givenUp)
    }
}
