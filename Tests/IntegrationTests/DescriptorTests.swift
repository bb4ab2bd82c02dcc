// A server that may have few descriptors: everybody gets an answer all the same.

import Foundation
import TestSupport
import Testing

@Suite struct DescriptorTests {
    @Test(arguments: [128, 256, 512, 1_024])
    func `a client is answered beside more idle connections than file descriptors`(descriptors: Int) throws {
        let errors = Pipe()
        let server = try ServerProcess(descriptors: descriptors, errors: errors)
        let silent = try (0..<(descriptors + 144)).map { _ in try RawConnection(port: server.port) }
        // A second, as a probe has: with room made for all who wait at once it takes some hundred milliseconds.
        let probe = try RawConnection(port: server.port, timeout: 10)
        try probe.send(HTTPClient.request("GET", "/healthz"))
        #expect(try HTTPClient.answer(from: probe).status == 200)
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1}"#).status == 202)
        let limits = try #require(try server.client.get("/v1/limits").json["server"] as? [[String: Any]])
        let room = try #require(limits.first { $0["name"] as? String == "connections" })
        let count = try #require(room["used"] as? Int)
        // Three quarters, less what files and threads take at least.
        #expect(count >= min(descriptors * 3 / 4, descriptors - 48) - 32, "\(room)")
        #expect(silent.count == descriptors + 144)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("raise the limit (ulimit -Hn, LimitNOFILE= of systemd)"))
        #expect(text.contains("needed=23384"), "\(text)")
    }

    @Test(arguments: [
        (2_048, [], "warning limit: too few file descriptors"),
        (8_192, [], "info limit: file descriptors allow fewer streams and connections; for more, raise the limit"),
        (8_192, ["--max-streams", "20000"], "warning limit: too few file descriptors"),
        (8_192, ["--max-streams", "1000", "--max-connections", "1000"], nil),
    ])
    func `the log warns when file descriptors are too few for the limits or for ordinary use`(
        descriptors: Int, flags: [String], line: String?
    ) throws {
        let errors = Pipe()
        let server = try ServerProcess(arguments: flags, descriptors: descriptors, errors: errors)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(line.map { text.contains($0) } ?? !text.contains("file descriptors"), "\(text)")
    }

    @Test(arguments: [(4_096, [], 4_096), (4_096, ["--max-streams", "1000", "--max-connections", "1000"], 2_192)])
    func `the descriptor table is grown at the start for the limits that were set`(
        descriptors: Int, flags: [String], least: Int
    ) throws {
        let server = try ServerProcess(arguments: flags, descriptors: descriptors)
        #expect(try descriptorTable(of: server.processIdentifier) >= least)
    }

    @Test func `streams beyond the file descriptors get bye, and the server goes on`() throws {
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
        // 512 less what is kept leave 384: 96 for connections, 288 for streams.
        #expect(refused == 312)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1}"#).status == 202)
    }
}
