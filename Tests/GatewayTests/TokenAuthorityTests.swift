// Who a token makes of its bearer: files of tokens, claims of JWTs, and what is left when they change.

import Base
import EventStream
import Foundation
import Gateway
import Testing
import Tokens
import Wire

@Suite struct TokenAuthorityTests {
    private static let secret = Array("a secret of the tests, of 32 bytes and more".utf8)
    private static let token = "a-token-long-enough-to-stand-here"
    /// 2026-01-01T00:00:00Z, in nanoseconds and seconds.
    private static let now: Int64 = 1_767_225_600_000_000_000
    private static let second = 1_767_225_600

    private static func key() throws -> JWTKey { try JWTKey(.hs256, file: secret) }

    private static func authority(
        _ file: String = "{}", _ change: (inout AccessPolicy) throws -> Void = { _ in }
    ) throws -> TokenAuthority {
        var policy = AccessPolicy()
        policy.tokens = try TokenBook(try TokenFile(Array(file.utf8)))
        policy.keys = JWTKeySet([try key()])
        try change(&policy)
        return TokenAuthority(policy)
    }

    private static func jwt(_ claims: String) throws -> String { try key().sign(claims: Array(claims.utf8)) }

    private static func reason(_ authority: TokenAuthority, _ token: String, at now: Int64 = now) -> String? {
        do throws(TokenRefusal) {
            _ = try authority.principal(bearing: token, at: now)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `a token of the file has the rights that stand there`() throws {
        let digest = SecretDigest(of: Self.token.utf8).hexadecimal
        let authority = try Self.authority(
            #"{"tokens":[{"name":"shop","sha256":"\#(digest)","publish":["ticker=shop-*"],"subscribe":["*"]}]}"#)
        let principal = try authority.principal(bearing: Self.token, at: Self.now)
        #expect(principal.name == "shop" && principal.expires == .max && !principal.rights.isAdmin)
        #expect(principal.rights.publish.matches(TopicName(kind: .ticker, id: "shop-1")))
        #expect(!principal.rights.publish.matches(TopicName(kind: .ticker, id: "other")))
        #expect(!principal.rights.publish.matches(TopicName(kind: .progress, id: "shop-1")))
        #expect(principal.rights.subscribe == .everything)
        #expect(Self.reason(authority, digest) == "the token is not known")
    }

    @Test func `overlapping add rights give the largest amount`() throws {
        let authority = try Self.authority(
            #"{"anonymous":{"add":[{"topics":["ticker=a*"]},{"topics":["ticker=ab","progress=p"],"atMost":"2.5"}]}}"#)
        let rights = authority.anonymous.rights
        func most(_ kind: TopicKind, _ id: String) -> String? {
            rights.mostAdded(to: TopicName(kind: kind, id: id)).map { "\($0)" }
        }
        #expect(most(.ticker, "a") == "1" && most(.ticker, "ab") == "2.5" && most(.progress, "p") == "2.5")
        #expect(most(.ticker, "b") == nil && most(.progress, "a") == nil)
        #expect(rights.publish.isEmpty && rights.subscribe.isEmpty && rights != .none)
    }

    @Test func `a token of the file counts until it expires`() throws {
        let authority = try Self.authority(
            #"{"tokens":[{"name":"a","token":"\#(Self.token)","admin":true,"expires":"2026-01-01T00:00:01Z"}]}"#)
        #expect(Self.reason(authority, Self.token) == nil)
        #expect(Self.reason(authority, Self.token, at: Self.now + 999_999_999) == nil)
        #expect(Self.reason(authority, Self.token, at: Self.now + 1_000_000_000) == "the token has expired")
    }

    @Test(arguments: [
        (#"{"tokens":[{"token":"\#(token)"}]}"#, "/tokens/0/name"),
        (#"{"tokens":[{"name":"","token":"\#(token)"}]}"#, "/tokens/0/name"),
        (#"{"tokens":[{"name":"a","token":"short"}]}"#, "/tokens/0/token"),
        (#"{"tokens":[{"name":"a","token":"\#(token); Path=/elsewhere"}]}"#, "/tokens/0/token"),
        (#"{"tokens":[{"name":"a","token":"====================="}]}"#, "/tokens/0/token"),
        (#"{"tokens":[{"name":"a"}]}"#, "/tokens/0"),
        (#"{"tokens":[{"name":"a","sha256":"zz"}]}"#, "/tokens/0/sha256"),
        (#"{"tokens":[{"name":"a","token":"\#(token)","publish":["shop"]}]}"#, "/tokens/0/publish/0"),
        (#"{"tokens":[{"name":"a","token":"\#(token)","subscribe":["ticker=a","clock=*"]}]}"#, "/tokens/0/subscribe/1"),
        (#"{"tokens":[{"name":"a","token":"\#(token)","admin":1}]}"#, "/tokens/0/admin"),
        (#"{"tokens":[{"name":"a","token":"\#(token)","expires":"soon"}]}"#, "/tokens/0/expires"),
        (#"{"tokens":[{"name":"a","token":"\#(token)","scope":[]}]}"#, "/tokens/0/scope"),
        (#"{"tokens":[{"name":"anonymous","token":"\#(token)"}]}"#, "/tokens/0/name"),
        (#"{"tokens":[{"name":"a","token":"\#(token)"},{"name":"b","token":"\#(token)"}]}"#, "/tokens/1"),
        (#"{"anonymous":{"publish":"*"}}"#, "/anonymous/publish"), (#"{"revoked":[1]}"#, "/revoked/0"),
        (#"{"token":[]}"#, "/token"), (#"{"anonymous":{"add":["ticker=a"]}}"#, "/anonymous/add/0"),
        (#"{"anonymous":{"add":[{"topics":["ticker=a","*"]}]}}"#, "/anonymous/add/0/topics/1"),
        (#"{"anonymous":{"add":[{"topics":["schedule=a"]}]}}"#, "/anonymous/add/0/topics/0"),
        (#"{"anonymous":{"add":[{"topics":[],"atMost":0}]}}"#, "/anonymous/add/0/atMost"),
        (#"{"anonymous":{"add":[{"topics":[],"most":1}]}}"#, "/anonymous/add/0/most"),
    ])
    func `a wrong token file is rejected with a pointer and without its secrets`(file: String, pointer: String) {
        let problem = #expect(throws: Problem.self) { try TokenBook(try TokenFile(Array(file.utf8))) }
        #expect(problem?.pointer == pointer)
        #expect(problem?.detail.contains(Self.token) == false)
    }

    /// The order of P-256 (SEC 2, 2.4.2).
    private static let order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 4) + [UInt8](repeating: 0xFF, count: 8) + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]

    /// A token with the other signature that is right: (r, n - s).
    private static func twin(of token: String) throws -> String {
        let parts = token.split(separator: ".")
        let padded = String(parts[2]).replacing("-", with: "+").replacing("_", with: "/") + "=="
        let signature = [UInt8](try #require(Data(base64Encoded: padded)))
        var (s, borrow) = (Array(signature.suffix(32)), 0)
        for place in s.indices.reversed() {
            let difference = Int(order[place]) - Int(s[place]) - borrow
            borrow = difference < 0 ? 1 : 0
            s[place] = UInt8(truncatingIfNeeded: difference)
        }
        let text = Data(signature.prefix(32) + s).base64EncodedString()
        return "\(parts[0]).\(parts[1])."
            + text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test func `a token with an alternative ECDSA signature has the same account`() throws {
        let key = try JWTKey(.es256, file: Array(Self.elliptic.utf8))
        let authority = try Self.authority { $0.keys = JWTKeySet([key]) }
        for claims in [#"{\#(Self.end)}"#, #"{\#(Self.end),"sub":"ann"}"#] {
            let token = try key.sign(claims: Array(claims.utf8))
            let twin = try Self.twin(of: token)
            #expect(twin != token)
            let accounts = try [token, twin].map { try authority.principal(bearing: $0, at: Self.now).account }
            #expect(accounts[0] == accounts[1] && !accounts[0].isEmpty)
        }
        let other = try key.sign(claims: Array(#"{\#(Self.end),"x":1}"#.utf8))
        let account = try authority.principal(bearing: other, at: Self.now).account
        #expect(
            try account
                != authority.principal(bearing: key.sign(claims: Array(#"{\#(Self.end)}"#.utf8)), at: Self.now).account)
    }

    /// Of these tests alone.
    private static let elliptic = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2Rtno+tJtbDwRppN
        C65mxvV71ekhf/3/2UrBJ2AYfd2hRANCAATgDf5Y1I7TE6GqRnG1lrbUf/RaNEPG
        oXkaMvEy1QRxlW/4KQAredC+U35HUwIVqVJGsQMQ5nPNvBgo+C6kKLxv
        -----END PRIVATE KEY-----

        """

    private static let end = #""exp":\#(second + 60)"#

    @Test func `a JWT has the rights that it claims`() throws {
        let authority = try Self.authority { $0.issuer = "https://id.example" }
        let claims =
            #"{"iss":"https://id.example","sub":"ann",\#(Self.end),"tweencast":{"subscribe":["notification=a"]},"x":[1]}"#
        let principal = try authority.principal(bearing: try Self.jwt(claims), at: Self.now)
        #expect(principal.name == "jwt:https://id.example/ann")
        #expect(principal.rights.publish.isEmpty && principal.rights.subscribe.patterns.map(\.text) == ["a"])
        #expect(principal.expires == Self.now + 90_000_000_000)
        // Without the claim it is somebody, who may do nothing.
        let nothing = try authority.principal(
            bearing: try Self.jwt(#"{"iss":"https://id.example",\#(Self.end)}"#), at: Self.now)
        #expect(nothing.rights == .none && nothing.isKnown)
    }

    @Test(
        arguments: [
            (#"{\#(end)}"#, nil), (#"{"exp":\#(second - 29)}"#, nil),
            (#"{"exp":\#(second - 30)}"#, "the token has expired"),
            (#"{"exp":\#(second - 31)}"#, "the token has expired"), (#"{"exp":-1}"#, "the token has expired"),
            (#"{\#(end),"nbf":\#(second + 30)}"#, nil),
            (#"{\#(end),"nbf":\#(second + 31)}"#, "the token is not valid yet"),
            (#"{\#(end),"aud":"x"}"#, "the token is for another audience"),
            (#"{\#(end),"aud":["x","y"]}"#, "the token is for another audience"),
            (#"{}"#, "the token has no exp claim; tokens must expire"),
            (#"{\#(end),"jti":"gone"}"#, "the token was revoked"),
            (#"{"exp":"\#(second + 60)"}"#, "a claim of the token can't be read: /exp must be a number, not a string"),
            (
                #"{\#(end),"tweencast":{"publish":["x"]}}"#,
                "a claim of the token can't be read: /tweencast/publish/0 must be such as ticker=shop-*, notification=alerts, or * for everything"
            ),
            (
                #"{\#(end),"tweencast":{"publish":["ticker=a,ticker=b"]}}"#,
                "a claim of the token can't be read: /tweencast/publish/0 must be such as ticker=shop-*, notification=alerts, or * for everything"
            ),
            (
                #"{\#(end),"tweencast":{"root":true}}"#,
                "a claim of the token can't be read: /tweencast/root unknown field"
            ),
            (#"{"exp":1e300}"#, nil), (#"{"exp":\#(second).5}"#, nil),
        ] as [(String, String?)])
    func `exp, nbf, aud, jti and rights of a JWT are checked, with a reason for each refusal`(
        claims: String, reason: String?
    ) throws {
        let authority = try Self.authority(#"{"revoked":["gone"]}"#)
        #expect(Self.reason(authority, try Self.jwt(claims)) == reason)
    }

    @Test func `a JWT must have the configured audience and issuer`() throws {
        let authority = try Self.authority {
            $0.audience = "tweencast"
            $0.issuer = "i"
        }
        for (claims, isTaken) in [
            (#""iss":"i","aud":"tweencast""#, true), (#""iss":"i","aud":["x","tweencast"]"#, true),
            (#""iss":"i","aud":"Tweencast""#, false), (#""iss":"i","aud":[]"#, false), (#""iss":"i""#, false),
            (#""iss":"j","aud":"tweencast""#, false), (#""aud":"tweencast""#, false),
        ] {
            #expect((Self.reason(authority, try Self.jwt("{\(Self.end),\(claims)}")) == nil) == isTaken, "\(claims)")
        }
    }

    @Test func `a cached JWT still expires`() throws {
        let authority = try Self.authority()
        let token = try Self.jwt(#"{\#(Self.end)}"#)
        #expect(Self.reason(authority, token) == nil && Self.reason(authority, token) == nil)
        #expect(Self.reason(authority, token, at: Self.now + 90_000_000_000) == "the token has expired")
    }

    @Test func `a client loses its access when its token's expiry is moved to an earlier date`() throws {
        func file(_ year: Int) throws -> TokenBook {
            let text = #"{"tokens":[{"name":"a","token":"\#(Self.token)","expires":"\#(year)-01-01T00:00:00Z"}]}"#
            return try TokenBook(try TokenFile(Array(text.utf8)))
        }
        let authority = try Self.authority { $0.tokens = try file(2030) }
        let principal = try authority.principal(bearing: Self.token, at: Self.now)
        for (year, isHonoured) in [(2029, false), (2030, true), (2031, true)] {
            let book = try file(year)
            authority.replace { $0.tokens = book }
            #expect(authority.honours(principal) == isHonoured)
        }
    }

    @Test func `no two people share an account`() throws {
        let authority = try Self.authority(#"{"tokens":[{"name":"ann","token":"\#(Self.token)"}]}"#)
        func account(_ claims: String) throws -> String {
            try authority.principal(bearing: try Self.jwt("{\(Self.end)\(claims)}"), at: Self.now).account
        }
        let claims = [
            #","iss":"https://i","sub":"t/ann""#, #","iss":"https://i/t","sub":"ann""#, #","sub":"ann""#, "",
            #","jti":"ann""#, #","jti":"ann","nbf":1"#, #","iss":"ann""#,
        ]
        let accounts = try claims.map(account)
        let fixed = try authority.principal(bearing: Self.token, at: Self.now).account
        #expect(Set(accounts + [fixed, authority.anonymous.account]).count == claims.count + 2)
        // A subject has one, whatever token they bring.
        #expect(try account(#","sub":"ann","jti":"1""#) == account(#","sub":"ann","jti":"2""#))
    }

    @Test func `one subject signed by two keys has two accounts, unless an issuer is required`() throws {
        let other = try JWTKey(.hs256, file: Array("another secret of the tests, of 32 bytes and more".utf8))
        for issuer in [nil, "i"] {
            let authority = try Self.authority {
                $0.issuer = issuer
                $0.keys = JWTKeySet([try Self.key(), other])
            }
            let claims = Array(#"{\#(Self.end),"iss":"i","sub":"ann"}"#.utf8)
            let accounts = try [Self.key(), other].map {
                try authority.principal(bearing: try $0.sign(claims: claims), at: Self.now).account
            }
            #expect((accounts[0] == accounts[1]) == (issuer != nil))
        }
    }

    @Test func `a client loses its access when its token, rights or key are removed`() throws {
        let file = #"{"tokens":[{"name":"a","token":"\#(Self.token)","subscribe":["ticker=a*","ticker=b"]}]}"#
        let authority = try Self.authority(file)
        let fixed = try authority.principal(bearing: Self.token, at: Self.now)
        let jwt = try Self.jwt(#"{\#(Self.end),"jti":"j"}"#)
        let signed = try authority.principal(bearing: jwt, at: Self.now)
        #expect(authority.honours(fixed) && authority.honours(signed) && authority.honours(authority.anonymous))
        func replace(_ file: String) throws {
            let book = try TokenBook(try TokenFile(Array(file.utf8)))
            authority.replace { $0.tokens = book }
        }
        try replace(file.replacingOccurrences(of: #""ticker=b""#, with: #""ticker=b","ticker=c""#))
        #expect(authority.honours(fixed))
        try replace(file.replacingOccurrences(of: #","ticker=b""#, with: ""))
        #expect(!authority.honours(fixed) && authority.honours(signed))
        try replace(#"{"revoked":["j"]}"#)
        #expect(!authority.honours(fixed) && !authority.honours(signed))
        #expect(Self.reason(authority, jwt) == "the token was revoked")
        try replace("{}")
        #expect(authority.honours(signed))
        authority.replace { $0.keys = JWTKeySet([]) }
        #expect(!authority.honours(signed) && Self.reason(authority, jwt) == "the token is not known")
    }

    @Test func `a stream ticket grants its topics only, and keeps its owner's credential and expiry`() throws {
        let authority = try Self.authority()
        let owner = try authority.principal(
            bearing: try Self.jwt(#"{"sub":"s",\#(Self.end),"jti":"j","tweencast":{"admin":true}}"#), at: Self.now)
        let topics = TopicSelection([
            try #require(TopicPattern(kind: .ticker, parsing: "a*")),
            try #require(TopicPattern(kind: .notification, parsing: "n")),
        ])
        let bytes = StreamGrant.bytes(owner, topics: topics)
        let bearer = try StreamGrant.bearer(bytes)
        #expect(bearer.name == owner.name && bearer.expires == owner.expires && bearer.credential == owner.credential)
        #expect(bearer.rights.subscribe == topics && bearer.rights.publish.isEmpty && !bearer.rights.isAdmin)
        for count in bytes.indices {
            #expect(throws: (any Error).self) { try StreamGrant.bearer(Array(bytes[..<count])) }
        }
    }
}
