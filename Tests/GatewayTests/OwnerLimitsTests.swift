// What one token or address may have: rates that forget, places that come back, and room for few and many.

import Base
import Testing
import Tokens
import Wire

@testable import Gateway

@Suite struct OwnerLimitsTests {
    private static let second: Int64 = 1_000_000_000

    private static func caller(_ address: String, token: String? = nil) -> Caller {
        guard let token else { return Caller(Principal(name: Principal.anonymousName, rights: .all), at: address) }
        let credential = Principal.Credential.jwt(key: SecretKeys.digest, id: nil)
        return Caller(
            Principal(name: token, account: "token \(token)", rights: .all, credential: credential), at: address)
    }

    @Test func `a rate limit holds over any time and allows a burst of two seconds`() {
        var table = RateTable(rate: 10)
        var taken = 0
        // A hundred seconds of a client that comes every millisecond.
        for step in 0..<100_000 where table.consume(1, of: "a", at: Int64(step) * 1_000_000) == nil { taken += 1 }
        #expect((1_000...1_021).contains(taken), "\(taken)")
    }

    @Test func `a client beyond its rate is told how long to wait, and that wait suffices`() {
        var table = RateTable(rate: 10)
        #expect(table.consume(100, of: "a", at: 0) == nil)
        let wait = table.consume(1, of: "a", at: 0)
        #expect(wait == 8)
        #expect(table.consume(1, of: "b", at: 0) == nil)
        #expect(table.consume(1, of: "a", at: 7 * Self.second) == 1)
        #expect(table.consume(1, of: "a", at: 8 * Self.second) == nil)
        #expect(table.used(by: "a", at: 8 * Self.second) == 21 && table.used(by: "a", at: 50 * Self.second) == 0)
    }

    @Test func `tokens and addresses are owners of their own, and loopback addresses have no owner`() {
        let limits = OwnerLimits(OwnerLimitSettings())
        func owner(_ address: String, token: String? = nil) -> String? {
            limits.owner(of: Self.caller(address, token: token))
        }
        #expect(owner("127.0.0.1") == nil && owner("::1") == nil)
        #expect(owner("203.0.113.7") != nil && owner("203.0.113.7") != owner("203.0.113.8"))
        #expect(owner("2001:db8::1") == owner("2001:db8::2"))
        #expect(owner("127.0.0.1", token: "a") != nil)
        #expect(owner("127.0.0.1", token: "a") == owner("203.0.113.7", token: "a"))
        #expect(owner("::1", token: "203.0.113.7") != owner("203.0.113.7"))
    }

    @Test func `a rate of 0 is no limit`() {
        var table = RateTable(rate: 0)
        for _ in 0..<1_000 { #expect(table.consume(1_000, of: "a", at: 0) == nil) }
    }

    @Test func `owners beyond the table's size share one allowance until others are idle`() {
        var table = RateTable(rate: 1)
        for owner in 0..<RateTable.maximumOwners { #expect(table.consume(3, of: "\(owner)", at: 0) == nil) }
        #expect(table.consume(3, of: "new", at: 0) == nil && table.consume(3, of: "newer", at: 0) == 1)
        #expect(table.used(by: "newest", at: 0) == 3)
        // Those who are known are not touched by it.
        #expect(table.consume(1, of: "1", at: Self.second) == nil)
        #expect(table.consume(3, of: "newest", at: 9 * Self.second) == nil)
        #expect(table.used(by: "newest", at: 9 * Self.second) == 3)
    }

    @Test func `a token and an address of the same text have separate limits, and loopback has none`() throws {
        var settings = OwnerLimitSettings()
        (settings.requestRate, settings.streamsPerAddress, settings.streamsPerToken) = (1, 1, 2)
        let limits = OwnerLimits(settings)
        let address = Self.caller("203.0.113.7")
        let token = Self.caller("203.0.113.7", token: "203.0.113.7")
        for _ in 0..<3 { try limits.consume(address, updates: 0, at: 0) }
        let problem = #expect(throws: Problem.self) { try limits.consume(address, updates: 0, at: 0) }
        #expect(
            problem?.status == 429 && problem?.retryAfter == 1 && problem?.detail.contains("--request-rate") == true)
        try limits.consume(token, updates: 0, at: 0)
        for local in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<9 { try limits.consume(Self.caller(local), updates: 0, at: 0) }
        }
        #expect(limits.refusals == [.requestRate: 1])
    }

