// Numbers as a client sends them, and addresses.

import Foundation
import Testing

@testable import TweencastClient

@Suite struct AmountTests {
    @Test(arguments: [
        ("250", "250"), ("-12.50", "-12.50"), ("+5", "5"), (".5", "0.5"), ("-.5", "-0.5"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ])
    func `a number is sent with all its digits`(text: String, sent: String) throws {
        let amount = try #require(Amount(text))
        #expect(amount.description == sent)
        let json = try JSONEncoder().encode([amount])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(sent)\"]")
    }

    @Test(arguments: ["", "-", "+", ".", "5.", "1e3", "0x1", "1,5", "--5", "5 ", "١٢", "1.2.3"])
    func `a malformed number is refused`(text: String) {
        #expect(Amount(text) == nil)
    }

    @Test func `a very large double is sent as a JSON number`() throws {
        let json = try JSONEncoder().encode([Amount(1e20), 250, 0.5])
        #expect(String(decoding: json, as: UTF8.self) == #"[1e+20,"250","0.5"]"#)
    }

    @Test(arguments: [
        ("localhost:8080", "http://localhost:8080"), ("http://a/", "http://a"),
        ("https://a.example/tweens//", "https://a.example/tweens"), ("[::1]:8080", "http://[::1]:8080"),
        ("[::1]", "http://[::1]"), ("u:p@a:1/x:y", "http://u:p@a:1/x:y"),
    ])
    func `a server address may lack its scheme or end with slashes`(text: String, address: String) {
        #expect(ServerAddress.normalized(text) == address)
        #expect(ServerAddress.isValid(address))
    }

    @Test(arguments: [
        "ftp://a", "http://", "http:///x", "http://a b", "http://a?b", "http://a#b", "file:///etc", "http://a\n",
        "", ":9400", "http://a:", "http://a:0", "http://a:65536", "http://a:b", "http://a:+1", "[::1]:b",
    ])
    func `a malformed server address is refused before anything is sent`(text: String) async {
        #expect(!ServerAddress.isValid(ServerAddress.normalized(text)))
        let subject = text.isEmpty ? "an empty text" : text
        await #expect(
            throws: ClientError.invalidRequest("\(subject) is no address of a server, such as http://localhost:8080")
        ) { try await Client(text).ticker("a").state() }
    }

    @Test func `an update's JSON has a fixed order of members`() throws {
        var update = Update()
        update.by = 5
        update.maximum = .unknown
        update.face(.seconds(2), label: "a/b", easing: "linear")
        #expect(try update.json == #"{"by":"5","duration":2,"easing":"linear","label":"a\/b","maximum":null}"#)
    }

    @Test func `names are percent-escaped in addresses`() {
        #expect(ServerAddress.escaped("a.b-c_d~9") == "a.b-c_d~9")
        #expect(ServerAddress.escaped("a:b/ü\n") == "a%3Ab%2F%C3%BC%0A")
    }

}
