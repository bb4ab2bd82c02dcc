// What is acknowledged survives a crash; what was due fires, once.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct DurabilityTests {
    @Test func `store and backup files are accessible to their owner only`() throws {
        let parent = TemporaryFolder()
        let (data, copy) = (parent.path + "/data", parent.path + "/copy.sqlite")
        let server = try ServerProcess(folder: data)
        _ = try server.client.post("/v1/tickers/a", #"{"to":1}"#)
        #expect(try ServerProcess.run(["backup", copy, "--data", data]).code == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: data).map { "\(data)/\($0)" }
        #expect(files.count > 1)
        for path in files + [data, copy] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(path)")
        }
    }

    private let folder = TemporaryFolder()

    /// How a server makes room for the next.
    enum Ending: CaseIterable {
        case killed, stopped, restored
    }

    @Test(arguments: Ending.allCases)
    func `each milestone is told once, under one id, whatever restarts the server`(ending: Ending) throws {
        var server = try ServerProcess(folder: folder.path)
        let milestones = (1...40).map { "\($0)" }.joined(separator: ",")
        let update = #"{"from":0,"to":41,"duration":4,"milestones":[\#(milestones)]}"#
        var told: [ServerSentEvent] = []
        var last = ""
        var isOver = false
        while !isOver {
            let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t&lastEventID=\(last)")
            if last.isEmpty { _ = try server.client.post("/v1/tickers/t", update) }
            var left = 5
            for event in try stream.collect(until: {
                left -= $0.name == "milestone" ? 1 : 0
                return left == 0 || $0.name == "complete"
            }) {
                if let id = event.id { last = id }
                if event.name == "milestone" { told.append(event) }
                isOver = isOver || event.name == "complete"
            }
            switch ending {
            case .killed: server.kill()
            case .stopped: #expect(server.terminate() == 0)
            case .restored:
                server.kill()
                let copy = "\(folder.path)-copy.sqlite"
                #expect(try ServerProcess.run(["backup", copy, "--data", folder.path]).code == 0)
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
                }
                #expect(try ServerProcess.run(["restore", copy, "--data", folder.path]).code == 0)
                try FileManager.default.removeItem(atPath: copy)
            }
            server = try ServerProcess(folder: folder.path)
        }
        let values = told.compactMap { $0.frame?.value }
        #expect(values == (1...40).map(Double.init))
        #expect(Set(told.map(\.id)).count == 40)
    }

    @Test func `increments, motions and pauses go on after SIGKILL`() throws {
        let first = try ServerProcess(folder: folder.path)
        for _ in 0..<50 { _ = try first.client.post("/v1/tickers/sum", #"{"by":"0.1","animated":false}"#) }
        let asked = Date()
        _ = try first.client.post("/v1/tickers/long", #"{"to":1000,"duration":100}"#)
        let accepted = Date()
        _ = try first.client.post("/v1/tickers/held", #"{"to":100,"duration":100}"#)
        _ = try first.client.post("/v1/tickers/held/pause")
        _ = try first.client.post("/v1/schedules/pause")
        let held = try first.client.get("/v1/tickers/held").json["value"] as? Double
        first.kill()

        let second = try ServerProcess(folder: folder.path)
        #expect(try second.client.get("/v1/tickers/sum").json["text"] as? String == "5.0")
        let earliest = Date().timeIntervalSince(accepted)
        let value = try #require(second.client.get("/v1/tickers/long").json["value"] as? Double)
        let latest = Date().timeIntervalSince(asked)
        // 10 a second, from somewhere within the request to somewhere within the answer, shown as of a tick.
        #expect(value > 10 * earliest - 1 && value < 10 * latest + 1)
        #expect(try second.client.get("/v1/tickers/held").json["value"] as? Double == held)
        #expect(try second.client.get("/v1/schedules").json["paused"] as? Bool == true)
    }

    @Test func `a ticker's history survives SIGKILL, and the parameter points thins it`() throws {
        let first = try ServerProcess(folder: folder.path)
        _ = try first.client.post("/v1/tickers/a", #"{"label":"at 3","to":5,"duration":0}"#)
        _ = try first.client.post("/v1/tickers/a", #"{"to":7.25,"duration":100}"#)
        _ = try first.client.post("/v1/progress/p", #"{"current":40,"duration":0}"#)
        let told = try first.client.get("/v1/tickers/a/history").json
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let again = try second.client.get("/v1/tickers/a/history").json
        let points = try #require(again["points"] as? [[String: Any]])
        // 5 is there where it stood for a second.
        #expect(points.first?["value"] as? Double == 3 && points.last?["value"] as? Double == 7.25)
        #expect(points.map { $0["at"] as? String } == (told["points"] as? [[String: Any]])?.map { $0["at"] as? String })
        #expect(again["ticker"] as? String == "a")
        let latest = try second.client.get("/v1/tickers/a/history?points=1").json
        #expect((latest["points"] as? [[String: Any]])?.count == 1)
        #expect(try second.client.get("/v1/progress/p/history").json["progress"] as? String == "p")
    }

    @Test func `a schedule that was due while the server was down fires once`() throws {
        let first = try ServerProcess(folder: folder.path)
        _ = try first.client.post("/v1/schedules", #"{"id":"s","in":0.3,"do":[{"ticker":"n","by":1,"duration":0}]}"#)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let stream = try EventSourceClient(port: second.port, path: "/v1/events?ticker=n&lastEventID=")
        let frames = try stream.collect { $0.frame?.value == 1 }
        #expect(frames.last?.frame?.text == "1")
        second.kill()
        let third = try ServerProcess(folder: folder.path)
        #expect(try third.client.get("/v1/tickers/n").json["text"] as? String == "1")
        #expect(try third.client.get("/v1/schedules").json["pending"] as? Int == 0)
    }

    @Test func `a delayed action survives SIGKILL and runs once`() throws {
        let first = try ServerProcess(folder: folder.path)
        let counting = #"{"id":"s","in":0,"do":[{"ticker":"n","by":1,"duration":0}]}"#
        _ = try first.client.post(
            "/v1/tickers/a", #"{"to":1,"animated":false,"then":[{"schedule":\#(counting),"delay":1}]}"#)
        #expect(try first.client.get("/v1/schedules/delay:1").json["by"] as? [String: String] == ["ticker": "a"])
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let stream = try EventSourceClient(port: second.port, path: "/v1/events?ticker=n&lastEventID=")
        let frames = try stream.collect { $0.frame?.value == 1 }
        #expect(frames.last?.frame?.text == "1")
        second.kill()
        let third = try ServerProcess(folder: folder.path)
        #expect(try third.client.get("/v1/tickers/n").json["text"] as? String == "1")
        #expect(try third.client.get("/v1/schedules").json["pending"] as? Int == 0)
    }

    @Test func `a retry under its idempotency key gets the same answer, also after a restart`() throws {
        let key = ["Idempotency-Key: abc"]
        let first = try ServerProcess(folder: folder.path)
        let answer = try first.client.post("/v1/tickers/i", #"{"by":1,"duration":0}"#, headers: key)
        let retry = try first.client.post("/v1/tickers/i", #"{"by":1,"duration":0}"#, headers: key)
        #expect(retry.body == answer.body && retry.status == answer.status)
        #expect(try first.client.post("/v1/tickers/i", #"{"by":2}"#, headers: key).status == 422)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let late = try second.client.post("/v1/tickers/i", #"{"by":1,"duration":0}"#, headers: key)
        #expect(late.body == answer.body)
        #expect(try second.client.get("/v1/tickers/i").json["text"] as? String == "1")
    }

    @Test func `the database file stays bounded, however many updates come`() throws {
        let arguments = ["--idempotency-keys", "200", "--history", "50"]
        // The journal holds a thousand of such a size before it is moved into the table.
        let label = String(repeating: "x", count: 2_000)
        /// Sends increments to ten tickers, the first hundred with a key, and ends the server.
        /// - Returns: Bytes of the file then.
        func fileSize(after numbers: ClosedRange<Int>) throws -> Int {
            let server = try ServerProcess(folder: folder.path, arguments: arguments)
            for number in numbers {
                let answer = try server.client.post(
                    "/v1/tickers/t\(number % 10)", #"{"by":1,"duration":0,"label":"0\#(label)"}"#,
                    headers: number <= 100 ? ["Idempotency-Key: \(number)"] : [])
                #expect(answer.status == 202)
            }
            #expect(server.terminate() == 0)
            let file = try FileManager.default.attributesOfItem(atPath: folder.path + "/tweencast.sqlite")
            return file[.size] as? Int ?? 0
        }
        let size = try fileSize(after: 1...1_500)
        let later = try fileSize(after: 1_501...4_500)
        #expect(later < size * 3 / 2)
    }

    @Test func `a key's answer is kept for four hours, or its request is refused with 503`() throws {
        let arguments = ["--idempotency-keys", "20"]
        let errors = Pipe()
        let first = try ServerProcess(folder: folder.path, arguments: arguments, errors: errors)
        func post(_ server: ServerProcess, _ key: Int) throws -> HTTPAnswer {
            try server.client.post(
                "/v1/tickers/t", #"{"by":1,"duration":0}"#, headers: ["Idempotency-Key: \(key)"])
        }
        let answers = try (0..<30).map { try post(first, $0) }
        // One client leaves as much free as it has.
        #expect(answers.prefix(10).allSatisfy { $0.status == 202 })
        #expect(answers.dropFirst(10).allSatisfy { $0.status == 503 })
        // When the first answer expires, four hours after it was given.
        let waits = answers.dropFirst(10).compactMap { $0.headers["retry-after"].flatMap { Int($0) } }
        #expect(waits.count == 20 && waits.allSatisfy { (14_100...14_400).contains($0) }, "\(waits)")
        #expect(try first.client.get("/v1/tickers/t").json["value"] as? Int == 10)
        #expect(try first.client.post("/v1/tickers/t", #"{"by":1,"duration":0}"#).status == 202)
        #expect(first.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let line = " warning limit: no room for the answer to a request with an Idempotency-Key owner="
        #expect(log.split(separator: "\n").count { $0.contains(line) && $0.contains(" seconds=14") } == 20, "\(log)")
        let second = try ServerProcess(folder: folder.path, arguments: arguments)
        let replayed = try post(second, 0)
        #expect(replayed.body == answers[0].body && replayed.headers["idempotency-replayed"] == "true")
        #expect(replayed.headers["etag"] == answers[0].headers["etag"] && replayed.headers["etag"] != nil)
        #expect(replayed.headers["location"] == answers[0].headers["location"])
        #expect(try second.client.get("/v1/tickers/t").json["value"] as? Int == 11)
    }

    @Test func `a stream that answers a request is opened again by its retry, for the same ticker`() throws {
        let server = try ServerProcess(folder: folder.path)
        let headers = ["Idempotency-Key: s", "Accept: text/event-stream"]
        func ticker() throws -> (ticker: String, animation: String)? {
            let answer = try server.client.post("/v1/tickers", #"{"to":1,"duration":0}"#, headers: headers)
            #expect(answer.status == 200 && answer.body.contains("event: complete"))
            let data = answer.body.components(separatedBy: "event: complete").last?.components(separatedBy: "\n")
            guard let line = data?.first(where: { $0.hasPrefix("data: ") }),
                let json = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
            else { return nil }
            return (json["ticker"] as? String ?? "", "\(json["animation"] ?? "")")
        }
        let first = try ticker()
        let again = try ticker()
        #expect(first != nil && first?.ticker == again?.ticker && first?.animation == again?.animation)
        #expect((try server.client.get("/v1/tickers").json["items"] as? [Any])?.count == 1)
        let plain = try server.client.post("/v1/tickers", #"{"to":1,"duration":0}"#, headers: [headers[0]])
        #expect(plain.status == 422, "another form of answer is another request")
        #expect(try server.client.send("DELETE", "/v1/tickers/\(first?.ticker ?? "")").status == 204)
        let gone = try server.client.post("/v1/tickers", #"{"to":1,"duration":0}"#, headers: headers)
        #expect(gone.status == 410)
    }

    @Test func `an answer too long to be kept is given again with the resource as it is`() throws {
        let server = try ServerProcess(folder: folder.path)
        let label = String(repeating: "\\\"", count: 4_000) + "5"
        let body = #"{"to":6,"duration":0,"label":"\#(label)"}"#
        let headers = ["Idempotency-Key: long"]
        let first = try server.client.post("/v1/tickers/l", body, headers: headers)
        #expect(first.status == 202 && first.body.count > 8 * 1_024)
        _ = try server.client.post("/v1/tickers/l", #"{"to":7,"duration":0}"#)
        let again = try server.client.post("/v1/tickers/l", body, headers: headers)
        #expect(again.status == 202 && again.json["target"] as? Int == 7)
        #expect(again.headers["location"] == "/v1/tickers/l")
        #expect(again.headers["etag"] == (try server.client.get("/v1/tickers/l")).headers["etag"])
    }

    @Test(arguments: SendPath.possible)
    func `SIGTERM sends bye to every stream and exits with 0`(_ path: SendPath) throws {
        let server = try ServerProcess(folder: folder.path, arguments: path.flags)
        _ = try server.client.post("/v1/tickers/t", #"{"to":1}"#)
        let streams = try (0..<5).map { _ in
            try EventSourceClient(port: server.port, path: "/v1/tickers/t/events")
        }
        for stream in streams { _ = try stream.collect { $0.name == "message" } }
        #expect(server.terminate() == 0)
        for stream in streams {
            let last = try stream.collect { _ in false }.last
            #expect(last?.name == "bye" && last?.retry != nil)
        }
    }

    @Test func `a bad flag exits with 2, a port or a store in use with 1`() throws {
        let bad = try ServerProcess.run(["--tick-rate", "0"])
        #expect(bad.code == 2 && bad.errors.contains("--tick-rate"))
        let unknown = try ServerProcess.run(["--tock-rate", "1"])
        #expect(unknown.code == 2 && unknown.errors.contains("--tock-rate"))
        let server = try ServerProcess(folder: folder.path)
        let taken = try ServerProcess.run(["--ephemeral", "--port", "\(server.port)"])
        #expect(taken.code == 1 && taken.errors.contains("\(server.port)"))
        let shared = try ServerProcess.run(["--data", folder.path, "--port", "0"])
        #expect(shared.code == 1)
        #expect(try ServerProcess.run(["health", "--port", "\(server.port)"]).code == 0)
        #expect(try ServerProcess.run(["health", "--port", "1"]).code == 1)
    }

    @Test(arguments: ["backup", "restore"])
    func `a backup or restore whose folder can't be synced exits with an error`(command: String) throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(folder: folder.path + "/data")
        #expect(server.terminate() == 0)
        let copy = folder.path + "/copy"
        if command == "restore" {
            #expect(try ServerProcess.run(["backup", copy, "--data", folder.path + "/data"]).code == 0)
        }
        let fault = folder.path + "/fault"
        try Data("P".utf8).write(to: URL(filePath: fault))
        let data = folder.path + (command == "restore" ? "/new" : "/data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let answer = try ServerProcess.run(
            [command, copy, "--data", data],
            after: "export LD_PRELOAD='\(FaultLibrary.location.path)' TWEENCAST_FAULT='\(fault)'")
        #expect(answer.code == 1 && answer.errors.contains("can't be synced"), "\(answer)")
    }

    @Test func `a backup of a running server is a store to start from`() throws {
        let server = try ServerProcess(folder: folder.path)
        for _ in 0..<20 { _ = try server.client.post("/v1/tickers/sum", #"{"by":1,"duration":0}"#) }
        let other = TemporaryFolder()
        let file = other.path + "/tweencast.sqlite"
        #expect(try ServerProcess.run(["backup", file, "--data", folder.path]).code == 0)
        _ = try server.client.post("/v1/tickers/sum", #"{"by":1,"duration":0}"#)
        let again = try ServerProcess.run(["backup", file, "--data", folder.path])
        #expect(again.code == 1 && again.errors.contains("exists"))
        let restored = try ServerProcess(folder: other.path)
        #expect(try restored.client.get("/v1/tickers/sum").json["target"] as? Int == 20)
        #expect(try server.client.get("/v1/tickers/sum").json["target"] as? Int == 21)
        #expect(try ServerProcess.run(["backup", "--data", folder.path]).code == 2)
        #expect(try ServerProcess.run(["backup", other.path + "/x", "--data", "/nowhere"]).code == 1)
    }

    @Test(arguments: SendPath.possible)
    func `events missed while the server was killed and restarted are replayed once`(_ path: SendPath) throws {
        let first = try ServerProcess(folder: folder.path, arguments: path.flags)
        _ = try first.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        let stream = try EventSourceClient.greeted(port: first.port, path: "/v1/events?ticker=t&notification=*")
        _ = try first.client.post("/v1/tickers/t", #"{"to":2,"duration":0}"#)
        let last = try #require(stream.collect { $0.name == "complete" }.last?.id)
        _ = try first.client.post("/v1/tickers/t", #"{"to":3,"duration":0}"#)
        _ = try first.client.post("/v1/tickers/t", #"{"to":4,"duration":0.6,"then":[{"notify":"end"}]}"#)
        first.kill()
        // Started a second later by its clock, when the last motion would have been over.
        let clock = folder.path + "/clock"
        try Data("1".utf8).write(to: URL(filePath: clock))
        let second = try ServerProcess(
            folder: folder.path, arguments: path.flags,
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_WALL_CLOCK": clock])
        let again = try EventSourceClient(
            port: second.port, path: "/v1/events?ticker=t&notification=*", headers: ["Last-Event-ID: \(last)"])
        let events = try again.collect { $0.name == "notification" }
        let completions = events.filter { $0.name == "complete" }.compactMap { $0.frame?.value }
        #expect(completions == [3, 4])
        #expect(!events.contains { $0.name == "reset" })
        let ids = events.compactMap(\.id)
        #expect(Set(ids).count == ids.count)
        let unknown = try EventSourceClient(
            port: second.port, path: "/v1/tickers/t/events", headers: ["Last-Event-ID: nobody-1"])
        #expect(try unknown.collect { $0.name == "message" }.contains { $0.name == "reset" })
    }
}