    @Test func `a stream change is charged one further request for each 20 topics`() throws {
        var settings = OwnerLimitSettings()
        settings.requestRate = 10
        let limits = OwnerLimits(settings)
        let caller = Self.caller("203.0.113.7")
        for _ in 0..<20 { try limits.consume(topics: 19, of: caller, at: 0) }
        #expect(limits.use(of: caller, at: 0).first?.used == 0)
        try limits.consume(topics: 7_000, of: caller, at: 0)
        #expect(limits.use(of: caller, at: 0).first?.used == 350)
        let problem = #expect(throws: Problem.self) { try limits.consume(caller, updates: 0, at: 0) }
        #expect(problem?.status == 429 && problem?.retryAfter == 33)
        try limits.consume(Self.caller("203.0.113.8"), updates: 0, at: 0)
    }

    @Test func `an expensive answer is sent and charged as further requests`() throws {
        var settings = OwnerLimitSettings()
        settings.requestRate = 10
        let limits = OwnerLimits(settings)
        let caller = Self.caller("203.0.113.7")
        let cost = AnswerCost { requests throws(Problem) in try limits.consume(further: requests, of: caller, at: 0) }
        try cost.add(pictureOf: 1_023)
        try cost.add(listOf: 4_095, first: 4_095)
        #expect(limits.use(of: caller, at: 0).first?.used == 0)
        try cost.add(pictureOf: 5 * 1_024)
        try cost.add(listOf: 4_096_000, first: 16_384)
        #expect(limits.use(of: caller, at: 0).first?.used == 1_005)
        #expect(throws: Problem.self) { try cost.add(listOf: 4_096, first: 4_096) }
        #expect(throws: Problem.self) { try limits.consume(caller, updates: 0, at: 0) }
    }

    @Test func `closing a stream frees its owner's place for another`() {
        var settings = OwnerLimitSettings()
        (settings.streamsPerAddress, settings.streamsPerToken) = (2, 1)
        let limits = OwnerLimits(settings)
        let address = Self.caller("203.0.113.7")
        var places = [limits.stream(of: address), limits.stream(of: address)]
        #expect(places.allSatisfy { $0 != nil } && limits.stream(of: address) == nil)
        #expect(limits.stream(of: Self.caller("203.0.113.8")) != nil)
        places.removeLast()
        places.append(limits.stream(of: address))
        #expect(places.last! != nil && limits.stream(of: address) == nil)
        let token = Self.caller("127.0.0.1", token: "t")
        let place = limits.stream(of: token)
        #expect(place != nil && limits.stream(of: token) == nil)
        #expect(limits.refusals == [.addressStreams: 2, .tokenStreams: 1])
        withExtendedLifetime((places, place)) {}
    }

    @Test func `an address that sends many wrong tokens may not try others for a while`() {
        var settings = OwnerLimitSettings()
        settings.refusedTokenRate = 5
        let limits = OwnerLimits(settings)
        var tries = 0
        while limits.maySendUnknownToken("203.0.113.7", at: 0), tries < 1_000 {
            limits.recordRefusedToken("203.0.113.7", at: 0)
            tries += 1
        }
        #expect(tries == 10)
        #expect(limits.maySendUnknownToken("203.0.113.8", at: 0) && limits.maySendUnknownToken("127.0.0.1", at: 0))
        #expect(limits.maySendUnknownToken("203.0.113.7", at: Self.second))
    }
}

private enum SecretKeys {
    static let digest = SecretDigest(of: "k".utf8)
}
