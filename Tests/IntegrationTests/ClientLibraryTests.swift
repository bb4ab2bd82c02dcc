// The library for other programs, with a real server.

import Foundation
import TestSupport
import Testing
import TweencastClient

@Suite struct ClientLibraryTests {
    private let server: ServerProcess
    private let client: Client

    init() throws {
        server = try ServerProcess()
        client = Client("http://localhost:\(server.port)")
    }

    @Test func `the client library sets, adds, reads, lists and notifies`() async throws {
        try await client.ticker("revenue").set(250, duration: .zero, label: "$0.00")
        let state = try await client.ticker("revenue").add(try #require(Amount("0.50")), duration: .zero)
        #expect(state.text == "$250.50" && state.id == "revenue" && state.kind == .ticker)
        try await client.progress("build").set(42, of: .known(200), duration: .zero)
        #expect(try await client.progress("build").state().fraction == 0.21)
        #expect(try await client.list(.ticker, prefix: "rev").map(\.id) == ["revenue"])
        try await client.notify("deploy", json: #"{"version":"1.2"}"#)
    }

    @Test func `the client library's frames come until the loop is left`() async throws {
        try await client.ticker("a.b").set(1_000_000, duration: .seconds(3_600))
        var texts: [String] = []
        for try await frame in client.ticker("a.b").frames {
            texts.append(frame.text)
            if texts.count == 5 { break }
        }
        #expect(Set(texts).count == 5)
    }

    @Test func `the client library's frames end when the task is cancelled or the ticker removed`() async throws {
        try await client.ticker("a").set(5, duration: .zero)
        for isRemoved in [false, true] {
            let (firsts, first) = AsyncStream<Void>.makeStream()
            let watching = Task { [client] in
                for try await _ in client.ticker("a").frames { first.yield() }
            }
            for await _ in firsts { break }
            if isRemoved {
                #expect(try server.client.send("DELETE", "/v1/tickers/a").status == 204)
            } else {
                watching.cancel()
            }
            try await watching.value
        }
    }

    @Test func `the client library's error for a missing ticker names it`() async throws {
        var refusal: ClientError?
        do throws(ClientError) {
            _ = try await client.ticker("nothing").state()
        } catch {
            refusal = error
        }
        #expect(refusal?.description == "there is no ticker nothing")
    }
}
