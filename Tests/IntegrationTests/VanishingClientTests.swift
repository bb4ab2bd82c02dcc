// Clients that are gone before their streams begin, or want none: nothing is kept for them.

import Foundation
import TestSupport
import Testing

@Suite struct VanishingClientTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(arguments: ["--max-streams", "64"]) }

    private func metric(_ name: String) throws -> Int? {
        let lines = try server.client.get("/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix("tweencast_\(name) ") }.flatMap { Int($0.split(separator: " ")[1]) }
    }

    private var isEmpty: Bool {
        (try? metric("streams")) == 0 && (try? metric("stream_names")) == 0 && (try? metric("stream_topics")) == 0
    }

    @Test func `HEAD of a stream takes no stream place`() throws {
        for _ in 0..<200 {
            #expect(try server.client.send("HEAD", "/v1/events?ticker=a").status == 200)
        }
        try eventually("nothing is left") { isEmpty }
    }

    @Test func `clients that close right after requesting a stream leave no stream behind`() throws {
        for _ in 0..<300 {
            let client = try RawConnection(port: server.port)
            try client.send("GET /v1/events?ticker=a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.shut()
        }
        try eventually("nothing is left") { isEmpty }
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=a")
        #expect(try stream.collect { $0.name == "hello" }.last?.name == "hello")
    }
}
