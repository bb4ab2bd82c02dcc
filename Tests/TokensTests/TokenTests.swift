// Tokens from signing to claims.

import Testing

@testable import Tokens

@Suite struct TokenTests {
    private static let claims = Array(#"{"sub":"alice","exp":1,"nbf":99999999999,"roles":["a","b"],"n":1.50}"#.utf8)

    /// `exp` and `nbf` too: what is claimed is judged elsewhere.
    @Test(arguments: Ring.all) func `signed claims come back unchanged`(key: JWTKey) throws {
        let token = try key.sign(claims: Self.claims)
        #expect(try Ring.keys.verify(token).claims == Self.claims)
        #expect(try JWTKeySet([key]).verify(token).claims == Self.claims)
    }

    @Test func `a signed token's header has alg, typ and the key's kid`() throws {
        let header = { (token: String) in
            String(decoding: Base64URL.bytes(Array(token.prefix { $0 != "." }.utf8)) ?? [], as: UTF8.self)
        }
        #expect(header(try Ring.rsa.sign(claims: Self.claims)) == #"{"alg":"RS256","typ":"JWT","kid":"r"}"#)
        let nameless = Ring.key(.hs256, SampleKeys.secret, nil)
        #expect(header(try nameless.sign(claims: Self.claims)) == #"{"alg":"HS256","typ":"JWT"}"#)
    }

    @Test(arguments: Ring.all, ["", #","typ":"jwt""#, #","typ":"At+JWT""#, #","typ":"application/jwt""#])
    func `tokens without typ or with a JWT typ are accepted`(key: JWTKey, type: String) throws {
        let header = #"{"x5t":"abc","alg":"\#(key.algorithm.rawValue)"\#(type),"other":[{"a":null}]}"#
        let token = try Forgery.token(header, by: key)
        #expect(try Ring.keys.verify(token).claims == Array(Forgery.claims.utf8))
        let stranger = JWTKeySet(try Vectors.keys() + [Ring.key(.edDSA, SampleKeys.edwardsPublic, nil)])
        #expect(throws: JWTRefusal.badSignature) { try stranger.verify(token) }
    }

    @Test func `a public key verifies what its private one signs, and can't sign`() throws {
        let token = try Ring.key(.es256, SampleKeys.ecPrivate, nil).sign(claims: Self.claims)
        let key = Ring.key(.es256, SampleKeys.ecPublic, nil)
        #expect(try JWTKeySet([key]).verify(token).claims == Self.claims)
        #expect(throws: JWTKeyError.self) { try key.sign(claims: Self.claims) }
        let rsa = try Ring.key(.rs256, SampleKeys.rsaTraditional, nil).sign(claims: Self.claims)
        #expect(try JWTKeySet([Ring.key(.rs256, SampleKeys.rsaPublic, nil)]).verify(rsa).claims == Self.claims)
    }

    // MARK: - Which key

    @Test func `a kid names the key, of several that could have signed`() throws {
        let other = Ring.key(.hs256, "another secret of thirty-two bytes", "t")
        let keys = JWTKeySet([Ring.secret, other])
        #expect(throws: Never.self) { try keys.verify(try other.sign(claims: Self.claims)) }
        let misnamed = try Forgery.token(#"{"alg":"HS256","kid":"s"}"#, by: other)
        #expect(throws: JWTRefusal.badSignature) { try keys.verify(misnamed) }
        let nameless = try Forgery.token(#"{"alg":"HS256"}"#, by: other)
        #expect(throws: Never.self) { try keys.verify(nameless) }
    }

    /// A PEM file has no id, whatever its owner's tokens say.
    @Test func `a key without an id is tried only if no other key has the token's kid`() throws {
        let nameless = Ring.key(.rs256, SampleKeys.rsaPublic, nil)
        let token = try Ring.rsa.sign(claims: Self.claims)
        #expect(throws: Never.self) { try JWTKeySet([nameless]).verify(token) }
        #expect(throws: Never.self) { try JWTKeySet([nameless, Ring.secret]).verify(token) }
        #expect(throws: JWTRefusal.unknownKey) { try JWTKeySet([Ring.secret]).verify(token) }
        let other = Ring.key(.hs256, SampleKeys.secret, "r")
        #expect(throws: JWTRefusal.wrongAlgorithm) { try JWTKeySet([nameless, other]).verify(token) }
    }

    @Test func `no more keys are tried than the limit`() throws {
        let keys = (0...JWTLimits.triedKeys).map { Ring.key(.hs256, "a secret of more than thirty bytes, \($0)", nil) }
        let last = try #require(keys.last)
        #expect(throws: Never.self) { try JWTKeySet(keys).verify(try keys[15].sign(claims: Self.claims)) }
        #expect(throws: JWTRefusal.badSignature) { try JWTKeySet(keys).verify(try last.sign(claims: Self.claims)) }
    }

    @Test func `an empty key set refuses every token`() throws {
        #expect(throws: JWTRefusal.wrongAlgorithm) {
            try JWTKeySet([]).verify(try Forgery.token(#"{"alg":"HS256"}"#, by: Ring.secret))
        }
        #expect(throws: JWTRefusal.unknownKey) { try JWTKeySet([]).verify(try Ring.secret.sign(claims: Self.claims)) }
    }

    // MARK: - Bounds

    @Test func `a token beyond the maximum length is refused, in signing and in verifying`() throws {
        let claims = { (count: Int) in Array(#"{"a":"\#(String(repeating: "x", count: count))"}"#.utf8) }
        let long = try Ring.rsa.sign(claims: claims(5800))
        #expect(try Ring.keys.verify(long).claims == claims(5800))
        #expect(throws: JWTKeyError.self) { try Ring.rsa.sign(claims: claims(6100)) }
        let token = try Forgery.token(
            #"{"alg":"HS256"}"#, claims: String(decoding: claims(6144), as: UTF8.self), by: Ring.secret)
        #expect(throws: JWTRefusal.tooLong) { try Ring.keys.verify(token) }
        #expect(throws: JWTRefusal.tooLong) { try Ring.keys.verify(String(repeating: ".", count: 8193)) }
        #expect(throws: JWTRefusal.malformed) { try Ring.keys.verify(String(repeating: ".", count: 8192)) }
    }

    /// Every character of a token matters, and every bit of it.
    @Test(arguments: Ring.all) func `a token with one character changed or removed is refused`(key: JWTKey) throws {
        let token = Array(try key.sign(claims: Array(#"{"sub":"alice"}"#.utf8)).utf8)
        // The characters that differ from it in one bit of what they stand for, and some that stand for nothing.
        for place in token.indices {
            for other in Self.neighbours(of: token[place]) {
                var forged = token
                forged[place] = other
                let text = String(decoding: forged, as: UTF8.self)
                #expect(throws: JWTRefusal.self, "\(place): \(other)") { try Ring.keys.verify(text) }
            }
            var cut = token
            cut.remove(at: place)
            let text = String(decoding: cut, as: UTF8.self)
            #expect(throws: JWTRefusal.self, "without \(place)") { try Ring.keys.verify(text) }
        }
    }

    private static func neighbours(of byte: UInt8) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        guard let value = alphabet.firstIndex(of: byte) else { return Array("A-=".utf8) }
        return (0..<6).map { alphabet[value ^ 1 << $0] } + Array(".=+ \0".utf8)
    }

    // MARK: - Threads

    @Test func `eight threads verify tokens at once with the right results`() async throws {
        let tokens = try Ring.all.map { try $0.sign(claims: Self.claims) }
        let forged = try Ring.all.map { key in
            try Forgery.token(#"{"alg":"\#(key.algorithm.rawValue)","typ":"at+jwt"}"#, by: key)
        }
        let wrong = tokens.map { $0.dropLast(8) + "AAAAAAAA" }.map(String.init)
        let right = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    var right = 0
                    for _ in 0..<40 {
                        for token in tokens + forged + wrong where (try? Ring.keys.verify(token)) != nil { right += 1 }
                    }
                    return right
                }
            }
            return await group.reduce(0, +)
        }
        #expect(right == 8 * 40 * (tokens + forged).count)
    }
}
