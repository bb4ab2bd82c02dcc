// Decides when a delivery is retried, and when it is given up.

/// The outcome of one attempt.
package enum WebhookOutcome: Hashable, Sendable {
    /// A response came.
    /// - Parameter retryAfter: The seconds that the response asked for.
    case answered(status: Int, retryAfter: Double?)
    /// No response came.
    case failed(String)
    /// The call is not allowed.
    case forbidden(String)
}

/// Exponential backoff with jitter: attempt n + 1 follows attempt n after half to all of min(2ⁿ⁻¹ × base, longest) seconds
/// ("equal jitter", M. Brooker, Exponential Backoff and Jitter).
package struct RetryPlan: Hashable, Sendable {
    /// The most attempts, at least 1.
    package var attempts = 12
    /// The most seconds before the second attempt.
    package var base = 1.0
    /// The most seconds between two attempts, even if a response asks for more.
    package var longest = 3_600.0

    package init() {}

    /// The next step after an attempt.
    package enum Verdict: Hashable, Sendable {
        case delivered
        /// Retry after this many seconds.
        case again(after: Double)
        case givenUp
    }

    /// Returns the next step after an attempt.
    /// - Parameters:
    ///   - attempt: The number of the attempt that has ended, from 1.
    ///   - jitter: 0 ≤ … < 1.
    package func verdict(on outcome: WebhookOutcome, attempt: Int, jitter: Double) -> Verdict {
        var wait = min(base * Double(sign: .plus, exponent: min(attempt - 1, 60), significand: 1), longest)
        wait *= 0.5 + 0.5 * jitter
        switch outcome {
        case .forbidden: return .givenUp
        case .answered(200..<300, _): return .delivered
        // The receiver says that it is gone for good (RFC 9110, 15.5.11).
        case .answered(410, _): return .givenUp
        // Any other status may be temporary: a receiver answers 404 or 401 while it is deployed, a proxy in front of it a
        // redirect.
        case .answered(_, let retryAfter): wait = max(wait, min(retryAfter ?? 0, longest))
        case .failed: break
        }
        return attempt < attempts ? .again(after: wait) : .givenUp
    }
}
