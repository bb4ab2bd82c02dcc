// Digests of secrets, and secrets themselves.

import Testing

@testable import Tokens

@Suite struct SecretDigestTests {
    /// FIPS 180-4's example.
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func `a digest is SHA-256`() {
        #expect(SecretDigest(of: "abc".utf8).hexadecimal == Self.abc)
        #expect(
            SecretDigest(of: []).hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `a digest is parsed from hexadecimal digits in either case`() {
        #expect(SecretDigest(hexadecimal: Self.abc) == SecretDigest(of: "abc".utf8))
        #expect(SecretDigest(hexadecimal: Self.abc.uppercased()) == SecretDigest(of: "abc".utf8))
        #expect(SecretDigest(hexadecimal: Self.abc)?.hexadecimal == Self.abc)
    }

    @Test(arguments: [
        "", "ba", String(abc.dropLast()), abc + "0", abc.dropLast() + "g", abc.dropLast() + "é", " " + abc,
    ])
    func `a malformed hexadecimal digest is rejected`(text: String) {
        #expect(SecretDigest(hexadecimal: text) == nil)
    }

    @Test func `different secrets have different digests`() {
        #expect(SecretDigest(of: "abc".utf8) != SecretDigest(of: "abd".utf8))
        #expect(Set(["a", "b", "a"].map { SecretDigest(of: $0.utf8) }).count == 2)
    }
}

@Suite struct SecureRandomTests {
    @Test(arguments: [0, 1, 16, 32, 33])
    func `a random text has as many bytes as were asked for`(count: Int) {
        #expect(Base64URL.bytes(Array(SecureRandom.text(bytes: count).utf8))?.count == count)
    }

    @Test func `no two random texts are the same`() {
        #expect(Set((0..<1000).map { _ in SecureRandom.text(bytes: 16) }).count == 1000)
    }
}

@Suite struct Base64URLTests {
    /// RFC 4648 section 10 without its padding, and RFC 7515 appendix C.
    @Test(
        arguments: [
            ("", []), ("Zg", [0x66]), ("Zm8", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]),
            ("A-z_4ME", [3, 236, 255, 224, 193]),
        ] as [(String, [UInt8])])
    func `base64url encodes and decodes the examples of the RFCs`(text: String, bytes: [UInt8]) {
        #expect(Base64URL.text(bytes) == text)
        #expect(Base64URL.bytes(Array(text.utf8)) == bytes)
    }

    @Test(arguments: [
        "A", "Zg==", "Zm8=", "Zm9v=", "Zh", "Zm9", "+w", "_x", "Zg ", " Zg", "Z\ng", "Zm9v\n", "Zé", "Z\0",
    ])
    func `base64url rejects padding, other alphabets and loose bits`(text: String) {
        #expect(Base64URL.bytes(Array(text.utf8)) == nil)
    }
}
