// The attacks of RFC 8725 section 2 and those that libraries have fallen for since, each refused for what it is.

import Testing

@testable import Tokens

/// Tokens as nobody honest makes them.
enum Forgery {
    static let claims = #"{"sub":"mallory"}"#

    /// A header and claims as they stand, signed as they are by a key.
    static func token(_ header: String, claims: String = claims, by key: JWTKey) throws(JWTKeyError) -> String {
        let signed = unsigned(header, claims: claims)
        return signed + "." + Base64URL.text(try key.signature(of: Array(signed.utf8)))
    }

    /// The same with a signature of somebody's own.
    static func token(_ header: String, claims: String = claims, signature: [UInt8]) -> String {
        unsigned(header, claims: claims) + "." + Base64URL.text(signature)
    }

    static func unsigned(_ header: String, claims: String = claims) -> String {
        Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(claims.utf8))
    }
}

/// Keys with names.
enum Ring {
    static let secret = key(.hs256, SampleKeys.secret, "s")
    static let rsa = key(.rs256, SampleKeys.rsaPrivate, "r")
    static let elliptic = key(.es256, SampleKeys.ecPrivate, "e")
    static let edwards = key(.edDSA, SampleKeys.edwardsPrivate, "d")
    static let all = [secret, rsa, elliptic, edwards]
    static let keys = JWTKeySet(all)

