// A server that asks for tokens, for the tests of who may do what.

import Foundation
import TestSupport
import Tokens

/// A server that asks for tokens, and the tokens it knows.
final class GuardedServer {
    /// Those who have a token that counts, and nobody.
    enum Visitor: String, CaseIterable, Sendable {
        case nobody, publisher, subscriber, other, admin, adder

        var headers: [String] { self == .nobody ? [] : ["Authorization: Bearer \(token)"] }
        /// Long enough to stand in the file.
        var token: String { "\(rawValue)-token-of-the-tests" }
    }

    static let secret = "a secret of the tests, of 32 bytes and more"
    static let audience = "tweencast"

    let folder: TemporaryFolder
    let server: ServerProcess

    /// - Parameter anonymous: What whoever brings no token may do, as JSON.
    init(
        arguments: [String] = [], anonymous: String? = nil, errors: Pipe? = nil, certificate: TestCertificate? = nil,
        servesPages: Bool = false
    ) throws {
        folder = TemporaryFolder()
        try Self.write(Self.tokens(anonymous: anonymous), to: folder.path + "/tokens.json")
        try Self.write(Self.secret, to: folder.path + "/secret")
        server = try ServerProcess(
            arguments: [
                "--auth", "tokens:\(folder.path)/tokens.json,hs256:\(folder.path)/secret",
                "--auth-audience", Self.audience,
            ] + arguments, errors: errors, certificate: certificate, servesPages: servesPages)
    }

    static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// - Parameter shop: What the publisher and the subscriber may do it to.
    static func tokens(anonymous: String? = nil, shop: String = "shop-*", revoked: [String] = []) -> String {
        func topics(_ pattern: String) -> String {
            "["
                + ["ticker", "progress", "schedule", "notification"].map { "\"\($0)=\(pattern)\"" }.joined(
                    separator: ",")
                + "]"
        }
        func entry(_ visitor: Visitor, _ grant: String) -> String {
            #"{"name":"\#(visitor)","token":"\#(visitor.token)",\#(grant)}"#
        }
        let entries = [
            entry(.publisher, #""publish":\#(topics(shop))"#), entry(.subscriber, #""subscribe":\#(topics(shop))"#),
            entry(.other, #""publish":\#(topics("other-*")),"subscribe":\#(topics("other-*"))"#),
            entry(.admin, #""admin":true"#),
            entry(.adder, #""add":[{"topics":["ticker=\#(shop)","progress=\#(shop)"],"atMost":1}]"#),
        ]
        let rest = anonymous.map { #""anonymous":\#($0),"# } ?? ""
        let list = revoked.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\(rest)\"tokens\":[\(entries.joined(separator: ","))],\"revoked\":[\(list)]}"
    }

    /// A JWT of the secret above.
    static func jwt(_ claims: String, secret: String = secret) throws -> String {
        try JWTKey(.hs256, file: Array(secret.utf8)).sign(claims: Array(claims.utf8))
    }

    /// Claims that count, for an hour.
    static func claims(
        audience: String? = audience, expires: Double = 3_600, id: String = "j1",
        grant: String = #"{"publish":["*"],"subscribe":["*"]}"#
    ) -> String {
        let end = Date().timeIntervalSince1970 + expires
        let aud = audience.map { #""aud":"\#($0)","# } ?? ""
        return #"{"sub":"me","jti":"\#(id)",\#(aud)"exp":\#(end),"tweencast":\#(grant)}"#
    }

    /// What there is before each request.
    func prepare() throws {
        let admin = Visitor.admin.headers
        for id in ["shop-1", "other-1"] {
            _ = try server.client.post("/v1/tickers/\(id)", #"{"from":0,"to":1,"duration":1000}"#, headers: admin)
            _ = try server.client.post("/v1/progress/\(id)", #"{"from":0,"current":1,"duration":1000}"#, headers: admin)
            _ = try server.client.send(
                "PUT", "/v1/schedules/\(id)", body: #"{"in":1000,"do":[{"notify":"n"}]}"#, headers: admin)
        }
    }

    func status(_ method: String, _ path: String, _ body: String? = nil, headers: [String]) throws -> Int {
        let isStream = path.contains("/events") || path.contains("selftest")
        guard !isStream else {
            return try EventSourceClient(
                port: server.port, path: path, method: method, body: body, headers: headers
            ).status
        }
        return try server.client.send(method, path, body: body, headers: headers).status
    }
}
