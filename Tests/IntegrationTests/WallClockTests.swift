// A wall clock that is set while the server runs, and a server that is stopped for a while.

import Foundation
import TestSupport
import Testing

@Suite struct WallClockTests {
    private let folder = TemporaryFolder()

    private var clock: URL { URL(filePath: folder.path).appending(path: "clock") }

    private func setClock(aheadBy seconds: Int) throws {
        // In one step, so that the server never reads half of it.
        try Data("\(seconds)".utf8).write(to: clock, options: .atomic)
    }

    private func server() throws -> ServerProcess {
        try setClock(aheadBy: 0)
        return try ServerProcess(
            folder: folder.path,
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_WALL_CLOCK": clock.path])
    }

    /// Returns when another server, which nothing stops, has ticked so often.
    private func letTicksPass(_ count: Int64) throws {
        let other = try ServerProcess()
        _ = try other.client.post("/v1/tickers/t", #"{"to":1000,"duration":100,"decimals":3}"#)
        let stream = try EventSourceClient(port: other.port, path: "/v1/tickers/t/events?stamp")
        var first: Int64?
        _ = try stream.collect { event in
            guard let tick = event.frame?.seq else { return false }
            first = first ?? tick
            return tick >= first.map { $0 + count } ?? .max
        }
    }

    private func date(in seconds: Double) -> String {
        Date().addingTimeInterval(seconds).formatted(.iso8601)
    }

    @Test(arguments: [3_600, -3_600])
    func `a wall clock that is set by an hour moves no value and no interval`(hour: Int) throws {
        let server = try server()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1000,"duration":100,"decimals":3}"#)
        _ = try server.client.post(
            "/v1/schedules", #"{"id":"in","in":600,"do":[{"ticker":"fired","by":1,"duration":0}]}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t&stamp")
        var frames = try stream.collect { ($0.frame?.value ?? 0) > 2 }.compactMap(\.frame)
        try setClock(aheadBy: hour)
        let before = frames.last?.t ?? 0
        frames += try stream.collect { abs(($0.frame?.t ?? before) - before) > 1_800_000_000_000 }.compactMap(\.frame)
        frames += try stream.collect { ($0.frame?.value ?? 0) > (frames.last?.value ?? 0) + 2 }.compactMap(\.frame)
        // 10 units a second: a sixth of one a tick.
        let values = frames.compactMap { frame in frame.value.flatMap { value in frame.seq.map { (value, $0) } } }
        for (one, next) in zip(values, values.dropFirst()) {
            #expect(next.0 >= one.0)
            #expect(next.0 - one.0 <= 0.17 * Double(next.1 - one.1) + 0.001)
        }
        let left = try #require(server.client.get("/v1/schedules/in").json["remaining"] as? Double)
        #expect(left < 600 && left > 300)
        // And over a restart with the clock as it is now.
        let value = try #require(server.client.get("/v1/tickers/t").json["value"] as? Double)
        server.kill()
        let again = try ServerProcess(
            folder: folder.path,
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_WALL_CLOCK": clock.path])
        let after = try #require(again.client.get("/v1/tickers/t").json["value"] as? Double)
        // An hour would have brought it to its end.
        #expect(after >= value && after < 1_000)
    }

    @Test(arguments: [3_600, -3_600])
    func `setting the wall clock shifts a motion's start and its states at an instant`(hour: Int) throws {
        let server = try server()
        _ = try server.client.post("/v1/tickers/t", #"{"from":0,"to":1000,"duration":100,"decimals":3}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t&stamp")
        let before = try stream.collect { $0.frame?.t != nil }.compactMap(\.frame).last?.t ?? 0
        let known = try server.client.get("/v1/tickers/t?at=15").json
        #expect(known["value"] as? Double == 150 || known["value"] as? Int == 150)
        try setClock(aheadBy: hour)
        _ = try stream.collect { abs(($0.frame?.t ?? before) - before) > 1_800_000_000_000 }
        let state = try server.client.get("/v1/tickers/t").json
        let start = try #require((state["motion"] as? [String: Any])?["start"] as? String)
        // What the server says of the motion's beginning, of its middle and of the present agree.
        for (at, values) in [(start, 0...0.1), ("15", 150...150), (date(in: Double(hour + 1)), 0.001...999)] {
            let answer = try server.client.get("/v1/tickers/t?at=\(at)")
            let value = (answer.json["value"] as? NSNumber)?.doubleValue
            #expect(
                value.map(values.contains) == true && answer.json["source"] as? String == "motion",
                "\(at): \(answer.body)")
        }
        let list = try server.client.get("/v1/tickers/t/frames?from=\(start)&fps=1").json
        #expect((list["frames"] as? [Any])?.count == 101 && list["from"] as? String == start, "\(list)")
    }

    @Test(arguments: [7_200, 259_200, -7_200, -259_200])
    func `a store written by a wrong clock is shifted once, and the log says what moved`(
        error: Int
    ) throws {
        try setClock(aheadBy: error)
        let environment = ["LD_PRELOAD": try FaultLibrary.location.path, "TWEENCAST_WALL_CLOCK": clock.path]
        let first = try ServerProcess(folder: folder.path, environment: environment)
        _ = try first.client.post("/v1/tickers/t", #"{"to":1000,"duration":100,"decimals":3}"#)
        for (id, rule) in [("in", #""in":600"#), ("every", #""every":600"#), ("cron", #""every":"* * * * *""#)] {
            _ = try first.client.post("/v1/schedules", #"{"id":"\#(id)",\#(rule),"do":[{"notify":"n"}]}"#)
        }
        let value = try #require(first.client.get("/v1/tickers/t").json["value"] as? Double)
        first.kill()
        try setClock(aheadBy: 0)
        let errors = Pipe()
        let second = try ServerProcess(folder: folder.path, environment: environment, errors: errors)
        let after = try #require(second.client.get("/v1/tickers/t").json["value"] as? Double)
        #expect(after >= value && after < 1_000)
        for (id, most) in [("in", 600.0), ("every", 600), ("cron", 60)] {
            let left = try #require(second.client.get("/v1/schedules/\(id)").json["remaining"] as? Double)
            #expect(left <= most && (left > 300 || id == "cron"), "\(id): \(left)")
        }
        // Acknowledged, so that what was moved is stored.
        _ = try second.client.post("/v1/tickers/u", #"{"to":1}"#)
        // What is killed may not have written its last lines.
        #expect(second.terminate() == 0)
        let log = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(log.contains("the wall clock was set while no server ran"))
        #expect(log.contains("motions=1 intervals=2"), "\(log)")
        // And once: the store has been written by the right clock since.
        let more = Pipe()
        let third = try ServerProcess(folder: folder.path, environment: environment, errors: more)
        _ = try third.client.get("/v1/tickers/t")
        #expect(third.terminate() == 0)
        #expect(!String(decoding: more.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("was set"))
    }

    @Test func `a dated schedule fires once when the wall clock is set past its date`() throws {
        let server = try server()
        _ = try server.client.post(
            "/v1/schedules", #"{"id":"at","at":"\#(date(in: 1_800))","do":[{"ticker":"fired","by":1,"duration":0}]}"#)
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events?schedule=*&ticker=fired")
        try setClock(aheadBy: 3_600)
        let events = try stream.collect { $0.name == "fired" }
        #expect(events.last?.frame?.schedule == "at")
        try setClock(aheadBy: 0)
        _ = try stream.collect { $0.frame?.ticker == "fired" && $0.frame?.value == 1 }
        #expect(try server.client.get("/v1/schedules").json["pending"] as? Int == 0)
        #expect(try server.client.get("/v1/tickers/fired").json["target"] as? Int == 1)
    }

    @Test func `a server stopped and continued catches up without a burst`() throws {
        let server = try ServerProcess(folder: folder.path)
        _ = try server.client.post("/v1/tickers/t", #"{"to":1000,"duration":100,"decimals":3}"#)
        let began = Date()
        _ = try server.client.post(
            "/v1/schedules", #"{"id":"s","every":0.5,"do":[{"ticker":"fired","by":1,"duration":0}]}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/tickers/t/events?stamp")
        var frames = try stream.collect { ($0.frame?.value ?? 0) > 1 }.compactMap(\.frame)
        server.setStopped(true)
        try letTicksPass(120)
        server.setStopped(false)
        frames += try stream.collect { ($0.frame?.value ?? 0) > 25 }.compactMap(\.frame)
        let ticks = frames.compactMap(\.seq)
        // The ticks that were missed are left out.
        #expect(zip(ticks, ticks.dropFirst()).contains { $1 - $0 > 100 })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { ($0.value ?? 0) <= ($1.value ?? 0) })
        let fired = try #require(server.client.get("/v1/schedules/s").json["fired"] as? Int)
        // Of those that fell due in the two seconds, one.
        #expect(fired >= 1 && Double(fired) <= (Date().timeIntervalSince(began) - 2) / 0.5 + 1)
    }
}
