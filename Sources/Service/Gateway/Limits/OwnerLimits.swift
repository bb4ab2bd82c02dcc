// Limits for a token, or for an address without a token: requests and updates a second, and streams. Thread-safe.

import Base
package import OperatingSystem
import Synchronization
import Wire

/// The limits of each owner.
package struct OwnerLimitSettings: Sendable {
    /// Requests a second; 0 for no limit.
    package var requestRate = 5_000
    /// Changes a second; each line of a batch counts.
    package var updateRate = 50_000
    /// Rejected tokens a second from one address.
    package var refusedTokenRate = 10
    /// Streams without a token from one address.
    package var streamsPerAddress = 1_000
    package var streamsPerToken = 5_000
    /// Networks whose addresses have no limits of their own: this machine by default, which is that of proxies and tools.
    package var unlimited = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }

    package init() {}

    /// Connections from one address.
    package var connectionsPerAddress = 1_000
    /// New connections a second from one address: each may cost a handshake, up to 15 ms of a core.
    package var connectionRate = 200

    /// Returns the owner that an address counts as; nil if it has no limits of its own.
    package func owner(ofAddress text: String) -> String? {
        guard let address = IPAddress(text) else { return text }
        return unlimited.contains { $0.contains(address) } ? nil : address.holder
    }
}

/// The use of each owner's limits.
package final class OwnerLimits: Sendable {
    /// A limit by its name in answers and the documentation.
    package enum Name: String, CaseIterable, Sendable {
        case requestRate = "request_rate"
        case updateRate = "update_rate"
        case refusedTokenRate = "refused_token_rate"
        /// Enforced by the transport, before there is a request.
        case connectionRate = "connection_rate"
        case addressStreams = "address_streams"
        case tokenStreams = "token_streams"
    }

    /// An owner's use of a limit.
    package struct Use: Sendable {
        package var name: Name
        package var maximum: Int
        package var used: Int
    }

    fileprivate struct State: Sendable {
        var settings: OwnerLimitSettings
        var requests: RateTable
        var updates: RateTable
        var refusedTokens: RateTable
        var streams: [String: Int] = [:]
        var refusals: [Name: UInt64] = [:]
    }

    /// The maximum number of owners whose rates are counted separately.
    package static let maximumOwners = RateTable.maximumOwners

    /// The initial settings: `unlimited` can't be changed later.
    private let addresses: OwnerLimitSettings
    private let state: Mutex<State>
    private let isMet: @Sendable (Name, _ owner: String) -> Void

    /// - Parameter isMet: Called each time a limit is reached, with its owner; on any thread.
    package init(
        _ settings: OwnerLimitSettings, isMet: @escaping @Sendable (Name, _ owner: String) -> Void = { _, _ in }
    ) {
        addresses = settings
        self.isMet = isMet
        state = Mutex(State(settings))
    }

    /// The current settings.
    package var settings: OwnerLimitSettings { state.withLock { $0.settings } }

    /// Applies new settings: rates start again, and open streams stay open.
    package func replace(by settings: OwnerLimitSettings) {
        state.withLock { state in
            let (streams, refusals) = (state.streams, state.refusals)
            state = State(settings)
            (state.streams, state.refusals) = (streams, refusals)
        }
    }

    /// Returns the owner that an address counts as; nil if it has no limits of its own.
    func owner(ofAddress address: String) -> String? { addresses.owner(ofAddress: address) }

    /// How often each limit was reached.
    package var refusals: [Name: UInt64] { state.withLock { $0.refusals } }

    // MARK: - Rates

    /// Counts a request and its changes.
    /// - Parameter now: Nanoseconds.
    /// - Throws: 429 that names the limit.
    func consume(_ caller: Caller, updates: Int, at now: Int64) throws(Problem) {
        guard let owner = owner(of: caller) else { return }
        let refusal: (Name, Int)? = state.withLock { state in
            if let wait = state.requests.consume(1, of: owner, at: now) { return (.requestRate, wait) }
            guard updates > 0, let wait = state.updates.consume(updates, of: owner, at: now) else { return nil }
            return (.updateRate, wait)
        }
        if let (name, wait) = refusal { throw refuse(name, owner, after: wait) }
    }

    /// Counts changes in addition to those that were counted with a request.
    func consume(updates: Int, of caller: Caller, at now: Int64) throws(Problem) {
        guard let owner = owner(of: caller) else { return }
        let wait = state.withLock { $0.updates.consume(updates, of: owner, at: now) }
        if let wait { throw refuse(.updateRate, owner, after: wait) }
    }

    /// Counts the topics that a stream is changed to as further requests.
    func consume(topics: Int, of caller: Caller, at now: Int64) throws(Problem) {
        try consume(further: topics / Self.topicsPerRequest, of: caller, at: now)
    }

    /// Counts what a request costs beyond others as further requests. The request itself is granted: the owner's next ones wait
    /// for it.
    func consume(further requests: Int, of caller: Caller, at now: Int64) throws(Problem) {
        guard requests > 0, let owner = owner(of: caller) else { return }
        let wait = state.withLock { $0.requests.consume(requests, of: owner, at: now) }
        if let wait { throw refuse(.requestRate, owner, after: wait) }
    }

    /// A stream that is changed to this many topics counts as another request: it costs about as much.
    private static let topicsPerRequest = 20

    /// Whether an address may send another unknown token.
    func maySendUnknownToken(_ address: String, at now: Int64) -> Bool {
        guard let owner = owner(ofAddress: address) else { return true }
        return state.withLock { state in
            state.refusedTokens.used(by: owner, at: now) < max(1, state.refusedTokens.most)
                || state.refusedTokens.rate == 0
        }
    }

    /// Counts a rejected token.
    func recordRefusedToken(_ address: String, at now: Int64) {
        guard let owner = owner(ofAddress: address) else { return }
        state.withLock { _ = $0.refusedTokens.consume(1, of: owner, at: now) }
    }

    func refuseToken(of address: String) -> Problem { refuse(.refusedTokenRate, address, after: 1) }

    private func refuse(_ name: Name, _ owner: String, after seconds: Int) -> Problem {
        let excess = state.withLock { state in
            state.refusals[name, default: 0] += 1
            return name.excess(in: state.settings)
        }
        isMet(name, owner)
        return Problem(429, "Too Many Requests", "\(excess); slow down", retryAfter: seconds)
    }

    // MARK: - Streams

    /// Takes a place for a caller's stream, which is held until the place is released.
    /// - Returns: nil if the caller has as many streams as allowed.
    func stream(of caller: Caller) -> StreamPlace? {
        guard let owner = owner(of: caller) else { return StreamPlace(nil, of: "") }
        let name = Self.streamLimit(of: caller)
        let isTaken = state.withLock { state in
            guard state.streams[owner, default: 0] < name.value(in: state.settings) else {
                state.refusals[name, default: 0] += 1
                return false
            }
            state.streams[owner, default: 0] += 1
            return true
        }
        if !isTaken { isMet(name, owner) }
        return isTaken ? StreamPlace(self, of: owner) : nil
    }

    static func streamLimit(of caller: Caller) -> Name { caller.principal.isKnown ? .tokenStreams : .addressStreams }

    fileprivate func free(_ owner: String) {
        state.withLock { state in
            guard let count = state.streams[owner] else { return }
            state.streams[owner] = count > 1 ? count - 1 : nil
        }
    }

    /// Returns the owner whose limits and shares apply to a caller; nil if none do.
    func owner(of caller: Caller) -> String? {
        // Accounts begin with a word and a space, so they can't equal an address.
        if caller.principal.isKnown { return caller.principal.account }
        if let client = caller.client { return client.owner }
        return owner(ofAddress: caller.address)
    }

    // MARK: - Usage

    /// Returns a caller's limits and their current use.
    func use(of caller: Caller, at now: Int64) -> [Use] {
        guard let owner = owner(of: caller) else { return [] }
        let streams = Self.streamLimit(of: caller)
        return state.withLock { state in
            [
                (Name.requestRate, state.requests.used(by: owner, at: now)),
                (.updateRate, state.updates.used(by: owner, at: now)), (streams, state.streams[owner] ?? 0),
            ].map { Use(name: $0.0, maximum: $0.0.value(in: state.settings), used: $0.1) }
        }
    }
}

