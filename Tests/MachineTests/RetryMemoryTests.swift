// Answers kept for retries.

import Base
import Board
import Testing
import Tween

@testable import Machine

@Suite struct RetryMemoryTests {
    private let start = Instant(nanoseconds: 0)

    private static func key(_ key: String, fingerprint: UInt64 = 1, client: String = "c") -> RetryKey {
        RetryKey(key: key, fingerprint: fingerprint, client: client)
    }

    private static func answer(_ bytes: Int = 2, status: Int = 202) -> KeptAnswer {
        KeptAnswer(status: status, content: .body([UInt8](repeating: 1, count: bytes)))
    }

    private func memory(_ stored: [StoredAnswer] = [], capacity: Int = 100) -> RetryMemory {
        RetryMemory(stored, capacity: capacity, at: start)
    }

    @Test(arguments: [
        KeptAnswer(
            status: 202, headers: ["Content-Type: application/json", "ETag: \"7\"", "Location: /v1/tickers/a"],
            content: .body([1, 2])),
        KeptAnswer(status: 204, content: .body([])),
        KeptAnswer(status: 202, headers: ["Location: /v1/tickers/a"], content: .resource(ResourceName(.ticker, "a"))),
        KeptAnswer(
            status: 200,
            content: .stream(ResourceName(.progress, "p"), after: EventID(epoch: "e", number: 3), until: .motion(7))),
        KeptAnswer(
            status: 200,
            content: .stream(ResourceName(.schedule, "s"), after: EventID(epoch: "e", number: 3), until: .firing)),
        KeptAnswer(
            status: 200,
            content: .stream(ResourceName(.ticker, "t"), after: EventID(epoch: "e", number: 3), until: .rest)),
    ])
    func `the same request gets the same answer for four hours, over a restart too`(answer: KeptAnswer) throws {
        var memory = memory()
        let key = Self.key("k")
        let stored = memory.remember(answer, to: key, at: start)
        let soon = memory.finding(for: key, at: start.advanced(bySeconds: 14_399))
        let late = memory.finding(for: key, at: start.advanced(bySeconds: 14_401))
        #expect(soon == .answered(answer) && late == .unknown)
        var restored = RetryMemory([stored], capacity: 100, at: start)
        let after = restored.finding(for: key, at: start)
        let lateAfter = restored.finding(for: key, at: start.advanced(bySeconds: 14_401))
        #expect(after == .answered(answer) && lateAfter == .unknown)
    }

    @Test func `another request under the same idempotency key is detected`() {
        var memory = memory()
        _ = memory.remember(Self.answer(), to: Self.key("k"), at: start)
        let finding = memory.finding(for: Self.key("k", fingerprint: 2), at: start)
        #expect(finding == .differs)
    }

    @Test func `no answer is pushed out, and one client leaves room for others`() {
        var memory = memory(capacity: 100)
        var taken = 0
        while memory.admits(Self.key("a\(taken)", client: "a"), at: start) {
            _ = memory.remember(Self.answer(), to: Self.key("a\(taken)", client: "a"), at: start)
            taken += 1
        }
        #expect(taken == 50)
        for number in 0..<10 {
            let key = Self.key("b\(number)", client: "b")
            let isAdmitted = memory.admits(key, at: start)
            #expect(isAdmitted)
            _ = memory.remember(Self.answer(), to: key, at: start)
        }
        let oldest = memory.finding(for: Self.key("a0"), at: start)
        #expect(oldest == .answered(Self.answer()))
        #expect(memory.secondsUntilRoom(at: start.advanced(bySeconds: 14_000)) == 400)
        let next = start.advanced(bySeconds: 14_401)
        let isAdmittedThen = memory.admits(Self.key("a", client: "a"), at: next)
        #expect(isAdmittedThen && memory.count == 0 && memory.byteCount == 0)
        #expect(memory.horizon == start.advanced(bySeconds: 14_400).nanoseconds)
    }

    @Test func `the defaults have room for 3 requests a second of one client, or 1 each of five`() {
        let settings = MachineSettings()
        // An answer with a ticker takes some 770 bytes with its key.
        let answer = Self.answer(770 - RetryMemory.overhead - 10)
        for (clients, perSecond) in [(1, 3), (5, 1)] {
            var memory = memory(capacity: settings.retryKeys)
            let seconds = Int(settings.retrySeconds) + 600
            var refused = 0
            for second in 0..<seconds {
                let now = start.advanced(bySeconds: Double(second))
                for client in 0..<clients {
                    for number in 0..<perSecond {
                        let key = Self.key("\(client)-\(second)-\(number)", client: "\(client)")
                        guard memory.admits(key, at: now) else {
                            refused += 1
                            continue
                        }
                        _ = memory.remember(answer, to: key, at: now)
                    }
                }
            }
            #expect(refused == 0, "\(clients) clients")
        }
    }