    static func key(_ algorithm: JWTAlgorithm, _ file: String, _ id: String?) -> JWTKey {
        do {
            return try JWTKey(algorithm, file: Array(file.utf8), id: id)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

@Suite struct AttackTests {
    // MARK: - Algorithms

    @Test(arguments: ["none", "None", "NONE", "nOnE", "noNe"], ["", "AAAA"])
    func `a token with alg none in any case is refused as unsigned`(name: String, signature: String) {
        let token = Forgery.unsigned(#"{"alg":"\#(name)"}"#) + "." + signature
        #expect(throws: JWTRefusal.unsigned) { try Ring.keys.verify(token) }
        #expect(throws: JWTRefusal.unsigned) {
            try Ring.keys.verify(Forgery.unsigned(#"{"alg":"\#(name)","kid":"r"}"#) + "." + signature)
        }
    }

    @Test(arguments: [
        "none ", " none", "n\\u006Fne2", "", "hs256", "HS256 ", "Hs256", "HS384", "HS512", "RS384", "RS512", "PS256",
        "ES384", "ES256K", "eddsa", "Ed448", "RSA-OAEP", "dir", "A128KW", "HS256,RS256", "HS256\\u0000",
    ])
    func `an algorithm that no key has is refused`(name: String) throws {
        for key in Ring.all {
            let token = try Forgery.token(#"{"alg":"\#(name)"}"#, by: key)
            #expect(throws: JWTRefusal.wrongAlgorithm) { try Ring.keys.verify(token) }
        }
    }

    @Test func `a header with a duplicate member is malformed`() throws {
        for header in [
            #"{"alg":"none","alg":"HS256"}"#, #"{"alg":"HS256","alg":"none"}"#, #"{"alg":"HS256","\u0061lg":"HS256"}"#,
            #"{"alg":"HS256","kid":"s","kid":"s"}"#,
        ] {
            let token = try Forgery.token(header, by: Ring.secret)
            #expect(throws: JWTRefusal.malformed) { try Ring.keys.verify(token) }
        }
    }

    /// RFC 8725 section 2.1: what verifies RS256 is public, so as a secret everybody has it.
    @Test(arguments: [
        SampleKeys.rsaPublic, SampleKeys.rsaPublic + "\n", SampleKeys.bareText(SampleKeys.rsaPublic),
        SampleKeys.ecPublic, SampleKeys.ecPublic + "\n", Vectors.modulus,
    ])
    func `an HS256 token signed with a public key as its secret is refused`(secret: String) throws {
        let mac = { (header: String) in
            Forgery.token(
                header, signature: Hashes.hmac(of: Array(Forgery.unsigned(header).utf8), secret: Array(secret.utf8)))
        }
        let published = JWTKeySet([Ring.rsa, Ring.elliptic])
        for keys in [published, Ring.keys] {
            #expect(throws: JWTRefusal.wrongAlgorithm) { try keys.verify(mac(#"{"alg":"HS256","kid":"r"}"#)) }
            #expect(throws: JWTRefusal.wrongAlgorithm) { try keys.verify(mac(#"{"alg":"HS256","kid":"e"}"#)) }
            #expect(throws: JWTRefusal.badSignature) { try keys.verify(mac(#"{"alg":"RS256"}"#)) }
        }
        #expect(throws: JWTRefusal.wrongAlgorithm) { try published.verify(mac(#"{"alg":"HS256"}"#)) }
        #expect(throws: JWTRefusal.badSignature) { try Ring.keys.verify(mac(#"{"alg":"HS256"}"#)) }
    }

    @Test func `an HS256 token signed with a key set's RSA modulus is refused`() throws {
        let keys = try JWTKeySet.keys(ofJWKS: Array(Vectors.jwks.utf8)).filter { $0.algorithm == .rs256 }
        let header = #"{"alg":"HS256"}"#
        for secret in [Array(Vectors.modulus.utf8), Base64URL.bytes(Array(Vectors.modulus.utf8)) ?? []] {
            let mac = Hashes.hmac(of: Array(Forgery.unsigned(header).utf8), secret: secret)
            let token = Forgery.token(header, signature: mac)
            #expect(throws: JWTRefusal.wrongAlgorithm) { try JWTKeySet(keys).verify(token) }
        }
    }

    @Test func `a key's signature is not taken under another algorithm's name`() throws {
        for key in Ring.all {
            for algorithm in JWTAlgorithm.allCases where algorithm != key.algorithm {
                let named = try Forgery.token(#"{"alg":"\#(algorithm.rawValue)","kid":"\#(key.id ?? "")"}"#, by: key)
                #expect(throws: JWTRefusal.wrongAlgorithm) { try Ring.keys.verify(named) }
                let nameless = try Forgery.token(#"{"alg":"\#(algorithm.rawValue)"}"#, by: key)
                #expect(throws: JWTRefusal.badSignature) { try Ring.keys.verify(nameless) }
            }
        }
    }

    @Test(arguments: ["", "secret", "password", "changeme", "your-256-bit-secret", String(repeating: "\0", count: 32)])
    func `an HS256 token signed with a guessed secret is refused`(secret: String) {
        let header = #"{"alg":"HS256"}"#
        let mac = Hashes.hmac(of: Array(Forgery.unsigned(header).utf8), secret: Array(secret.utf8))
        #expect(throws: JWTRefusal.badSignature) { try Ring.keys.verify(Forgery.token(header, signature: mac)) }
        if secret.utf8.count < 32 {
            #expect(throws: JWTKeyError.self) { try JWTKey(.hs256, file: Array(secret.utf8)) }
        }
    }

    // MARK: - Headers

    @Test(arguments: [
        "../../../../dev/null", "/dev/null", "/proc/sys/kernel/randomize_va_space", "x' UNION SELECT 'a';--",
        "' OR 1=1--",
        "|/bin/sleep 9", "", " ", "S", "s ", " s", "s\\u0000", "0", "http://a.test/key", "ｓ", "s\\u0301",
    ])
    func `a kid that is not exactly a key's id is refused`(id: String) throws {
        for key in Ring.all {
            let token = try Forgery.token(#"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(id)"}"#, by: key)
            #expect(throws: JWTRefusal.unknownKey) { try Ring.keys.verify(token) }
        }
    }

    @Test func `kid is compared by bytes, not by Unicode equivalence`() throws {
        let key = Ring.key(.hs256, SampleKeys.secret, "\u{E9}")
        let token = try Forgery.token(#"{"alg":"HS256","kid":"e\#u{301}"}"#, by: key)
        #expect(throws: JWTRefusal.unknownKey) { try JWTKeySet([key]).verify(token) }
        #expect(throws: Never.self) { try JWTKeySet([key]).verify(try key.sign(claims: Array("{}".utf8))) }
    }

    @Test func `a kid of more than 256 bytes is refused`() throws {
        let long = String(repeating: "s", count: 257)
        #expect(throws: JWTRefusal.unknownKey) {
            try Ring.keys.verify(try Forgery.token(#"{"alg":"HS256","kid":"\#(long)"}"#, by: Ring.secret))
        }
    }

    @Test(
        arguments: [
            (#""jwk":{"kty":"oct","k":"c2VjcmV0"}"#, .forbiddenHeader), (#""jwk":null"#, .forbiddenHeader),
            (#""jku":"https://mallory.test/keys""#, .forbiddenHeader), (#""x5u":"file:///etc/key""#, .forbiddenHeader),
            (#""x5c":["MIIB"]"#, .forbiddenHeader), (#""cty":"JWT""#, .forbiddenHeader),
            (#""b64":false"#, .forbiddenHeader),
            (#""b64":true"#, .forbiddenHeader), (#""b64":false,"crit":["b64"]"#, .criticalExtension),
            (#""crit":["exp"],"exp":1"#, .criticalExtension), (#""crit":[]"#, .criticalExtension),
            (#""crit":null"#, .criticalExtension), (#""\u0063rit":["x"]"#, .criticalExtension),
            (#""typ":"JWE""#, .wrongType), (#""typ":"""#, .wrongType), (#""typ":"dpop+jwt""#, .wrongType),
            (#""typ":"logout+jwt""#, .wrongType), (#""typ":"JWT ""#, .wrongType), (#""typ":"JW\u212A""#, .wrongType),
            (#""typ":1"#, .malformed), (#""typ":null"#, .malformed), (#""typ":["JWT"]"#, .malformed),
            (#""kid":1"#, .malformed), (#""kid":null"#, .malformed), (#""kid":["s"]"#, .malformed),
            (#""kid":{"s":"s"}"#, .malformed), (#""x":NaN"#, .malformed), (#""x":1,"#, .malformed),
            (#""x":"\#u{1}""#, .malformed), (#""x":"\ud800""#, .malformed), (#""x":1}{"#, .malformed),
            (#""x":"\#(String(repeating: "x", count: 1024))""#, .malformed),
            (#""x":\#(String(repeating: "[", count: 400))\#(String(repeating: "]", count: 400))"#, .malformed),
        ] as [(String, JWTRefusal)])
    func `a token with a forbidden, critical or mistyped header member is refused`(member: String, refusal: JWTRefusal)
        throws
    {
        for key in Ring.all {
            let token = try Forgery.token(#"{"alg":"\#(key.algorithm.rawValue)",\#(member)}"#, by: key)
            #expect(throws: refusal) { try Ring.keys.verify(token) }
        }
    }

    @Test(arguments: [
        "{}", #"{"typ":"JWT"}"#, #"{"alg":null}"#, #"{"alg":["HS256"]}"#, #"{"alg":256}"#, #"["HS256"]"#, "null",
        "true",
        "\"HS256\"", "", " ", "{", #"{"alg":"HS256""#, #"{"alg":"HS256"} x"#, #"{alg:"HS256"}"#, #"{'alg':'HS256'}"#,
        "\u{FEFF}" + #"{"alg":"HS256"}"#, #"{"alg":"HS256",}"#, #"{"alg":"HS256"/**/}"#, #"{"alg":"HS256"}"# + "\0",
    ])
    func `a header that is no object with an algorithm is malformed`(header: String) throws {
        let token = try Forgery.token(header, by: Ring.secret)
        #expect(throws: JWTRefusal.malformed) { try Ring.keys.verify(token) }
    }

    // MARK: - Claims

    @Test(arguments: [
        "", "null", "[]", "1", "\"a\"", #"{"sub":"a","sub":"b"}"#, #"{"sub":"a","\u0073ub":"b"}"#, "{} {}", #"{"a":1"#,
        "{\"a\":\"\u{1}\"}", #"{"a":"\udc00"}"#,
        #"{"a":"# + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000) + "}",
        #"{"a":"# + String(repeating: "[", count: 5000),
    ])
    func `claims that are not one JSON object are refused, signed or not`(claims: String) throws {
        for key in Ring.all {
            let token = try Forgery.token(#"{"alg":"\#(key.algorithm.rawValue)"}"#, claims: claims, by: key)
            #expect(throws: JWTRefusal.malformedClaims) { try Ring.keys.verify(token) }
            #expect(throws: JWTKeyError.self) { try key.sign(claims: Array(claims.utf8)) }
        }
    }

    @Test(arguments: [#"{"n":12345678901234567890}"#, #"{"n":1e999}"#, #"{"a":"\u0000"}"#])
    func `claims come back unchanged, whichever key has signed them`(claims: String) throws {
        for key in Ring.all {
            let token = try Forgery.token(#"{"alg":"\#(key.algorithm.rawValue)"}"#, claims: claims, by: key)
            #expect(try Ring.keys.verify(token).claims == Array(claims.utf8))
        }
    }

    // MARK: - Words

    @Test func `each JWT refusal has its own description`() {
        #expect(Set(JWTRefusal.allCases.map(\.description)).count == JWTRefusal.allCases.count)
    }
}
