// Answers kept for retries.

import Storage
import Testing
import Tween

@testable import TweencastService

@Suite struct RetryMemoryTests {
    private let start = Instant(nanoseconds: 0)

    @Test func `the same request gets the same answer for a day`() {
        var memory = RetryMemory([], capacity: 100)
        let key = RetryKey(key: "k", fingerprint: 1)
        guard case .remember(let stored, _) = memory.remember(key, status: 202, body: [1, 2], at: start) else { return }
        let soon = memory.finding(for: key, at: start.advanced(bySeconds: 86_399))
        let late = memory.finding(for: key, at: start.advanced(bySeconds: 86_401))
        #expect(soon == .answered(status: 202, body: [1, 2]))
        #expect(late == .unknown)
        var restored = RetryMemory([stored], capacity: 100)
        let after = restored.finding(for: key, at: start)
        #expect(after == .answered(status: 202, body: [1, 2]))
    }

    @Test func `another request under the same key is told apart`() {
        var memory = RetryMemory([], capacity: 100)
        _ = memory.remember(RetryKey(key: "k", fingerprint: 1), status: 202, body: [], at: start)
        let finding = memory.finding(for: RetryKey(key: "k", fingerprint: 2), at: start)
        #expect(finding == .differs)
    }

    @Test func `a clock that was set back lets the store forget no new answer`() {
        let late = start.advanced(bySeconds: 7_200)
        var stored: [StoredAnswer] = []
        for key in ["a", "b"] {
            var memory = RetryMemory(stored, capacity: 2)
            guard
                case .remember(let answer, _) = memory.remember(
                    RetryKey(key: key, fingerprint: 1), status: 202, body: [], at: late)
            else { return }
            stored.append(answer)
        }
        var memory = RetryMemory(stored, capacity: 2)
        guard
            case .remember(let answer, let horizon) = memory.remember(
                RetryKey(key: "c", fingerprint: 1), status: 202, body: [], at: start)
        else { return }
        #expect(horizon == stored[0].expires)
        #expect(answer.expires >= horizon)
    }

    @Test func `no more answers are kept than the capacity`() {
        var memory = RetryMemory([], capacity: 100)
        for index in 0...memory.capacity {
            _ = memory.remember(RetryKey(key: "\(index)", fingerprint: 1), status: 200, body: [], at: start)
        }
        #expect(memory.horizon == start.advanced(bySeconds: RetryMemory.lifetime).nanoseconds)
        let oldest = memory.finding(for: RetryKey(key: "0", fingerprint: 1), at: start)
        let newest = memory.finding(for: RetryKey(key: "\(memory.capacity)", fingerprint: 1), at: start)
        #expect(oldest == .unknown)
        #expect(newest == .answered(status: 200, body: []))
    }
}
