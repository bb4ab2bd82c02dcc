// What all streams share, on the real server: one address takes all it can get, and others find room.

import TestSupport
import Testing

@Suite struct FairShareTests {
    /// Addresses come by a proxy that is trusted: this machine's own are held to no share.
    private static let proxied = ["--trusted-proxy", "127.0.0.1"]

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    @Test func `an address that names all it can doesn't deafen another`() throws {
        let server = try ServerProcess(arguments: Self.proxied)
        _ = try server.client.post("/v1/tickers/here", #"{"to":1,"duration":0}"#)
        // As many as a body holds.
        let names = (0..<7_200).map { "\"\(String($0, radix: 36))\"" }.joined(separator: ",")
        func stream(from address: String) throws -> (client: EventSourceClient, isHeard: Bool) {
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
            let (client, isHeard) = try stream(from: "203.0.113.7")
            streams.append(client)
            isFull = !isHeard
        }
        #expect(isFull)
        #expect(try stream(from: "203.0.113.8").isHeard)
        // What one leaves is there again, for whoever it is.
        for client in streams { client.close() }
        while !(try stream(from: "203.0.113.7").isHeard) {}
    }
}
