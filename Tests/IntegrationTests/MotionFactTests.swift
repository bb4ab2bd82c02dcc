// What an answer tells of a motion under way: since when, how far, and where to.

import Foundation
import TestSupport
import Testing

@Suite struct MotionFactTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    private static func seconds(_ date: Any?) throws -> Double {
        let text = try #require(date as? String)
        return try Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
            .timeIntervalSince1970
    }

    /// Holds `start` against `elapsed`, by the clock before and after the answer.
    private func checkStart(rate: Double = 1) throws {
        let before = Date().timeIntervalSince1970
        let motion = try #require(try server.client.get("/v1/tickers/t").json["motion"] as? [String: Any])
        let after = Date().timeIntervalSince1970
        let start = try Self.seconds(motion["start"])
        let elapsed = try #require(motion["elapsed"] as? Double)
        #expect(motion["state"] as? String == "running")
        // Dates have milliseconds.
        #expect(elapsed >= (before - start - 0.002) * rate, "\(motion)")
        #expect(elapsed <= (after - start + 0.002) * rate, "\(motion)")
    }

    private func play(_ verb: String, _ body: String = "") throws {
        #expect(try server.client.post("/v1/tickers/t/\(verb)", body).status == 200)
    }

    @Test func `start and elapsed of a motion agree after seek, pause, resume and rate`() throws {
        #expect(try server.client.post("/v1/tickers/t", #"{"from":0,"to":100,"duration":3600}"#).status == 202)
        try checkStart()
        try play("seek", #"{"seconds":1800}"#)
        try checkStart()
        try play("pause")
        // A pause that takes time: another motion goes on, this one doesn't.
        let other = try EventSourceClient(port: server.port, path: "/v1/events?ticker=u")
        #expect(try server.client.post("/v1/tickers/u", #"{"to":1,"duration":0.2}"#).status == 202)
        _ = try other.collect { $0.name == "complete" }
        try play("resume")
        try checkStart()
        try play("rate", #"{"rate":2}"#)
        try checkStart(rate: 2)
        try play("seek", #"{"fraction":0.25}"#)
        try checkStart(rate: 2)
        try play("rate", #"{"rate":1}"#)
        try checkStart()
        let motion = try #require(try server.client.get("/v1/tickers/t").json["motion"] as? [String: Any])
        #expect(try #require(motion["elapsed"] as? Double) >= 900)
    }

    /// A motion, where in it, and what its display says there of its target and its way.
    private static let ways = [
        (#"{"from":0,"to":10}"#, 5_000, 10.0, "rising"),
        (#"{"from":0,"to":10,"direction":"reverse"}"#, 2_500, 0, "falling"),
        (#"{"from":0,"to":10,"autoreverse":true}"#, 5_000, 0, "rising"),
        (#"{"from":0,"to":10,"autoreverse":true}"#, 15_000, 0, "falling"),
        (#"{"from":0,"to":10,"repeat":1,"direction":"alternate"}"#, 5_000, 0, "rising"),
        (#"{"from":0,"to":10,"repeat":1,"direction":"alternate"}"#, 15_000, 0, "falling"),
        (#"{"from":0,"to":10,"repeat":1,"direction":"alternate-reverse"}"#, 5_000, 10, "falling"),
        (#"{"from":0,"to":10,"repeat":1,"direction":"alternate-reverse"}"#, 15_000, 10, "rising"),
        (#"{"from":10,"to":0,"autoreverse":true}"#, 5_000, 10, "falling"),
        (#"{"from":0,"to":10,"repeat":1}"#, 15_000, 10, "rising"),
    ]

    @Test(arguments: ways)
    func `display tells a motion's end and its trend`(
        update: String, seconds: Int, end: Double, trend: String
    ) throws {
        let body = String(update.dropLast()) + #","duration":10000,"label":"0"}"#
        #expect(try server.client.post("/v1/tickers/t", body).status == 202)
        try play("seek", #"{"seconds":\#(seconds)}"#)
        let answer = try server.client.get("/v1/tickers/t")
        let display = try #require(answer.json["display"] as? [String: String])
        #expect(display["trend"] == trend, "\(answer.body)")
        #expect(display["accessible"] == "\(Int(end))", "\(answer.body)")
        // And there it comes to rest.
        try play("finish")
        let rest = try server.client.get("/v1/tickers/t").json
        #expect(rest["value"] as? Double == end)
        #expect((rest["display"] as? [String: String])?["trend"] == "steady")
    }
}
