// Answers kept for retries: `Idempotency-Key` makes the same request safe to send again for 24 hours.

import Storage
import Tween

/// Answers by key, bounded in number and age.
struct RetryMemory {
    /// Seconds an answer is kept.
    static let lifetime = 86_400.0
    /// The most bytes of bodies kept; beyond it the oldest go, too.
    static let maximumBytes = 64 << 20

    /// What is known of a key.
    enum Finding: Equatable {
        case unknown
        case answered(status: Int, body: [UInt8])
        /// The key was used for another request.
        case differs
    }

    /// The most answers kept; beyond it the oldest go.
    let capacity: Int
    /// Answers that expire before this, in Unix nanoseconds, are not kept any more: the store may forget them, too.
    private(set) var horizon = Int64.min
    private var answers: [String: StoredAnswer] = [:]
    /// Keys by age; one that was forgotten and used again stands here twice.
    private var order: [(key: String, expires: Int64)] = []
    private var oldest = 0
    private var bytes = 0

    init(_ stored: [StoredAnswer], capacity: Int) {
        self.capacity = capacity
        for answer in stored.sorted(by: { $0.expires < $1.expires }) { insert(answer) }
    }

    mutating func finding(for retry: RetryKey, at now: Instant) -> Finding {
        forget(before: now)
        guard let answer = answers[retry.key] else { return .unknown }
        guard answer.fingerprint == retry.fingerprint else { return .differs }
        return .answered(status: answer.status, body: answer.body)
    }

    /// Remembers an answer.
    /// - Returns: What the store has to do for it.
    mutating func remember(_ retry: RetryKey, status: Int, body: [UInt8], at now: Instant) -> StoreChange {
        // Never before the one before it: a clock that was set back must not put new answers behind the horizon.
        let expires = max(now.advanced(bySeconds: Self.lifetime).nanoseconds, order.last?.expires ?? .min)
        let answer = StoredAnswer(
            key: retry.key, fingerprint: retry.fingerprint, status: status, body: body, expires: expires)
        insert(answer)
        return .remember(answer, horizon: horizon)
    }

    /// Forgets an answer that was not stored: the request may be sent again.
    mutating func forget(_ key: String) {
        bytes -= answers.removeValue(forKey: key)?.body.count ?? 0
    }

    private mutating func insert(_ answer: StoredAnswer) {
        bytes += answer.body.count - (answers[answer.key]?.body.count ?? 0)
        answers[answer.key] = answer
        order.append((answer.key, answer.expires))
        while order.count - oldest > capacity || bytes > Self.maximumBytes { dropOldest() }
    }

    private mutating func forget(before now: Instant) {
        while oldest < order.count, order[oldest].expires <= now.nanoseconds { dropOldest() }
    }

    private mutating func dropOldest() {
        let (key, expires) = order[oldest]
        horizon = max(horizon, expires)
        if answers[key]?.expires == expires { forget(key) }
        oldest += 1
        // Moving the rest down now and then keeps the cost per answer constant.
        if oldest > order.count / 2, oldest > 1_024 {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
