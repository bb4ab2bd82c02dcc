// Identifies callers by their tokens. Thread-safe; time is an argument.

import EventStream
import Synchronization
package import Tokens
import Tween
import Wire

/// The rules for tokens.
package struct AccessPolicy: Sendable {
    package var tokens = TokenBook()
    /// Keys that may sign JWTs.
    package var keys = JWTKeySet([])
    /// The required `iss` of a JWT; nil for any.
    package var issuer: String?
    /// The required `aud` of a JWT; if nil, a JWT with an `aud` is rejected (RFC 7519, 4.1.3).
    package var audience: String?
    /// The tolerated difference of clocks in seconds.
    package var leeway = 30.0

    package init() {}
}

/// Identifies callers by their tokens.
package final class TokenAuthority: Sendable {
    /// The maximum number of cached JWTs with verified signatures.
    package static let maximumRemembered = 10_000

    private struct State: Sendable {
        var policy: AccessPolicy
        /// Verified JWTs, by digest.
        var remembered: [SecretDigest: Principal] = [:]
    }

    private let state: Mutex<State>

    package init(_ policy: AccessPolicy) { state = Mutex(State(policy: policy)) }

    /// Changes the rules for tokens.
    package func replace(_ change: (inout AccessPolicy) -> Void) {
        state.withLock { state in
            change(&state.policy)
            state.remembered = [:]
        }
    }

    /// The principal of callers without a token.
    package var anonymous: Principal {
        Principal(name: Principal.anonymousName, rights: state.withLock { $0.policy.tokens.anonymous } ?? .none)
    }

    /// Returns the principal of a token.
    /// - Parameters:
    ///   - now: Unix nanoseconds.
    ///   - maySendUnknown: Whether to verify signatures, which takes time; false after many wrong tokens.
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
            // JWTs in use are cached again at the cost of one verification each.
            if state.remembered.count >= Self.maximumRemembered { state.remembered = [:] }
            // The rules may have changed during the verification.
            if state.policy.honours(principal) { state.remembered[digest] = principal }
        }
    }

    /// Whether a principal's credential is still valid, with at least the same rights.
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

    /// Returns the account of a JWT. Subjects belong to an issuer: two issuers may use the same one for two people. If no issuer
    /// is required, each key counts as one, whatever its tokens claim. A JWT without a subject is an account of its own, by the
    /// signed part only: anyone can make a second valid signature from one by an elliptic curve, (r, n - s) from (r, s).
    private func account(of claims: TokenClaims, _ token: String, signedBy key: SecretDigest) -> String {
        let issuer = issuer ?? "\(key.hexadecimal) \(claims.issuer ?? "")"
        let signed = token.utf8.prefix(upTo: token.utf8.lastIndex(of: UInt8(ascii: ".")) ?? token.utf8.endIndex)
        let person = claims.subject.map { "subject \($0)" } ?? "token \(SecretDigest(of: signed).hexadecimal)"
        // The length prevents an issuer from running into the subject.
        return "jwt " + SecretDigest(of: "\(issuer.utf8.count) \(issuer)\(person)".utf8).hexadecimal
    }
}
