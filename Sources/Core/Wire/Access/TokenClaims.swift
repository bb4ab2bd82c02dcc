// The claims of a JWT that are used here (RFC 7519, 4.1), and the service's own: `tweencast`.

package import Tween

/// The claims of a token with a valid signature.
package struct TokenClaims: Hashable, Sendable {
    package var issuer: String?
    package var subject: String?
    package var id: String?
    /// Empty if the token names no audience.
    package var audience: [String] = []
    package var expires: Instant?
    package var notBefore: Instant?
    package var grant = Grant()

    /// The latest date in Unix seconds: later ones count as it, and earlier ones than 1970 as 1970.
    private static let latest = 9e9
    private static let longestText = 256
    private static let maximumAudience = 100

    /// Reads a token's claims; unknown ones are ignored.
    /// - Throws: A problem that names the claim at fault.
    package init(_ bytes: [UInt8]) throws(Problem) {
        let document = try UpdateDecoder.document(bytes)
        var reader = try FieldReader(document, document.root, pointer: "")
        issuer = try reader.string("iss", longest: Self.longestText)
        subject = try reader.string("sub", longest: Self.longestText)
        id = try reader.string("jti", longest: Self.longestText)
        audience =
            reader.holdsArray("aud")
            ? try reader.strings("aud", most: Self.maximumAudience)
            : try reader.string("aud", longest: Self.longestText).map { [$0] } ?? []
        expires = try Self.date("exp", &reader)
        notBefore = try Self.date("nbf", &reader)
        guard let node = reader.read("tweencast") else { return }
        var inner = try FieldReader(document, node, pointer: reader.pointer(to: "tweencast"))
        grant = try Grant(&inner)
        try inner.finish()
    }

    /// Reads a NumericDate: Unix seconds, optionally with a fraction.
    private static func date(_ name: String, _ reader: inout FieldReader) throws(Problem) -> Instant? {
        guard let seconds = try reader.number(name) else { return nil }
        return Instant(nanoseconds: 0).advanced(bySeconds: min(max(0, seconds), latest))
    }

    /// Returns the claims of a new token.
    /// - Parameters:
    ///   - issued: Unix seconds.
    ///   - expires: Unix seconds.
    package static func bytes(
        _ claims: TokenClaims, publish: [String], subscribe: [String], isAdmin: Bool, issued: Int64, expires: Int64
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            if let issuer = claims.issuer { $0.member("iss", issuer) }
            if let subject = claims.subject { $0.member("sub", subject) }
            if let id = claims.id { $0.member("jti", id) }
            if let audience = claims.audience.first { $0.member("aud", audience) }
            $0.member("iat", Int(issued))
            $0.member("exp", Int(expires))
            $0.member("tweencast") { GrantText.append(publish, subscribe, isAdmin, to: &$0) }
        }
        return json.bytes
    }

    /// Creates empty claims.
    package init() {}
}

/// Writes grants.
package enum GrantText {
    package static func append(
        _ publish: [String], _ subscribe: [String], _ isAdmin: Bool, to json: inout JSONWriter
    ) {
        json.list("publish") { for text in publish { $0.string(text.utf8) } }
        json.list("subscribe") { for text in subscribe { $0.string(text.utf8) } }
        json.member("admin", isAdmin)
    }
}
