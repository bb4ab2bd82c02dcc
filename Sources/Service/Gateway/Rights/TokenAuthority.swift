// Who a token makes of whoever brings it. Any thread; time is an argument.

import EventStream
import Synchronization
package import Tokens
import Tween
import Wire

/// What tokens are held to.
package struct AccessPolicy: Sendable {
    package var tokens = TokenBook()
    /// Keys that JWTs may be signed with.
    package var keys = JWTKeySet([])
    /// `iss` that a JWT must have; nil for any.
    package var issuer: String?
    /// What must stand in the `aud` of a JWT; where nil, none that has an `aud` is taken (RFC 7519, 4.1.3).
    package var audience: String?
    /// Seconds by which clocks may differ.
    package var leeway = 30.0

    package init() {}
}

/// Knows people by their tokens.
package final class TokenAuthority: Sendable {
    /// The most JWTs whose signatures are remembered as right.
    package static let maximumRemembered = 10_000

    private struct State: Sendable {
        var policy: AccessPolicy
        /// JWTs that were looked at already, by digest.
        var remembered: [SecretDigest: Principal] = [:]
    }

    private let state: Mutex<State>

    package init(_ policy: AccessPolicy) { state = Mutex(State(policy: policy)) }

    /// Holds tokens to something else from now on.
    package func replace(_ change: (inout AccessPolicy) -> Void) {
        state.withLock { state in
            change(&state.policy)
            state.remembered = [:]
        }
    }

    /// Whoever brings no token.
    package var anonymous: Principal {
        Principal(name: Principal.anonymousName, rights: state.withLock { $0.policy.tokens.anonymous } ?? .none)
    }

    /// Whoever brings a token.
    /// - Parameters:
    ///   - now: Unix nanoseconds.
    ///   - maySendUnknown: Whether signatures are looked at, which takes time: for whoever has sent few wrong ones.
    package func principal(
        bearing token: String, at now: Int64, maySendUnknown: Bool = true
    ) throws(TokenRefusal) -> Principal {
        let digest = SecretDigest(of: token.utf8)
        let (policy, remembered) = state.withLock { ($0.policy, $0.remembered[digest]) }
        let known = remembered ?? policy.tokens.principal(bearing: digest)
        let principal: Principal
        if let known {
            principal = known
        } else {
            guard maySendUnknown else { throw .tooMany }
            principal = try policy.principal(ofJWT: token, at: now)
        }
        guard now < principal.expires else { throw .expired }
        if known == nil { remember(principal, by: digest) }
        return principal
    }

    private func remember(_ principal: Principal, by digest: SecretDigest) {
        state.withLock { state in
            // Those that are in use come back at the price of one signature each.
            if state.remembered.count >= Self.maximumRemembered { state.remembered = [:] }
            // It may have been looked at by rules that were replaced meanwhile.
            if state.policy.honours(principal) { state.remembered[digest] = principal }
        }
    }

    /// Whether what somebody was let in by still counts, and for as much.
    package func honours(_ principal: Principal) -> Bool { state.withLock { $0.policy.honours(principal) } }
}

extension AccessPolicy {
    func honours(_ principal: Principal) -> Bool {
        switch principal.credential {
        case .none: (tokens.anonymous ?? .none).subscribe.covers(principal.rights.subscribe)
        case .token(let digest):
            tokens.principal(bearing: digest).map {
                $0.expires >= principal.expires && $0.rights.subscribe.covers(principal.rights.subscribe)
            } ?? false
        case .jwt(let key, let id): keys.contains(key) && !(id.map(tokens.isRevoked) ?? false)
        }
    }

    /// - Parameter now: Unix nanoseconds.
    fileprivate func principal(ofJWT token: String, at now: Int64) throws(TokenRefusal) -> Principal {
        guard !keys.isEmpty, token.contains(".") else { throw .unknown }
        let verified: JWTKeySet.Verified
        do throws(JWTRefusal) {
            verified = try keys.verify(token)
        } catch {
            throw TokenRefusal("\(error)")
        }
        let (claims, rights) = try Self.read(verified.claims)
        try check(claims, at: now)
        return Principal(
            name: Self.name(of: claims), account: account(of: claims, token, signedBy: verified.key), rights: rights,
            expires: claims.expires?.advanced(bySeconds: leeway).nanoseconds ?? .max,
            credential: .jwt(key: verified.key, id: claims.id))
    }

    private static func read(_ bytes: [UInt8]) throws(TokenRefusal) -> (TokenClaims, Rights) {
        do throws(Problem) {
            let claims = try TokenClaims(bytes)
            return (claims, try Rights(claims.grant))
        } catch {
            throw TokenRefusal("a claim of the token can't be read: \(error.pointer ?? "") \(error.detail)")
        }
    }

    private func check(_ claims: TokenClaims, at now: Int64) throws(TokenRefusal) {
        let now = Instant(nanoseconds: now)
        guard let expires = claims.expires else { throw .endless }
        guard now < expires.advanced(bySeconds: leeway) else { throw .expired }
        if let begin = claims.notBefore, now < begin.advanced(bySeconds: -leeway) { throw .early }
        if let issuer, claims.issuer != issuer { throw .otherIssuer }
        if let audience {
            guard claims.audience.contains(audience) else { throw .otherAudience }
        } else {
            guard claims.audience.isEmpty else { throw .otherAudience }
        }
        if let id = claims.id, tokens.isRevoked(id) { throw .revoked }
    }

    private static func name(of claims: TokenClaims) -> String {
        let subject = claims.subject ?? claims.id.map { "#\($0)" } ?? ""
        return "jwt:\(claims.issuer.map { "\($0)/" } ?? "")\(subject)"
    }

    /// Subjects are an issuer's own: two issuers may mean two people by one. Where no issuer is asked for, each key is one,
    /// whatever its tokens claim. Without a subject each token is somebody else's: by what was signed, since of a signature by
    /// an elliptic curve anybody can make a second one that is right, (r, n - s) of (r, s).
    private func account(of claims: TokenClaims, _ token: String, signedBy key: SecretDigest) -> String {
        let issuer = issuer ?? "\(key.hexadecimal) \(claims.issuer ?? "")"
        let signed = token.utf8.prefix(upTo: token.utf8.lastIndex(of: UInt8(ascii: ".")) ?? token.utf8.endIndex)
        let person = claims.subject.map { "subject \($0)" } ?? "token \(SecretDigest(of: signed).hexadecimal)"
        // With its length before it an issuer can't run into the subject.
        return "jwt " + SecretDigest(of: "\(issuer.utf8.count) \(issuer)\(person)".utf8).hexadecimal
    }
}
