// Answers kept for retries: `Idempotency-Key` makes the same request safe to send again for a stated time. What is kept
// is never pushed out: when there is no room, a request with a key is refused before it changes anything.

import Base
package import Tween

/// Answers by key, bounded in number, bytes and age.
package struct RetryMemory {
    /// About what an answer takes beside its key and its bytes.
    static let overhead = 256
    /// About what a line of a batch is answered with.
    static let bytesPerLine = 64

    /// What is known of a key.
    package enum Finding: Equatable {
        case unknown
        case answered(KeptAnswer)
        /// A batch that was cut off behind so many lines, which were answered with this.
        case unfinished(lines: Int, body: [UInt8])
        /// The key was used for another request.
        case differs
    }

    struct Entry {
        var fingerprint: UInt64
        /// Nil while it is a batch that has not ended.
        var answer: KeptAnswer?
        /// Answers to a batch's lines, in the parts in which they were committed.
        var portions: [[UInt8]] = []
        var expires: Int64
        /// Whose room it takes; nil since a restart.
        var client: String?
        var bytes = 0
    }

    /// Seconds an answer is kept.
    var lifetime: Double
    /// The most answers kept.
    var capacity: Int {
        get { share.places }
        set { share.places = newValue }
    }
    /// The most bytes kept, keys and overhead included.
    var byteCapacity: Int {
        get { share.bytes }
        set { share.bytes = newValue }
    }
    /// Answers that expire before this, in Unix nanoseconds, are not kept any more: the store may forget them, too.
    var horizon = Int64.min
    var entries: [String: Entry] = [:]
    var share: FairShare
    /// Keys by age; one that was forgotten and used again stands here twice.
    var order: [(key: String, expires: Int64)] = []
    var oldest = 0
    /// By how much the wall clock was set: a time to live is elapsed time.
    var shift: Int64 = 0

    /// - Parameters:
    ///   - capacity: The most answers kept.
    ///   - byteCapacity: The most bytes kept.
    ///   - shift: By how much the wall clock was set since what is stored was begun.
    package init(
        _ stored: [RetryRecord], capacity: Int, byteCapacity: Int = 64 << 20, lifetime: Double = 86_400,
        shift: Int64 = 0, at now: Instant
    ) {
        (self.lifetime, self.shift) = (lifetime, shift)
        share = FairShare(places: capacity, bytes: byteCapacity)
        // A clock that stood ahead must not have them kept for longer than was said.
        let latest = now.advanced(byNanoseconds: Int64(0).subtractingSaturated(shift)).advanced(bySeconds: lifetime)
            .nanoseconds
        var parted: [String: [RetryRecord]] = [:]
        for answer in stored {
            guard let end = answer.key.utf8.firstIndex(of: Self.separator) else { continue }
            parted[String(answer.key[..<end]), default: []].append(answer)
        }
        for answer in stored where !answer.key.utf8.contains(Self.separator) {
            let portions = parted.removeValue(forKey: answer.key) ?? []
            insert(answer.key, Self.entry(of: portions + [answer], latest: latest))
        }
        for (key, portions) in parted { insert(key, Self.entry(of: portions, latest: latest)) }
        order.sort { ($0.expires, $0.key) < ($1.expires, $1.key) }
    }

    /// How many answers are kept.
    package var count: Int { share.usedPlaces }
    /// About how many bytes they take.
    package var byteCount: Int { share.usedBytes }

    /// Whether a client's request may be answered and the answer kept.
    /// - Parameter lines: Of a batch.
    mutating func admits(_ retry: RetryKey, lines: Int = 0, at now: Instant) -> Bool {
        forget(before: now)
        // A log that was damaged may tell of any number of lines.
        let answer = lines > 0 ? lines.multipliedSaturated(by: Self.bytesPerLine) : KeptAnswer.maximumBytes
        return share.admits(answer.addingSaturated(retry.key.utf8.count + Self.overhead), of: retry.client)
    }

    /// Seconds until the next answer goes.
    func secondsUntilRoom(at now: Instant) -> Int {
        guard oldest < order.count else { return 1 }
        let seconds = (Double(order[oldest].expires) - Double(internalTime(now))) / 1e9
        return Int(saturating: min(max(1, seconds.rounded(.up)), lifetime))
    }

    mutating func finding(for retry: RetryKey, at now: Instant) -> Finding {
        forget(before: now)
        guard let entry = entries[retry.key] else { return .unknown }
        guard entry.fingerprint == retry.fingerprint else { return .differs }
        let lines = Array(entry.portions.joined())
        guard var answer = entry.answer else {
            return .unfinished(lines: lines.count { $0 == UInt8(ascii: "\n") }, body: lines)
        }
        if !lines.isEmpty { answer.body = lines + answer.body }
        return .answered(answer)
    }

    /// Remembers an answer, or that a batch has ended whose last lines this is.
    /// - Returns: What is to be stored.
    mutating func remember(_ answer: KeptAnswer, to retry: RetryKey, at now: Instant) -> RetryRecord {
        let expires = entry(for: retry, at: now)
        entries[retry.key]?.answer = answer
        grow(retry.key, by: answer.body.count + answer.head.utf8.count)
        return RetryRecord(
            key: retry.key, fingerprint: retry.fingerprint, status: answer.status, head: answer.head,
            body: answer.body, expires: expires, horizon: horizon)
    }

    /// Remembers the answers to a batch's next lines, which are committed before it has ended.
    /// - Returns: What is to be stored.
    mutating func remember(lines: [UInt8], of retry: RetryKey, at now: Instant) -> RetryRecord {
        let expires = entry(for: retry, at: now)
        let number = entries[retry.key]?.portions.count ?? 0
        entries[retry.key]?.portions.append(lines)
        grow(retry.key, by: lines.count)
        return RetryRecord(
            key: "\(retry.key)\n\(number)", fingerprint: retry.fingerprint, status: Self.unfinished, head: "",
            body: lines, expires: expires, horizon: horizon)
    }

    /// Forgets what was not stored: the request, or the rest of the batch, may be sent again.
    /// - Parameter key: As in the store.
    mutating func forget(_ key: String) {
        guard let end = key.utf8.firstIndex(of: Self.separator), let number = Int(key[end...].dropFirst()) else {
            lose(key) { $0.answer = nil }
            return
        }
        lose(String(key[..<end])) { entry in
            if entry.portions.indices.contains(number) { entry.portions.removeSubrange(number...) }
        }
    }

    /// The wall clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        shift = shift.addingSaturated(nanoseconds)
    }

    // MARK: - Bookkeeping

    /// What no header can hold stands between a batch's key and the number of a part of it.
    private static let separator = UInt8(ascii: "\n")
    /// The status of such a part.
    static let unfinished = 102

    private mutating func insert(_ key: String, _ entry: Entry) {
        entries[key] = entry
        share.take(key.utf8.count + entry.bytes, of: nil)
        order.append((key, entry.expires))
    }

    private static func entry(of stored: [RetryRecord], latest: Int64) -> Entry {
        var entry = Entry(
            fingerprint: stored.first?.fingerprint ?? 0, expires: min(stored.first?.expires ?? latest, latest))
        var portions: [Int: [UInt8]] = [:]
        for answer in stored {
            if let end = answer.key.utf8.firstIndex(of: separator) {
                guard let number = Int(answer.key[end...].dropFirst()) else { continue }
                portions[number] = answer.body
            } else {
                entry.answer = KeptAnswer(status: answer.status, head: answer.head, body: answer.body)
            }
            entry.bytes += answer.body.count + answer.head.utf8.count
        }
        while let next = portions[entry.portions.count] { entry.portions.append(next) }
        entry.bytes += overhead
        return entry
    }

    private func internalTime(_ now: Instant) -> Int64 {
        now.nanoseconds.subtractingSaturated(shift)
    }

    /// Finds or makes the entry of a key.
    /// - Returns: When it expires.
    private mutating func entry(for retry: RetryKey, at now: Instant) -> Int64 {
        if let known = entries[retry.key] { return known.expires }
        let time = Instant(nanoseconds: internalTime(now))
        // Never before the one before it: the order is that of expiry.
        let expires = max(time.advanced(bySeconds: lifetime).nanoseconds, order.last?.expires ?? .min)
        entries[retry.key] = Entry(
            fingerprint: retry.fingerprint, expires: expires, client: retry.client, bytes: Self.overhead)
        share.take(retry.key.utf8.count + Self.overhead, of: retry.client)
        order.append((retry.key, expires))
        compact()
        return expires
    }

    private mutating func grow(_ key: String, by count: Int) {
        entries[key]?.bytes += count
        share.grow(by: count, of: entries[key]?.client)
    }

    private mutating func lose(_ key: String, _ change: (inout Entry) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry)
        guard entry.answer == nil, entry.portions.isEmpty else {
            entries[key] = entry
            return
        }
        remove(key)
    }

    private mutating func remove(_ key: String) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        share.free(key.utf8.count + entry.bytes, of: entry.client)
    }

    private mutating func forget(before now: Instant) {
        let time = internalTime(now)
        while oldest < order.count, order[oldest].expires <= time {
            let (key, expires) = order[oldest]
            horizon = max(horizon, expires)
            if entries[key]?.expires == expires { remove(key) }
            oldest += 1
        }
        compact()
    }

    /// Now and then the order is made anew without those that have gone: the cost per answer stays constant.
    private mutating func compact() {
        let isMostlyGone = oldest > order.count / 2 && oldest > 1_024
        guard isMostlyGone || order.count - oldest > 2 * share.usedPlaces + 1_024 else { return }
        order.removeFirst(oldest)
        oldest = 0
        order.removeAll { entries[$0.key]?.expires != $0.expires }
    }
}
