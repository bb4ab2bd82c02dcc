// Signatures: the published examples, and what is almost one.

import Testing

@testable import Tokens

@Suite struct SignatureTests {
    private static let vectors = [Vectors.hs256, Vectors.rs256, Vectors.es256]

    private static func published() throws -> JWTKeySet { JWTKeySet(try Vectors.keys()) }

    @Test(arguments: vectors) func `the examples of RFC 7515 appendix A are right`(token: String) throws {
        #expect(try Self.published().verify(token).claims == Vectors.claims)
    }

    @Test func `the Ed25519 example of RFC 8037 verifies, and a malleable signature does not`() throws {
        let set = #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
        let published = try #require(JWTKeySet.keys(ofJWKS: Array(set.utf8)).first)
        guard case .pair(let pair) = published.material else { throw JWTKeyError("no pair") }
        let message = Array(Vectors.edDSA.signed.utf8)
        func verifies(_ signature: [UInt8]) throws -> Bool {
            let key = try PublicKey()
            return key.read(pem: pair.publicKey) && key.verify(signature, of: message, by: .edDSA)
        }
        var signature = try #require(Base64URL.bytes(Array(Vectors.edDSA.signature.utf8)))
        #expect(try verifies(signature))
        let secret = try JWTKey(.edDSA, file: Array(try #require(Vectors.edwardsPEM).utf8))
        #expect(try secret.signature(of: message) == signature)
        // What is added to its second half is a multiple of the group's order (RFC 8032 section 5.1.7 refuses it).
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14, 0, 0, 0, 0,
            0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var carry = 0
        for (place, digit) in order.enumerated() {
            let sum = Int(signature[32 + place]) + Int(digit) + carry
            (signature[32 + place], carry) = (UInt8(sum & 0xFF), sum >> 8)
        }
        #expect(try !verifies(signature))
    }

    @Test func `the unsecured JWT of RFC 7519 section 6.1 is refused`() {
        #expect(throws: JWTRefusal.unsigned) { try Self.published().verify(Vectors.unsecured) }
    }

    /// RFC 7515 appendix A.1.1: the same header and claims with other white space have another signature.
    @Test(arguments: vectors) func `a signature is refused for other bytes with the same JSON meaning`(token: String)
        throws
    {
        let parts = token.split(separator: ".")
        let header = Base64URL.text((Base64URL.bytes(Array(parts[0].utf8)) ?? []) + [0x20])
        let claims = Base64URL.text((Base64URL.bytes(Array(parts[1].utf8)) ?? []) + [0x20])
        for forged in ["\(header).\(parts[1]).\(parts[2])", "\(parts[0]).\(claims).\(parts[2])"] {
            #expect(throws: JWTRefusal.badSignature) { try Self.published().verify(forged) }
        }
    }

    @Test func `a signature is not taken from another token`() throws {
        for key in Ring.all {
            let one = try key.sign(claims: Array(#"{"a":1}"#.utf8)).split(separator: ".")
            let other = try key.sign(claims: Array(#"{"a":2}"#.utf8)).split(separator: ".")
            #expect(throws: JWTRefusal.badSignature) { try Ring.keys.verify("\(one[0]).\(other[1]).\(one[2])") }
        }
    }

    @Test(arguments: vectors) func `a token that is not three base64url parts is refused`(token: String) throws {
        let keys = try Self.published()
        let parts = token.split(separator: ".").map(String.init)
        let (head, body, sign) = (parts[0], parts[1], parts[2])
        for forged in [
            "", ".", "..", "...", head, "\(head).\(body)", "\(head).\(body).\(sign).", ".\(head).\(body).\(sign)",
            "\(head).\(body).\(sign).\(sign)", "\(head)..\(body).\(sign)", "\(head).\(body).\(sign)=",
            "\(head).\(body).\(sign)==", "\(head)=.\(body).\(sign)", "\(head).\(body)=.\(sign)", " \(token)",
            "\(token) ",
            "\(token)\n", "\n\(token)", "\(head) .\(body).\(sign)", "\(head).\(body). \(sign)", "\(token)\0",
            "\(token)\0A",
            "\(head)\0.\(body).\(sign)", "\(head).\(body).\(sign)é", "\u{FEFF}\(token)", "\(head)．\(body)．\(sign)",
            "\(head),\(body),\(sign)", "Bearer \(token)", "\(head).\(body).\(sign)+", "\(head).\(body).\(sign)/",
            "%65\(token.dropFirst())", #"{"payload":"\#(body)","protected":"\#(head)","signature":"\#(sign)"}"#,
        ] {
            #expect(throws: JWTRefusal.malformed) { try keys.verify(forged) }
        }
        #expect(throws: JWTRefusal.unsigned) { try keys.verify("\(head).\(body).") }
        #expect(throws: JWTRefusal.encrypted) { try keys.verify("\(head).\(body).\(sign).\(body).\(sign)") }
        #expect(throws: JWTRefusal.malformedClaims) { try keys.verify("\(head)..\(sign)") }
        #expect(throws: JWTRefusal.malformed) { try keys.verify(".\(body).\(sign)") }
    }

    @Test func `a token in plain base64 instead of base64url is malformed`() throws {
        var other = Vectors.rs256
        other.replace("-", with: "+")
        other.replace("_", with: "/")
        #expect(throws: JWTRefusal.malformed) { try Self.published().verify(other) }
    }

    @Test(arguments: Ring.all) func `a signature that is cut, padded, zero or reversed is refused`(key: JWTKey) throws {
        let header = #"{"alg":"\#(key.algorithm.rawValue)"}"#
        let right = try key.signature(of: Array(Forgery.unsigned(header).utf8))
        let wrong: [[UInt8]] = [
            right + [0], right + [1], [0] + right, right.dropLast(), Array(right.dropFirst()), right + right,
            Array(right.prefix(right.count / 2)), [0], [UInt8](repeating: 0, count: right.count), right.reversed(),
        ]
        for signature in wrong {
            for type in ["", #","typ":"at+jwt""#] {
                let header = #"{"alg":"\#(key.algorithm.rawValue)"\#(type)}"#
                #expect(throws: JWTRefusal.badSignature) {
                    try Ring.keys.verify(Forgery.token(header, signature: signature))
                }
            }
        }
        #expect(throws: Never.self) { try Ring.keys.verify(Forgery.token(header, signature: right)) }
    }

    /// CVE-2022-21449, "psychic signatures": 0 and multiples of the group's order are no r and no s.
    @Test func `an ES256 signature with r or s of 0 or the group order is refused`() throws {
        let order: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        let zero = [UInt8](repeating: 0, count: 32)
        let numbers = [
            zero, zero.dropLast() + [1], order, order.dropLast() + [0x52], [UInt8](repeating: 255, count: 32),
        ]
        for type in ["", #","typ":"at+jwt""#] {
            for r in numbers {
                for s in numbers {
                    let token = Forgery.token(#"{"alg":"ES256"\#(type)}"#, signature: r + s)
                    #expect(throws: JWTRefusal.badSignature) { try Ring.keys.verify(token) }
                }
            }
        }
    }

    @Test func `signatures of an elliptic key are not in DER, nor with numbers as long as another curve's`() throws {
        for type in ["", #","typ":"at+jwt""#] {
            let header = #"{"alg":"ES256"\#(type)}"#
            let right = try Ring.elliptic.signature(of: Array(Forgery.unsigned(header).utf8))
            let der = try #require(ECDSASignature.der(right))
            #expect(ECDSASignature.bytes(der: der) == right)
            let zeros = [UInt8](repeating: 0, count: 34)
            // Numbers as long as those of P-521, as some libraries pad them.
            let long = zeros + right.prefix(32) + zeros + right.suffix(32)
            for signature in [der, long] {
                #expect(throws: JWTRefusal.badSignature) {
                    try Ring.keys.verify(Forgery.token(header, signature: signature))
                }
            }
        }
    }

    @Test func `ES256 signatures with leading zeros are written in full length and verify`() throws {
        // About one in 128 has a number that begins with a zero, which DER leaves out. That all of these have none is as good
        // as impossible (127/128 to the power of 20,000).
        var short = 0
        for count in 0..<20_000 where short < 4 {
            let token = try Ring.elliptic.sign(claims: Array(#"{"n":\#(count)}"#.utf8))
            let signature = try #require(token.split(separator: ".").last)
            let bytes = try #require(Base64URL.bytes(Array(signature.utf8)))
            #expect(bytes.count == 64)
            guard bytes[0] == 0 || bytes[32] == 0 else { continue }
            short += 1
            #expect(throws: Never.self) { try Ring.keys.verify(token) }
        }
        #expect(short > 0)
    }
}
