// What a client says when it can't send something, before anything is sent.

import Foundation
import Testing
import TweencastClient

@Suite struct ClientErrorTests {
    private static let client = Client("http://localhost:1")

    /// The sentence of the error that a request throws; nil if it throws none.
    private static func sentence(of request: () async throws(ClientError) -> Void) async -> String? {
        do throws(ClientError) {
            try await request()
            return nil
        } catch {
            // What an app shows, which asks Foundation.
            return (error as any Error).localizedDescription
        }
    }

    @Test(arguments: [
        ("a/b", "a/b"), ("", "an empty text"), ("..", ".."), ("ü", "ü"), ("a*", "a*"),
        (String(repeating: "a", count: 129), String(repeating: "a", count: 129)),
    ])
    func `an id that nothing can have is named, with the rule`(id: String, named: String) async {
        let rule =
            "\(named) is no id: it has 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : -, and is neither . nor .."
        #expect(await Self.sentence { () throws(ClientError) in _ = try await Self.client.ticker(id).state() } == rule)
        #expect(await Self.sentence { () throws(ClientError) in try await Self.client.progress(id).cancel() } == rule)
        #expect(await Self.sentence { () throws(ClientError) in try await Self.client.notify(id) } == rule)
        let topic = id == "a*" ? "a**" : id
        let stream = await Self.sentence { () throws(ClientError) in
            for try await _ in Self.client.items(of: [Topic(.ticker, topic)]) {}
        }
        #expect(stream?.hasPrefix(id == "a*" ? "a** is no id" : named) == true)
    }

    @Test func `a token with a line break is not sent, and not shown`() async throws {
        let client = Client("http://localhost:1", token: "secret\r\nHost: b")
        let sentence = try #require(
            await Self.sentence { () throws(ClientError) in _ = try await client.ticker("a").state() })
        #expect(sentence.contains("line break") && !sentence.contains("secret"))
    }

    @Test(arguments: ["", "a\n", String(repeating: "k", count: 256)])
    func `a key that the server would refuse is refused before it is sent`(key: String) async {
        let sentence = await Self.sentence { () throws(ClientError) in
            try await Self.client.ticker("a").set(1, key: key)
        }
        #expect(sentence == "an Idempotency-Key has 1 to 255 printable ASCII characters")
    }

    @Test(arguments: [
        (ClientError.cancelled, "cancelled"),
        (.refused(ClientError.Problem(status: 404, detail: "there is no ticker a")), "there is no ticker a"),
        (.unreachable(server: "http://a", reason: "b"), "no answer from http://a: b"),
    ])
    func `an error's localized description is its sentence`(error: ClientError, sentence: String) {
        #expect((error as any Error).localizedDescription == sentence)
        #expect(error.description == sentence)
    }
}
