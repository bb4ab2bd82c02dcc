// A disk that fails under the running server: nothing acknowledged goes, nothing refused stays, and it goes on by itself.

import Foundation
import TestSupport
import Testing

@Suite struct DiskFaultTests {
    private let folder = TemporaryFolder()

    /// Starts a server on a disk whose fault `break` sets.
    private func server() throws -> ServerProcess {
        try ServerProcess(
            folder: folder.path,
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_FAULT": fault.path])
    }

    private var fault: URL { URL(filePath: folder.path).appending(path: "fault") }

    private func breakDisk(_ letter: String) throws { try Data(letter.utf8).write(to: fault) }
    private func mendDisk() throws { try FileManager.default.removeItem(at: fault) }

    /// Posts until it is accepted again.
    private func postUntilAccepted(_ client: HTTPClient, _ path: String, _ body: String, _ headers: [String]) throws
        -> HTTPAnswer
    {
        let deadline = Date().addingTimeInterval(60)
        while true {
            let answer = try client.post(path, body, headers: headers)
            if answer.status == 202 || Date() > deadline { return answer }
            usleep(20_000)
        }
    }

    @Test(arguments: [("N", 507), ("S", 507), ("I", 503), ("F", 503), ("R", 503)])
    func `a refused increment is not counted, and its retry is counted once`(letter: String, status: Int) throws {
        let first = try server()
        let key = ["Idempotency-Key: one"]
        for _ in 0..<5 { _ = try first.client.post("/v1/tickers/n", #"{"by":1,"duration":0}"#) }
        _ = try first.client.post(
            "/v1/schedules", #"{"id":"s","in":2,"do":[{"ticker":"fired","by":1,"duration":0}]}"#)
        try breakDisk(letter)
        let refused = try first.client.post("/v1/tickers/n", #"{"by":1,"duration":0}"#, headers: key)
        #expect(refused.status == status)
        #expect(refused.headers["content-type"] == "application/problem+json")
        #expect(refused.headers["retry-after"] != nil)
        // What was refused is taken back; what is there can be read.
        #expect(eventually { try? first.client.get("/v1/tickers/n").json["target"] as? Double == 5 })
        #expect(try first.client.post("/v1/tickers/new", #"{"to":1}"#).status == status)
        #expect(eventually { try? first.client.get("/v1/tickers/new").status == 404 })
        #expect(try first.client.get("/readyz").status == 503)
        // The schedule falls due while nothing can be kept of it: it waits.
        let due = try #require(first.client.get("/v1/schedules/s").json["due"] as? String)
        let date = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(due)
        #expect(eventually { Date() > date + 0.2 })
        #expect(try first.client.get("/v1/tickers/fired").status == 404)
        try mendDisk()
        let again = try postUntilAccepted(first.client, "/v1/tickers/n", #"{"by":1,"duration":0}"#, key)
        #expect(again.status == 202)
        let replayed = try first.client.post("/v1/tickers/n", #"{"by":1,"duration":0}"#, headers: key)
        #expect(replayed.body == again.body)
        #expect(eventually { try? first.client.get("/v1/tickers/fired").json["target"] as? Double == 1 })
        #expect(try first.client.get("/readyz").status == 200)
        first.kill()

        let second = try ServerProcess(folder: folder.path)
        #expect(try second.client.get("/v1/tickers/n").json["target"] as? Double == 6)
        #expect(try second.client.get("/v1/tickers/fired").json["target"] as? Double == 1)
        #expect(try second.client.get("/v1/tickers/new").status == 404)
        #expect(try second.client.get("/v1/schedules").json["pending"] as? Int == 0)
    }

    @Test func `a write-ahead log that can't be checkpointed is reported, and shrinks once it can`() throws {
        let server = try server()
        try breakDisk("D")
        let filler = String(repeating: "x", count: 4_000)
        var posted = 0
        /// Posts a label of a page and more to each of 100 tickers.
        func post() throws {
            posted += 1
            let lines = (0..<100).map {
                #"{"ticker":"t\#($0)","label":"\#(filler)0","to":\#(posted),"duration":0}"#
            }
            #expect(try server.client.post("/v1/batch", lines.joined(separator: "\n")).status == 200)
        }
        func metric(_ name: String) throws -> Int {
            let lines = try server.client.get("/metrics").body.split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("tweencast_store_\(name) ") })
            return try #require(Int(line.split(separator: " ")[1]))
        }
        while try metric("checkpoint_failures_total") == 0, posted < 200 { try post() }
        #expect(try metric("checkpoint_failures_total") > 0)
        let grown = try metric("log_bytes")
        #expect(grown > 8_000_000)
        #expect(try server.client.get("/readyz").status == 200)
        try mendDisk()
        while try metric("log_bytes") > grown / 2, posted < 600 { try post() }
        #expect(try metric("log_bytes") <= grown / 2)
        server.kill()
        let again = try ServerProcess(folder: folder.path)
        for number in 0..<100 {
            #expect(try again.client.get("/v1/tickers/t\(number)").json["target"] as? Double == Double(posted))
        }
    }

    /// Looks every 20 ms: the server tells nobody that its store is back.
    private func eventually(_ condition: () -> Bool?) -> Bool {
        let deadline = Date().addingTimeInterval(60)
        while condition() != true {
            if Date() > deadline { return false }
            usleep(20_000)
        }
        return true
    }
}