extension OwnerLimits.Name {
    /// The flag that sets it.
    package var flag: String {
        switch self {
        case .requestRate: "request-rate"
        case .updateRate: "update-rate"
        case .refusedTokenRate: "refused-token-rate"
        case .connectionRate: "connection-rate"
        case .addressStreams: "max-streams-per-address"
        case .tokenStreams: "max-streams-per-token"
        }
    }

    /// Returns the limit in these settings.
    package func value(in settings: OwnerLimitSettings) -> Int {
        switch self {
        case .requestRate: settings.requestRate
        case .updateRate: settings.updateRate
        case .refusedTokenRate: settings.refusedTokenRate
        case .connectionRate: settings.connectionRate
        case .addressStreams: settings.streamsPerAddress
        case .tokenStreams: settings.streamsPerToken
        }
    }

    /// Describes what exceeds the limit.
    fileprivate func excess(in settings: OwnerLimitSettings) -> String {
        let value = value(in: settings)
        return switch self {
        case .requestRate: "more than \(value) requests a second (--\(flag))"
        case .updateRate: "more than \(value) changes a second (--\(flag))"
        case .refusedTokenRate: "more than \(value) tokens a second that don't count (--\(flag))"
        case .connectionRate: "more than \(value) new connections a second (--\(flag))"
        case .addressStreams, .tokenStreams: "more than \(value) streams (--\(flag))"
        }
    }
}

extension OwnerLimits.State {
    fileprivate init(_ settings: OwnerLimitSettings) {
        self.settings = settings
        requests = RateTable(rate: settings.requestRate)
        updates = RateTable(rate: settings.updateRate)
        refusedTokens = RateTable(rate: settings.refusedTokenRate)
    }
}

/// A stream's place among those of its owner; released when it is deallocated.
package final class StreamPlace: Sendable {
    private let limits: OwnerLimits?
    private let owner: String

    fileprivate init(_ limits: OwnerLimits?, of owner: String) {
        self.limits = limits
        self.owner = owner
    }

    deinit { limits?.free(owner) }
}
