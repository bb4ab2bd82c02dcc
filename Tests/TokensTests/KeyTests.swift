// Which keys are taken.

import Testing

@testable import Tokens

@Suite struct KeyTests {
    @Test(
        arguments: [
            (.rs256, SampleKeys.rsaPublic), (.rs256, SampleKeys.rsaPrivate), (.rs256, SampleKeys.rsaTraditional),
            (.es256, SampleKeys.ecPublic), (.es256, SampleKeys.ecPrivate), (.hs256, SampleKeys.secret),
            (.edDSA, SampleKeys.edwardsPublic), (.edDSA, SampleKeys.edwardsPrivate),
            (.hs256, String(repeating: "0", count: 32)),
        ] as [(JWTAlgorithm, String)])
    func `a key that is fit for its algorithm is taken`(algorithm: JWTAlgorithm, file: String) throws {
        let key = try JWTKey(algorithm, file: Array(file.utf8))
        #expect(key.algorithm == algorithm && key.id == nil)
    }

    /// The words say what is needed.
    @Test(
        arguments: [
            (.rs256, SampleKeys.rsaShort, "2048 to 8192 bits; this one has 1024"),
            (.rs256, SampleKeys.rsaPSS, "needs an RSA key"),
            (.rs256, SampleKeys.ecPublic, "needs an RSA key"),
            (.rs256, SampleKeys.ecPrivate, "needs an RSA key"),
            (.rs256, SampleKeys.certificate, "needs a PEM public key"),
            (.rs256, SampleKeys.secret, "needs a PEM public key"),
            (.rs256, "", "needs a PEM public key"),
            (.rs256, String(SampleKeys.rsaPublic.dropFirst(40)), "needs a PEM public key"),
            (.es256, SampleKeys.p384Public, "P-256"), (.es256, SampleKeys.edwardsPublic, "P-256"),
            (.es256, SampleKeys.koblitzPublic, "needs a PEM public key"),
            (.es256, SampleKeys.rsaPublic, "P-256"), (.es256, SampleKeys.rsaPrivate, "P-256"),
            (.es256, SampleKeys.ecEncrypted, "without a password"),
            (.edDSA, SampleKeys.ecPublic, "needs an Ed25519 key"),
            (.edDSA, SampleKeys.rsaPrivate, "needs an Ed25519 key"),
            (.edDSA, SampleKeys.secret, "needs a PEM public key"),
            (.hs256, "", "32 bytes or more, of a generator; this one has 0"),
            (.hs256, "secret\n", "this one has 6"),
            (.hs256, String(repeating: "0", count: 31) + "\r\n", "this one has 31"),
        ] as [(JWTAlgorithm, String, String)])
    func `a key that does not fit its algorithm is rejected, and the error says what is needed`(
        algorithm: JWTAlgorithm, file: String, words: String
    ) throws {
        let error = try #require(throws: JWTKeyError.self) { try JWTKey(algorithm, file: Array(file.utf8)) }
        #expect(error.description.contains(words))
    }

    /// RFC 8725 section 2.1, set up by mistake.
    @Test(arguments: [
        SampleKeys.rsaPublic, SampleKeys.rsaPublic + "\n", "\u{FEFF}" + SampleKeys.rsaPublic, SampleKeys.rsaPrivate,
        SampleKeys.ecPublic, SampleKeys.certificate, SampleKeys.bareText(SampleKeys.rsaPublic),
        SampleKeys.bareText(SampleKeys.ecPublic) + "\n",
        SampleKeys.bareText(SampleKeys.rsaPublic).split(separator: "\n").joined(),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC", "AAAAB3NzaC1yc2EAAAADAQABAAABgQC0sW1",
        "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3NzaC1lZDI1NTE5AAAAIJ\n---- END SSH2 PUBLIC KEY ----\n",
        "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTY",
        #"{"keys":[{"kty":"RSA","n":"sXch","e":"AQAB"}]}"#, " " + #"{"kty":"RSA","n":"sXch","e":"AQAB","pad":""}"#,
    ])
    func `a public key given as an HS256 secret is rejected`(file: String) throws {
        #expect(throws: PublicKeyDetector.refusal) { try JWTKey(.hs256, file: Array(file.utf8)) }
    }

    @Test(arguments: [SampleKeys.rsaPublic, SampleKeys.ecPublic, SampleKeys.certificate, SampleKeys.edwardsPublic])
    func `a public key in DER given as an HS256 secret is rejected`(pem: String) throws {
        let digits = SampleKeys.bareText(pem).filter { $0 != "\n" && $0 != "=" }
            .map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        let der = try #require(Base64URL.bytes(Array(String(digits).utf8)))
        #expect(throws: PublicKeyDetector.refusal) { try JWTKey(.hs256, file: der) }
    }

    @Test func `a DER key whose last byte looks like a line end is rejected as a secret`() {
        let der = [0x30, 0x81, 0x80] + [UInt8](repeating: 0x02, count: 127) + [0x0A]
        #expect(throws: PublicKeyDetector.refusal) { try JWTKey(.hs256, file: der) }
    }

    @Test func `random bytes are accepted as a secret`() throws {
        for _ in 0..<2000 {
            let bytes = try #require(Base64URL.bytes(Array(SecureRandom.text(bytes: 48).utf8)))
            #expect(throws: Never.self) { try JWTKey(.hs256, file: bytes) }
        }
    }

    @Test(arguments: ["\n", "\r\n", ""])
    func `a line's end is no part of a secret`(end: String) throws {
        let token = try JWTKey(.hs256, file: Array(SampleKeys.secret.utf8)).sign(claims: Array("{}".utf8))
        let key = try JWTKey(.hs256, file: Array((SampleKeys.secret + end).utf8))
        #expect(throws: Never.self) { try JWTKeySet([key]).verify(token) }
    }

    @Test func `white space before the last line end is part of the secret`() throws {
        let token = try JWTKey(.hs256, file: Array(SampleKeys.secret.utf8)).sign(claims: Array("{}".utf8))
        for other in [SampleKeys.secret + "\n\n", SampleKeys.secret + " \n", SampleKeys.secret + "\r"] {
            let key = try JWTKey(.hs256, file: Array(other.utf8))
            #expect(throws: JWTRefusal.badSignature) { try JWTKeySet([key]).verify(token) }
        }
    }

    @Test func `a key id has 1 to 256 bytes, and a key file a maximum size`() {
        let secret = Array(SampleKeys.secret.utf8)
        for id in ["", String(repeating: "a", count: 257)] {
            #expect(throws: JWTKeyError.self) { try JWTKey(.hs256, file: secret, id: id) }
        }
        #expect(throws: JWTKeyError.self) {
            try JWTKey(.hs256, file: [UInt8](repeating: 0x41, count: JWTLimits.file + 1))
        }
    }

    @Test func `printing a key shows its id and none of its bytes`() throws {
        let key = try JWTKey(.hs256, file: Array(SampleKeys.secret.utf8), id: "one")
        var dumped = ""
        dump(JWTKeySet([key]), to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\(JWTKeySet([key]))", dumped] {
            #expect(text.contains("HS256 key one"))
            #expect(!text.contains("secret([") && !text.contains("UInt8"))
        }
    }
}
