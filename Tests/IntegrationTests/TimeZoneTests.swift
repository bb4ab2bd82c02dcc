// The machine's time zones: which are in use, what becomes of schedules when others come, and replicas that have not the same.

import Foundation
import TestSupport
import Testing

@Suite struct TimeZoneTests {
    private let folder = TemporaryFolder()

    /// A folder as tzdata has it, in which clocks of Vancouver are so many hours behind UTC.
    private func zones(_ name: String = "zones") -> String { folder.path + "/" + name }

    private func write(_ version: String, hours: Int, to name: String = "zones") throws {
        let place = URL(filePath: zones(name)).appending(path: "America")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = ZoneFile(offsets: [-hours * 3_600], footer: "<-0\(hours)>\(hours)")
        try Data(file.bytes).write(to: place.appending(path: "Vancouver"), options: .atomic)
        let text = "# version \(version)\nL America/Vancouver Canada/Pacific\n"
        try Data(text.utf8).write(to: URL(filePath: zones(name)).appending(path: "tzdata.zi"), options: .atomic)
    }

    private static let body =
        #"{"every":"0 9 1 1 *","timeZone":"America/Vancouver","do":[{"ticker":"t","by":1,"duration":0}]}"#

    /// The hour of UTC at which it is nine o'clock in Vancouver.
    private func hour(_ client: HTTPClient, _ id: String = "nine") throws -> Substring? {
        (try client.get("/v1/schedules/\(id)").json["due"] as? String)?.dropFirst(11).prefix(2)
    }

    private func version(_ client: HTTPClient) throws -> String? {
        try client.get("/version").json["timeZones"] as? String
    }

    @Test func `schedules follow the machine's time zones, when they are read again and after a restart`() throws {
        try write("2026a", hours: 8)
        let state = folder.path + "/state"
        let first = try ServerProcess(folder: state, environment: ["TZDIR": zones()])
        #expect(try version(first.client) == "2026a")
        #expect(try first.client.get("/metrics").body.contains(#"tweencast_time_zones_info{version="2026a"} 1"#))
        #expect(try first.client.send("PUT", "/v1/schedules/nine", body: Self.body).status == 201)
        let linked = Self.body.replacing("America/Vancouver", with: "Canada/Pacific")
        #expect(try first.client.send("PUT", "/v1/schedules/linked", body: linked).status == 201)
        // A zone without a file goes by the program's own rules.
        let berlin = Self.body.replacing("America/Vancouver", with: "Europe/Berlin")
        #expect(try first.client.send("PUT", "/v1/schedules/berlin", body: berlin).status == 201)
        #expect(
            try [hour(first.client), hour(first.client, "linked"), hour(first.client, "berlin")] == ["17", "17", "08"])

        try write("2026b", hours: 7)
        #expect(try hour(first.client) == "17" && version(first.client) == "2026a")
        first.signal(SIGHUP)
        try eventually("the new rules") { try hour(first.client) == "16" && version(first.client) == "2026b" }
        #expect(try [hour(first.client, "linked"), hour(first.client, "berlin")] == ["16", "08"])
        #expect(try first.client.get("/metrics").body.contains(#"tweencast_time_zones_info{version="2026b"} 1"#))
        first.kill()
        // As it was when it was killed, and by other rules.
        let second = try ServerProcess(folder: state, environment: ["TZDIR": zones()])
        #expect(try hour(second.client) == "16")
        second.kill()
        try write("2026c", hours: 8)
        let third = try ServerProcess(folder: state, environment: ["TZDIR": zones()])
        #expect(
            try [hour(third.client), hour(third.client, "linked"), hour(third.client, "berlin")] == ["17", "17", "08"])
    }

    @Test func `a damaged time zone file is logged, and the built-in rules apply`() throws {
        try write("2026a", hours: 7)
        let file = URL(filePath: zones()).appending(path: "America/Vancouver")
        try Data("TZif2 and no more".utf8).write(to: file, options: .atomic)
        let errors = Pipe()
        let server = try ServerProcess(environment: ["TZDIR": zones()], errors: errors)
        #expect(try server.client.send("PUT", "/v1/schedules/nine", body: Self.body).status == 201)
        #expect(try hour(server.client) == "17")
        #expect(server.terminate() == 0)
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(log.contains("can't use a time zone's file"), "\(log)")
        #expect(log.contains("zone=America/Vancouver"))
    }

    @Test func `a TZDIR without time zones is logged, and the machine's are used`() throws {
        let errors = Pipe()
        let server = try ServerProcess(environment: ["TZDIR": folder.path], errors: errors)
        let version = try #require(try version(server.client))
        #expect(version.wholeMatch(of: /20\d\d[a-z]+(-icu)?/) != nil, "\(version)")
        #expect(server.terminate() == 0)
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(log.contains("no time zones in TZDIR"), "\(log)")
        #expect(log.contains("time_zones=\(version)"), "\(log)")
    }

    @Test func `a replica without the board's time zones is not ready until it has them`() throws {
        let redis = try RedisServer(["appendonly yes", "appendfsync always"])
        let store = "redis://127.0.0.1:\(redis.port)?name=board"
        func replica(_ name: String) throws -> ServerProcess {
            try ServerProcess(arguments: ["--store", store], environment: ["TZDIR": zones(name)])
        }
        for name in ["one", "other"] { try write("2026a", hours: 8, to: name) }
        let (one, other) = (try replica("one"), try replica("other"))
        #expect(try one.client.send("PUT", "/v1/schedules/nine", body: Self.body).status == 201)
        try eventually("the schedule") { try hour(other.client) == "17" }

        try write("2026b", hours: 7, to: "one")
        one.signal(SIGHUP)
        try eventually("the new rules") { try hour(one.client) == "16" }
        try eventually("a replica without them") { try other.client.get("/readyz").status == 503 }
        #expect(try other.client.get("/readyz").json["reason"] as? String == Self.missing)
        #expect(try other.client.send("PUT", "/v1/schedules/more", body: Self.body).status == 503)
        #expect(try one.client.get("/metrics").body.contains(#"tweencast_time_zones_info{version="2026b"} 1"#))
        #expect(try one.client.send("PUT", "/v1/schedules/more", body: Self.body).status == 201)
        // One that comes with others than those that run goes by does not come at all.
        #expect(throws: ServerProcess.Failure.self) { try replica("other") }

        try write("2026b", hours: 7, to: "other")
        other.signal(SIGHUP)
        try eventually("the rules that were missing") { try other.client.get("/readyz").status == 200 }
        #expect(try [hour(other.client), hour(other.client, "more")] == ["16", "16"])
        #expect(try other.client.send("PUT", "/v1/schedules/last", body: Self.body).status == 201)
        try eventually("what the other was asked") { try hour(one.client, "last") == "16" }

        // All were stopped, and come back with newer ones.
        #expect(one.terminate() == 0 && other.terminate() == 0)
        for name in ["one", "other"] { try write("2026c", hours: 8, to: name) }
        let (first, second) = (try replica("one"), try replica("other"))
        for client in [first.client, second.client] {
            try eventually("the newest rules") { try hour(client) == "17" && hour(client, "last") == "17" }
            #expect(try client.get("/readyz").status == 200)
        }
        try eventually("the same board") { try digest(first.client) == digest(second.client) }
    }

    private static let missing =
        "the board uses the time zones of 2026b, which this machine lacks: install them, then send SIGHUP"

    /// What a replica has come to, when it has carried all out.
    private func digest(_ client: HTTPClient) throws -> String? {
        let replica = try client.get("/v1/clients").json["replica"] as? [String: Any]
        return replica?["digest"] as? String
    }
}
