// When a delivery is tried again, and when it is given up.

/// What became of one attempt.
package enum WebhookOutcome: Hashable, Sendable {
    /// An answer came.
    /// - Parameter retryAfter: Seconds that the answer asked for.
    case answered(status: Int, retryAfter: Double?)
    /// None came.
    case failed(String)
    /// The call is not allowed.
    case forbidden(String)
}

/// Exponential backoff with jitter: attempt n + 1 comes between half of and all of min(2ⁿ⁻¹ × base, longest) seconds
/// after attempt n ("equal jitter", M. Brooker, Exponential Backoff and Jitter).
package struct RetryPlan: Hashable, Sendable {
    /// The most attempts, 1 and more.
    package var attempts = 12
    /// Seconds before the second attempt, at most.
    package var base = 1.0
    /// Seconds between two attempts, at most; also for what an answer asks for.
    package var longest = 3_600.0

    package init() {}

    /// What is to be done after an attempt.
    package enum Verdict: Hashable, Sendable {
        case delivered
        /// In so many seconds.
        case again(after: Double)
        case givenUp
    }

    /// - Parameters:
    ///   - attempt: The number of the attempt that has ended, from 1.
    ///   - jitter: 0 ≤ … < 1.
    package func verdict(on outcome: WebhookOutcome, attempt: Int, jitter: Double) -> Verdict {
        var wait = min(base * Double(sign: .plus, exponent: min(attempt - 1, 60), significand: 1), longest)
        wait *= 0.5 + 0.5 * jitter
        switch outcome {
        case .forbidden: return .givenUp
        case .answered(200..<300, _): return .delivered
        case .answered(let status, let retryAfter):
            // Other answers say that the same request will never do.
            guard status >= 500 || status == 408 || status == 425 || status == 429 else { return .givenUp }
            wait = max(wait, min(retryAfter ?? 0, longest))
        case .failed: break
        }
        return attempt < attempts ? .again(after: wait) : .givenUp
    }
}
