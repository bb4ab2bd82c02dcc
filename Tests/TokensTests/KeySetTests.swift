// JWK Sets.

import Testing

@testable import Tokens

@Suite struct KeySetTests {
    private static let rsa = #""kty":"RSA","n":"\#(Vectors.modulus)","e":"AQAB""#
    private static let point =
        #""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
    private static let elliptic = #""kty":"EC","crv":"P-256",\#(point)"#
    /// The key of RFC 8037 appendix A.2.
    private static let edwards =
        #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#
    private static let secret = #""kty":"oct","k":"\#(Vectors.secret)""#

    private static func keys(_ members: String...) throws(JWTKeyError) -> [JWTKey] {
        let json = #"{"keys":[\#(members.map { "{\($0)}" }.joined(separator: ","))]}"#
        return try JWTKeySet.keys(ofJWKS: Array(json.utf8))
    }

    /// Its elliptic key is for encryption.
    @Test func `the key set of RFC 7517 appendix A.1 is read without its encryption key`() throws {
        let keys = try Self.keys(
            #"""
            "kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"enc","kid":"1"
            """#, Self.rsa + #","alg":"RS256","kid":"2011-04-29""#)
        #expect(keys.map(\.id) == ["2011-04-29"])
        #expect(keys.map(\.algorithm) == [.rs256])
    }

    @Test func `each kind of key verifies its tokens`() throws {
        let keys =
            try Self.keys(
                Self.rsa + #","kid":"r","use":"sig","x5c":["MIIB"],"x5t":"a""#,
                Self.elliptic + #","kid":"e","key_ops":["verify"],"d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X5fCE9-E9LI""#)
            + Self.keys(Self.secret + #","kid":"s","key_ops":["sign","verify"],"alg":"HS256""#)
        #expect(keys.map(\.algorithm) == [.rs256, .es256, .hs256])
        for token in [Vectors.hs256, Vectors.rs256, Vectors.es256] {
            #expect(try JWTKeySet(keys).verify(token).claims == Vectors.claims)
        }
    }

    @Test(arguments: ["", #","alg":"EdDSA""#, #","alg":"Ed25519""#])
    func `an Ed25519 key of a set verifies tokens named EdDSA or Ed25519`(algorithm: String) throws {
        let keys = try JWTKeySet(Self.keys(Self.edwards + algorithm))
        for name in ["EdDSA", "Ed25519"] {
            let pem = try #require(Vectors.edwardsPEM)
            let key = try JWTKey(.edDSA, file: Array(pem.utf8))
            let token = try Forgery.token(#"{"alg":"\#(name)"}"#, by: key)
            #expect(try keys.verify(token).claims == Array(Forgery.claims.utf8))
        }
    }

    @Test func `an Ed25519 key whose x is no point in 32 bytes is rejected`() {
        #expect(throws: JWTKeyError("key 1 of the set: its x is no point of Ed25519 in 32 bytes")) {
            try Self.keys(#""kty":"OKP","crv":"Ed25519","x":"AAAA""#)
        }
    }

    @Test func `public keys of a set can't sign, a secret can`() throws {
        let keys =
            try Self.keys(Self.rsa + #","d":"AQAB","p":"AQAB""#, Self.elliptic + #","d":"AQAB""#)
            + Self.keys(Self.secret)
        #expect(throws: JWTKeyError.self) { try keys[0].sign(claims: Array("{}".utf8)) }
        #expect(throws: JWTKeyError.self) { try keys[1].sign(claims: Array("{}".utf8)) }
        #expect(throws: Never.self) { try keys[2].sign(claims: Array("{}".utf8)) }
    }

    @Test(arguments: [
        #""kty":"OKP","crv":"X25519","x":"3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08""#,
        #""kty":"OKP","crv":"Ed448","x":"3p7b""#, edwards + #","alg":"ES256""#, #""kty":"new""#,
        #""kty":"EC","crv":"P-384","x":"a","y":"b""#, #""kty":"EC","crv":"secp256k1""#,
        elliptic + #","use":"enc""#, rsa + #","alg":"RS512""#, rsa + #","alg":"PS256""#, rsa + #","alg":"RSA-OAEP""#,
        rsa + #","alg":"ES256""#, rsa + #","alg":"HS256""#, rsa + #","alg":"none""#,
        rsa + #","key_ops":["encrypt"]"#, rsa + #","key_ops":[]"#, rsa + #","key_ops":["sign"]"#,
    ])
    func `keys of a set for other uses or algorithms are skipped`(members: String) throws {
        #expect(try Self.keys(members, Self.elliptic + #","kid":"a""#).map(\.id) == ["a"])
        let error = try #require(throws: JWTKeyError.self) { try Self.keys(members) }
        #expect(error.description.contains("no key that verifies"))
    }

    @Test(arguments: [
        (#""kid":"a""#, "no kty"), (#""kty":7"#, "kty is no string"), (rsa + #","kid":7"#, "kid is no string"),
        (rsa + #","use":1"#, "use is no string"), (rsa + #","alg":null"#, "alg is no string"),
        (rsa + #","key_ops":"verify""#, "key_ops is no array"), (rsa + #","kid":"""#, "id has 1 to 256 bytes"),
        (#""kty":"RSA","e":"AQAB""#, "no n"), (#""kty":"RSA","n":"\#(Vectors.modulus)""#, "no e"),
        (#""kty":"RSA","n":"\#(Vectors.modulus)=","e":"AQAB""#, "n is no base64url"),
        (#""kty":"RSA","n":"\#(Vectors.modulus)","e":"""#, "e is no base64url"),
        (#""kty":"RSA","n":"\#(Vectors.modulus)","e":"AQ""#, "exponent is not fit"),
        (#""kty":"RSA","n":"\#(Vectors.modulus)","e":"AQAA""#, "exponent is not fit"),
        (#""kty":"RSA","n":"\#(Vectors.modulus.prefix(172))","e":"AQAB""#, "2048"),
        (#""kty":"EC",\#(point)"#, "no crv"), (#""kty":"EC","crv":"P-256","x":"AQ","y":"AQ""#, "no point of P-256"),
        (
            #""kty":"EC","crv":"P-256","x":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","y":"#
                + #""f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU""#, "P-256"
        ),
        (#""kty":"oct""#, "no k"), (#""kty":"oct","k":"c2VjcmV0""#, "this one has 6"),
        (#""kty":"oct","k":"\#(Base64URL.text(Array(SampleKeys.rsaPublic.utf8)))""#, "no secret"),
    ])
    func `a broken key of a set is rejected with its number and the reason`(
        members: String, words: String
    ) throws {
        let error = try #require(throws: JWTKeyError.self) { try Self.keys(Self.secret, members) }
        #expect(error.description.contains(words))
        #expect(error.description.contains("key 2"))
    }

    @Test(arguments: [rsa, elliptic, secret]) func `two keys of a kind can't have one id`(members: String) throws {
        let error = try #require(throws: JWTKeyError.self) {
            try Self.keys(members + #","kid":"a""#, members + #","kid":"a""#)
        }
        #expect(error.description.contains("kid"))
        #expect(try Self.keys(members, members).count == 2)
    }

    @Test func `of keys of several kinds with one id the token's algorithm chooses`() throws {
        let keys = try Self.keys(Self.elliptic + #","kid":"a""#, Self.rsa + #","kid":"a""#)
        #expect(keys.map(\.id) == ["a", "a"])
        for token in [Vectors.rs256, Vectors.es256] {
            #expect(try JWTKeySet(keys).verify(token).claims == Vectors.claims)
        }
        #expect(throws: JWTRefusal.wrongAlgorithm) { try JWTKeySet(keys).verify(Vectors.hs256) }
    }

    /// Also where one of them is of no use here.
    @Test(arguments: [
        [rsa, secret], [secret, elliptic], [elliptic + #","use":"enc""#, secret], [rsa, secret + #","alg":"HS512""#],
        [rsa, #""kty":"oct","k":"c2VjcmV0","use":"enc""#],
        [secret, #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#],
    ])
    func `secrets beside public keys are refused`(members: [String]) throws {
        let json = #"{"keys":[\#(members.map { "{\($0)}" }.joined(separator: ","))]}"#
        let error = try #require(throws: JWTKeyError.self) { try JWTKeySet.keys(ofJWKS: Array(json.utf8)) }
        #expect(error.description.contains("beside public keys"))
    }

    /// As a chip of Infineon's has made it (Wycheproof, jws_rsa_roca_key): 2,049 bits.
    private static let guessable =
        "AanFpofbj7KjD4Lf-N2hVMKR7yewSyXhhbirIMTGpfYEhZ_lnt5UoK98DnKIgArXGTu3MaW_HhFw16HGaTDUHqPrId7fe4r11CqRw09yBFuW79V8sYIw"
        + "HdzCaWflUI6auImYbVfoN9_nD5n8N8SY9DwXw7mwZM9wREPXoDPgOoIWl6q_MPsp7n0zs3Z5ZaiQWOOzl1S9OhwAfSiiOwz6efnXEaxuTEtPd7BjSx7N"
        + "aFka8Dx9U7YqXy2RFj1O9PjyaDGuRh7YXsX3iMUSP_wSyHQg_c_qHRtKUsNSGCT7OZg0hzm2KphtjnayKJvC64vAbROBR4Ubg6Bxg9IQVZ-QYyE"

    @Test func `an RSA key that can be factored, by ROCA or a small factor, is rejected`() throws {
        var error = try #require(throws: JWTKeyError.self) {
            try Self.keys(#""kty":"RSA","n":"\#(Self.guessable)","e":"AQAB""#)
        }
        #expect(error.description.contains("CVE-2017-15361"))
        let bytes = try #require(Base64URL.bytes(Array(Self.guessable.utf8)))
        let known = try #require(Base64URL.bytes(Array(Vectors.modulus.utf8)))
        #expect(RSAModulus(bytes).isGuessable && !RSAModulus(bytes).hasSmallFactor)
        #expect(!RSAModulus(known).isGuessable && !RSAModulus(known).hasSmallFactor)
        // Three times as much, and an even one.
        let even = known.dropLast() + [0x10]
        #expect(
            RSAModulus(Array(even)).hasSmallFactor
                && RSAModulus([0x03] + [UInt8](repeating: 0, count: 9)).hasSmallFactor)
        error = try #require(throws: JWTKeyError.self) {
            try Self.keys(#""kty":"RSA","n":"\#(Base64URL.text(Array(even)))","e":"AQAB""#)
        }
        #expect(error.description.contains("RSA"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[]}"#, #"{"keys":[],"keys":[]}"#, "{", "nil",
        SampleKeys.rsaPublic,
    ])
    func `a file that is no key set is rejected`(text: String) {
        #expect(throws: JWTKeyError.self) { try JWTKeySet.keys(ofJWKS: Array(text.utf8)) }
    }

    @Test func `a key set of more than 100 keys or too many bytes is rejected`() throws {
        let key = "{\(Self.secret)}"
        let set = { (count: Int) in
            Array(#"{"keys":[\#(Array(repeating: key, count: count).joined(separator: ","))]}"#.utf8)
        }
        #expect(try JWTKeySet.keys(ofJWKS: set(100)).count == 100)
        #expect(throws: JWTKeyError.self) { try JWTKeySet.keys(ofJWKS: set(101)) }
        let spaces = [UInt8](repeating: 0x20, count: JWTLimits.file)
        #expect(throws: JWTKeyError.self) { try JWTKeySet.keys(ofJWKS: set(1) + spaces) }
    }
}
