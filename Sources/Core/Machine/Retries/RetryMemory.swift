// Answers kept for retries: `Idempotency-Key` makes a request safe to repeat for a stated time. Kept answers are never
// evicted: if there is no room, a request with a key is rejected before it changes anything.

package import Base
package import Tween

/// Answers by key, bounded in number, bytes and age.
package struct RetryMemory {
    /// The approximate bytes of an answer besides its key and contents.
    static let overhead = 256
    /// The approximate bytes of an answer to one line of a batch.
    static let bytesPerLine = 64

    /// What is known about a key.
    package enum Finding: Equatable {
        case unknown
        case answered(KeptAnswer)
        /// A batch that was interrupted after this many lines, with their answers.
        case unfinished(lines: Int, body: [UInt8])
        /// The key was used for another request.
        case differs
    }

    struct Entry {
        var fingerprint: UInt64
        /// nil for a batch that has not ended.
        var answer: KeptAnswer?
        /// Answers to a batch's lines, in the parts in which they were committed.
        var portions: [[UInt8]] = []
        var expires: Int64
        /// The client whose share it uses; nil after a restart.
        var client: String?
        var bytes = 0
    }

    /// Seconds for which an answer is kept.
    var lifetime: Double
    /// The maximum number of answers.
    var capacity: Int {
        get { share.places }
        set { share.places = newValue }
    }
    /// The maximum bytes, including keys and overhead.
    var byteCapacity: Int {
        get { share.bytes }
        set { share.bytes = newValue }
    }
    /// Answers that expire before this, in Unix nanoseconds, are dropped; the store may drop them, too.
    var horizon = Int64.min
    var entries: [String: Entry] = [:]
    var share: FairShare
    /// Keys by age; a key that was dropped and used again is here twice.
    var order: [(key: String, expires: Int64)] = []
    var oldest = 0
    /// The total by which the wall clock was set: a time to live is elapsed time.
    var shift: Int64 = 0

    /// - Parameters:
    ///   - capacity: The maximum number of answers.
    ///   - byteCapacity: The maximum bytes.
    ///   - shift: The total by which the wall clock was set since the store was created.
    package init(
        _ stored: [StoredAnswer], capacity: Int, byteCapacity: Int = MachineSettings().retryBytes,
        lifetime: Double = MachineSettings().retrySeconds,
        shift: Int64 = 0, at now: Instant
    ) {
        (self.lifetime, self.shift) = (lifetime, shift)
        share = FairShare(places: capacity, bytes: byteCapacity)
        // If the clock was ahead, answers must not be kept for longer than `lifetime`.
        let latest = now.advanced(byNanoseconds: Int64(0).subtractingSaturated(shift)).advanced(bySeconds: lifetime)
            .nanoseconds
        var parted: [String: [StoredAnswer]] = [:]
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

    /// The number of kept answers.
    package var count: Int { share.usedPlaces }
    /// Their approximate bytes.
    package var byteCount: Int { share.usedBytes }

    /// Whether there is room to keep the answer to a client's request.
    /// - Parameter lines: The number of lines of a batch.
    mutating func admits(_ retry: RetryKey, lines: Int = 0, at now: Instant) -> Bool {
        forget(before: now)
        // A damaged log may contain any number of lines.
        let answer = lines > 0 ? lines.multipliedSaturated(by: Self.bytesPerLine) : KeptAnswer.maximumBytes
        return share.admits(answer.addingSaturated(retry.key.utf8.count + Self.overhead), of: retry.client)
    }

    /// Returns the seconds until the next answer expires.
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

    /// Keeps an answer. For a batch this ends it; the body has its last lines.
    /// - Returns: What to store.
    mutating func remember(_ answer: KeptAnswer, to retry: RetryKey, at now: Instant) -> StoredAnswer {
        let expires = entry(for: retry, at: now)
        entries[retry.key]?.answer = answer
        grow(retry.key, by: answer.size)
        return StoredAnswer(key: retry.key, fingerprint: retry.fingerprint, answer: answer, expires: expires)
    }

    /// Keeps the answers to a batch's next lines, which are committed before its end.
    /// - Returns: What to store.
    mutating func remember(lines: [UInt8], of retry: RetryKey, at now: Instant) -> StoredAnswer {
        let expires = entry(for: retry, at: now)
        let number = entries[retry.key]?.portions.count ?? 0
        entries[retry.key]?.portions.append(lines)
        grow(retry.key, by: lines.count)
        return Self.part(number, lines, of: retry.key, retry.fingerprint, expires: expires)
    }

    /// Forgets an answer that was not stored: the request, or the rest of the batch, may be sent again.
    /// - Parameter key: The store's key.
    mutating func forget(_ key: String) {
        guard let end = key.utf8.firstIndex(of: Self.separator), let number = Int(key[end...].dropFirst()) else {
            lose(key) { $0.answer = nil }
            return
        }
        lose(String(key[..<end])) { entry in
            if entry.portions.indices.contains(number) { entry.portions.removeSubrange(number...) }
        }
    }

    /// Records that the wall clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        shift = shift.addingSaturated(nanoseconds)
    }

    // MARK: - Bookkeeping

    /// Separates a batch's key from the number of a part. No header can contain it.
    private static let separator = UInt8(ascii: "\n")
    /// The status of such a part.
    private static let unfinished = 102

    /// Returns the answers to a part of a batch as they are stored.
    static func part(
        _ number: Int, _ lines: [UInt8], of key: String, _ fingerprint: UInt64, expires: Int64
    ) -> StoredAnswer {
        StoredAnswer(
            key: "\(key)\n\(number)", fingerprint: fingerprint, answer: KeptAnswer(status: unfinished, body: lines),
            expires: expires)
    }

    private mutating func insert(_ key: String, _ entry: Entry) {
        entries[key] = entry
        share.reserve(key.utf8.count + entry.bytes, of: nil)
        order.append((key, entry.expires))
    }

    private static func entry(of stored: [StoredAnswer], latest: Int64) -> Entry {
        var entry = Entry(
            fingerprint: stored.first?.fingerprint ?? 0, expires: min(stored.first?.expires ?? latest, latest))
        var portions: [Int: [UInt8]] = [:]
        for part in stored {
            if let end = part.key.utf8.firstIndex(of: separator) {
                guard let number = Int(part.key[end...].dropFirst()) else { continue }
                portions[number] = part.answer.body
            } else {
                entry.answer = part.answer
            }
            entry.bytes += part.answer.size
        }
        while let next = portions[entry.portions.count] { entry.portions.append(next) }
        entry.bytes += overhead
        return entry
    }

    private func internalTime(_ now: Instant) -> Int64 {
        now.nanoseconds.subtractingSaturated(shift)
    }

    /// Finds or creates the entry of a key.
    /// - Returns: When it expires.
    private mutating func entry(for retry: RetryKey, at now: Instant) -> Int64 {
        if let known = entries[retry.key] { return known.expires }
        let time = Instant(nanoseconds: internalTime(now))
        // Never before its predecessor: the order is that of expiry.
        let expires = max(time.advanced(bySeconds: lifetime).nanoseconds, order.last?.expires ?? .min)
        entries[retry.key] = Entry(
            fingerprint: retry.fingerprint, expires: expires, client: retry.client, bytes: Self.overhead)
        share.reserve(retry.key.utf8.count + Self.overhead, of: retry.client)
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

    /// Occasionally removes dropped keys from the order, so that the cost per answer stays constant.
    private mutating func compact() {
        let isMostlyGone = oldest > order.count / 2 && oldest > 1_024
        guard isMostlyGone || order.count - oldest > 2 * share.usedPlaces + 1_024 else { return }
        order.removeFirst(oldest)
        oldest = 0
        order.removeAll { entries[$0.key]?.expires != $0.expires }
    }
}
