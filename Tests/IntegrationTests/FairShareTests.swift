// What all streams share, on the real server: one address, or one token, takes all it can get, and others find room.

import Foundation
import TestSupport
import Testing

@Suite struct FairShareTests {
    /// Addresses come by a proxy that is trusted: this machine's own are held to no share.
    private static let proxied = ["--trusted-proxy", "127.0.0.1", "--insecure"]
    private static let languages = Locale.availableIdentifiers.filter { $0.count == 2 && $0 != "en" }.sorted()

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    private static func stream(
        _ server: ServerProcess, in locale: String, query: String = "ticker=a", _ headers: [String]
    ) throws -> (client: EventSourceClient, hasSubscribers: Bool) {
        let client = try EventSourceClient(
            port: server.port, path: "/v1/events?\(query)&locale=\(locale)", headers: headers)
        let first = try client.next()
        #expect(first?.name == "hello" || first?.data == #"{"reason":"locales"}"#)
        return (client, first?.name == "hello")
    }

    /// Opens a stream in each language until one is refused.
    private static func fill(
        _ server: ServerProcess, _ headers: [String]
    ) throws -> (streams: [EventSourceClient], refused: String) {
        var streams: [EventSourceClient] = []
        for language in languages {
            let (client, hasSubscribers) = try stream(server, in: language, headers)
            guard hasSubscribers else { return (streams, language) }
            streams.append(client)
        }
        return (streams, "")
    }

    @Test func `an address with as many stream patterns as it may have leaves room for another`() throws {
        let server = try ServerProcess(arguments: Self.proxied)
        _ = try server.client.post("/v1/tickers/here", #"{"to":1,"duration":0}"#)
        // As many as a body holds.
        let names = (0..<7_200).map { "\"\(String($0, radix: 36))\"" }.joined(separator: ",")
        func stream(from address: String) throws -> (client: EventSourceClient, hasSubscribers: Bool) {
            let client = try EventSourceClient(
                port: server.port, path: "/v1/events", method: "POST", body: #"{"ticker":["here",\#(names)]}"#,
                headers: Self.from(address))
            let told = try client.collect { ["message", "limit", "bye"].contains($0.name) }
            #expect(told.last?.name == "message" || told.last?.data == #"{"limit":"patterns","maximum":1000000}"#)
            return (client, told.last?.name == "message")
        }
        var streams: [EventSourceClient] = []
        var isFull = false
        while !isFull, streams.count < 200 {
            let (client, hasSubscribers) = try stream(from: "203.0.113.7")
            streams.append(client)
            isFull = !hasSubscribers
        }
        #expect(isFull)
        #expect(try stream(from: "203.0.113.8").hasSubscribers)
        // What one leaves is there again, for whoever it is.
        for client in streams { client.close() }
        while !(try stream(from: "203.0.113.7").hasSubscribers) {}
    }

    @Test func `an address that uses all locales it may have leaves some to another`() throws {
        let server = try ServerProcess(arguments: Self.proxied)
        let (streams, refused) = try Self.fill(server, Self.from("203.0.113.7"))
        #expect(!refused.isEmpty && streams.count < 64)
        #expect(try Self.stream(server, in: refused, Self.from("203.0.113.8")).hasSubscribers)
        // What one leaves is there again, for whoever it is.
        for client in streams { client.close() }
        while !(try Self.stream(server, in: "en", Self.from("203.0.113.7")).hasSubscribers) {}
    }

    @Test func `all streams of a token share one locale limit, tickets and streamed answers included`()
        throws
    {
        let guarded = try GuardedServer(arguments: Self.proxied, anonymous: #"{"subscribe":["*"]}"#)
        let admin = GuardedServer.Visitor.admin.headers
        let (streams, refused) = try Self.fill(guarded.server, admin)
        defer { for client in streams { client.close() } }
        #expect(!refused.isEmpty)
        let answer = try guarded.server.client.post("/v1/tickets", #"{"ticker":["a"]}"#, headers: admin)
        let ticket = try #require(answer.body.split(separator: "\"").dropFirst(3).first)
        let address = Self.from("203.0.113.7")
        let other = try Self.stream(
            guarded.server, in: refused, query: "ticker=a&ticket=\(ticket)", address)
        #expect(!other.hasSubscribers)
        let change = try EventSourceClient(
            port: guarded.server.port, path: "/v1/tickers?locale=\(refused)", method: "POST", body: #"{"to":1}"#,
            headers: admin + ["Accept: text/event-stream"])
        #expect(try change.collect { _ in false }.last?.data == #"{"reason":"locales"}"#)
        // Without a token it is the address's.
        #expect(try Self.stream(guarded.server, in: refused, address).hasSubscribers)
    }
}
