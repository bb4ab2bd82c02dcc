// A server that may have few descriptors: everybody gets an answer all the same.

import TestSupport
import Testing

@Suite struct DescriptorTests {
    @Test func `more streams than there is room for each get an answer, and the server goes on`() throws {
        let server = try ServerProcess(descriptors: 512)
        var clients: [RawConnection] = []
        for _ in 0..<600 {
            let client = try RawConnection(port: server.port)
            try client.send(HTTPClient.request("GET", "/v1/events?ticker=a"))
            clients.append(client)
        }
        var refused = 0
        for client in clients {
            let head = try #require(try client.read(through: "\r\n\r\n"))
            #expect(head.hasPrefix("HTTP/1.1 200"))
            let event = try #require(try client.read(through: "\n\n"))
            if event.contains("event: bye") { refused += 1 }
        }
        // 512 less the reserve leave 320: 80 for connections, 240 for streams.
        #expect(refused == 360)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1}"#).status == 202)
    }
}