    @Test func `remembered answers are limited in bytes, with room left for other clients`() {
        var memory = memory(capacity: 1_000_000)
        var number = 0
        while memory.admits(Self.key("\(number)"), at: start) {
            _ = memory.remember(Self.answer(KeptAnswer.maximumBody), to: Self.key("\(number)"), at: start)
            number += 1
        }
        #expect(memory.byteCount <= memory.byteCapacity / 2 + KeptAnswer.maximumBytes)
        let isAdmitted = memory.admits(Self.key("other", client: "other"), at: start)
        #expect(isAdmitted)
    }

    @Test func `a smaller byte capacity admits fewer answers`() {
        var memory = memory()
        memory.byteCapacity = 2 * KeptAnswer.maximumBytes + 1_024
        let isAdmitted = memory.admits(Self.key("a", client: "a"), at: start)
        _ = memory.remember(Self.answer(KeptAnswer.maximumBody), to: Self.key("a", client: "a"), at: start)
        let isAdmittedAgain = memory.admits(Self.key("b", client: "a"), at: start)
        #expect(isAdmitted && !isAdmittedAgain)
    }

    @Test func `stored answers beyond the capacity are kept, and new keys wait for room`() {
        let stored = (0..<50).map {
            StoredAnswer(key: "\($0)", fingerprint: 1, answer: Self.answer(1), expires: 1_000_000_000)
        }
        var memory = memory(stored, capacity: 10)
        let isAdmitted = memory.admits(Self.key("new"), at: start)
        #expect(memory.count == 50 && !isAdmitted)
        let isAdmittedThen = memory.admits(Self.key("new"), at: start.advanced(bySeconds: 2))
        #expect(isAdmittedThen)
    }

    @Test(arguments: [-315_360_000, -3_600, 3_600, 315_360_000])
    func `a clock that is set changes nothing of how long answers are kept`(seconds: Int64) {
        var memory = memory()
        _ = memory.remember(Self.answer(), to: Self.key("old"), at: start)
        memory.shift(byNanoseconds: seconds * 1_000_000_000)
        let shifted = start.advanced(bySeconds: Double(seconds))
        _ = memory.remember(Self.answer(), to: Self.key("new"), at: shifted.advanced(bySeconds: 10))
        let old = memory.finding(for: Self.key("old"), at: shifted.advanced(bySeconds: 14_399))
        let gone = memory.finding(for: Self.key("old"), at: shifted.advanced(bySeconds: 14_401))
        let new = memory.finding(for: Self.key("new"), at: shifted.advanced(bySeconds: 14_409))
        let goneToo = memory.finding(for: Self.key("new"), at: shifted.advanced(bySeconds: 14_411))
        #expect(old == .answered(Self.answer()) && gone == .unknown)
        #expect(new == .answered(Self.answer()) && goneToo == .unknown)
    }

    @Test func `an answer stored by a clock far ahead expires after four hours`() {
        let ahead = StoredAnswer(
            key: "k", fingerprint: 1, answer: Self.answer(1), expires: 315_360_000_000_000_000)
        var memory = memory([ahead])
        let late = memory.finding(for: Self.key("k"), at: start.advanced(bySeconds: 14_401))
        #expect(late == .unknown)
    }

    @Test func `a forgotten answer frees its room`() {
        var memory = memory()
        for number in 0..<10_000 {
            _ = memory.remember(Self.answer(), to: Self.key("k"), at: start.advanced(bySeconds: Double(number)))
            memory.forget("k")
        }
        #expect(memory.count == 0 && memory.byteCount == 0)
    }

    @Test func `stored parts of a batch are joined in order, up to the first that is missing`() throws {
        var memory = memory()
        let key = Self.key("b")
        var stored: [StoredAnswer] = []
        for number in 0..<12 {
            let change = memory.remember(lines: Array("\(number)\n".utf8), of: key, at: start)
            stored.append(change)
        }
        memory.forget(stored[11].key)
        let kept = Array((0..<11).map { "\($0)\n" }.joined().utf8)
        let finding = memory.finding(for: key, at: start)
        #expect(finding == .unfinished(lines: 11, body: kept))
        stored.removeLast()
        var restored = RetryMemory(stored.reversed(), capacity: 100, at: start)
        let after = restored.finding(for: key, at: start)
        #expect(after == .unfinished(lines: 11, body: kept))
        for answer in stored { memory.forget(answer.key) }
        let gone = memory.finding(for: key, at: start)
        #expect(gone == .unknown && memory.count == 0)
    }
}
