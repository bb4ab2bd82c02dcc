// What one token, or one address without a token, may have: requests and updates a second, and streams. Any thread.

import Base
import Synchronization
package import Webhooks
import Wire

/// Limits of each owner.
package struct OwnerLimitSettings: Sendable {
    /// Requests a second; 0 for no limit.
    package var requestRate = 5_000
    /// Changes a second: a batch counts as many as it has lines.
    package var updateRate = 50_000
    /// Tokens that don't count, a second, of one address.
    package var refusedTokenRate = 10
    /// Streams of one address, of those that bring no token.
    package var streamsPerAddress = 1_000
    package var streamsPerToken = 5_000
    /// Networks whose addresses have no limits of their own. This machine, since it is that of proxies and of tools.
    package var unlimited = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }

    package init() {}

    /// Connections of one address.
    package var connectionsPerAddress = 1_000
    /// New connections a second, of one address: each may cost a handshake, that is up to 15 ms of a core.
    package var connectionRate = 200

    /// What an address counts as; nil for one without limits of its own.
    package func owner(ofAddress text: String) -> String? {
        guard let address = IPAddress(text) else { return text }
        return unlimited.contains { $0.contains(address) } ? nil : address.holder
    }
}

/// How much each owner has taken.
package final class OwnerLimits: Sendable {
    /// A bound on one owner, by the name it has in answers and the documentation.
    package enum Name: String, CaseIterable, Sendable {
        case requestRate = "request_rate"
        case updateRate = "update_rate"
        case refusedTokenRate = "refused_token_rate"
        /// Held by the transport, before there is a request.
        case connectionRate = "connection_rate"
        case addressStreams = "address_streams"
        case tokenStreams = "token_streams"
    }

    /// How much of a limit an owner has taken.
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

    /// The most owners whose rates are kept apart.
    package static let maximumOwners = RateTable.maximumOwners

    /// What it began with: whose addresses count for what stays so.
    private let addresses: OwnerLimitSettings
    private let state: Mutex<State>
    private let isMet: @Sendable (Name, _ owner: String) -> Void

    /// - Parameter isMet: Is told of each time that a limit is met, and by whom; on any thread.
    package init(
        _ settings: OwnerLimitSettings, isMet: @escaping @Sendable (Name, _ owner: String) -> Void = { _, _ in }
    ) {
        addresses = settings
        self.isMet = isMet
        state = Mutex(State(settings))
    }

    /// What holds now.
    package var settings: OwnerLimitSettings { state.withLock { $0.settings } }

    /// Has rates and numbers of streams be these from now on: rates begin anew, and of streams none ends that is open.
    package func replace(by settings: OwnerLimitSettings) {
        state.withLock { state in
            let (streams, refusals) = (state.streams, state.refusals)
            state = State(settings)
            (state.streams, state.refusals) = (streams, refusals)
        }
    }

    /// What an address counts as; nil for one without limits of its own.
    func owner(ofAddress address: String) -> String? { addresses.owner(ofAddress: address) }

    /// How often each of the limits was met.
    package var refusals: [Name: UInt64] { state.withLock { $0.refusals } }

    // MARK: - Rates

    /// Counts a request, and the changes it holds.
    /// - Parameter now: Nanoseconds.
    /// - Throws: 429 that names the limit.
    func take(_ caller: Caller, updates: Int, at now: Int64) throws(Problem) {
        guard let owner = owner(of: caller) else { return }
        let refusal: (Name, Int)? = state.withLock { state in
            if let wait = state.requests.take(1, of: owner, at: now) { return (.requestRate, wait) }
            guard updates > 0, let wait = state.updates.take(updates, of: owner, at: now) else { return nil }
            return (.updateRate, wait)
        }
        if let (name, wait) = refusal { throw refuse(name, owner, after: wait) }
    }

    /// Counts changes beside those that were counted with a request.
    func take(updates: Int, of caller: Caller, at now: Int64) throws(Problem) {
        guard let owner = owner(of: caller) else { return }
        let wait = state.withLock { $0.updates.take(updates, of: owner, at: now) }
        if let wait { throw refuse(.updateRate, owner, after: wait) }
    }

    /// Whether an address may try another token.
    func maySendUnknownToken(_ address: String, at now: Int64) -> Bool {
        guard let owner = owner(ofAddress: address) else { return true }
        return state.withLock { state in
            state.refusedTokens.used(by: owner, at: now) < max(1, state.refusedTokens.most)
                || state.refusedTokens.rate == 0
        }
    }

    /// Counts a token that didn't count.
    func recordRefusedToken(_ address: String, at now: Int64) {
        guard let owner = owner(ofAddress: address) else { return }
        state.withLock { _ = $0.refusedTokens.take(1, of: owner, at: now) }
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

    /// A place for a stream of a caller, held until it is let go.
    /// - Returns: nil where the caller has as many as it may.
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

    /// Whose limits count, and whose share of what all have; nil for nobody's.
    func owner(of caller: Caller) -> String? {
        // Accounts begin with a word and a space, and so are no addresses.
        if caller.principal.isKnown { return caller.principal.account }
        if let client = caller.client { return client.owner }
        return owner(ofAddress: caller.address)
    }

    // MARK: - Looks

    /// What a caller may have, and has taken.
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

    /// The bound under these settings.
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

    /// What is too much of it, in words.
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

/// A stream's place among those of its owner.
package final class StreamPlace: Sendable {
    private let limits: OwnerLimits?
    private let owner: String

    fileprivate init(_ limits: OwnerLimits?, of owner: String) {
        self.limits = limits
        self.owner = owner
    }

    deinit { limits?.free(owner) }
}
