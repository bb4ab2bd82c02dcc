// Cron expressions and calendar durations over HTTP: made, previewed, listed, kept.

import Foundation
import TestSupport
import Testing

@Suite struct CalendarTests {
    private let folder = TemporaryFolder()
    private static let actions = #""do":[{"notify":"n"}]"#

    private func dates(_ answer: HTTPAnswer) throws -> [Date] {
        let texts = try #require(answer.json["next"] as? [String])
        return try texts.map { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
    }

    @Test func `a cron rule in a time zone is previewed, and is the same after a crash`() throws {
        let first = try ServerProcess(folder: folder.path)
        let body = #"{"id":"s","every":"0 9 * * MON-FRI","timeZone":"Europe/Berlin",\#(Self.actions)}"#
        let made = try first.client.post("/v1/schedules?preview=5", body)
        #expect(made.status == 201, "\(made.body)")
        let next = try dates(made)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(next.count == 5 && next == next.sorted() && next[0] > Date())
        for date in next {
            #expect(calendar.component(.hour, from: date) == 9 && calendar.component(.minute, from: date) == 0)
            #expect(!calendar.isDateInWeekend(date))
        }
        #expect((made.json["next"] as? [String])?.first == made.json["due"] as? String)
        first.kill()

        let second = try ServerProcess(folder: folder.path)
        #expect(try dates(second.client.get("/v1/schedules/s?preview=5")) == next)
        #expect(try second.client.get("/v1/schedules/s").json["next"] == nil)
    }

    @Test(arguments: [
        (#""at":"2096-12-24T18:00""#, ["2096-12-24T17:00:00.000Z"]),
        (#""at":"2096-07-01""#, ["2096-06-30T22:00:00.000Z"]),
        (#""at":"2096-12-24t18:00:30.5""#, ["2096-12-24T17:00:30.500Z"]),
        // No 2:30, and two.
        (#""at":"2096-03-25T02:30""#, ["2096-03-25T01:30:00.000Z"]),
        (#""at":"2096-10-28T02:30""#, ["2096-10-28T00:30:00.000Z"]),
        (#""at":"2096-12-24T18:00","every":3600,"count":2"#, ["2096-12-24T17:00:00.000Z", "2096-12-24T18:00:00.000Z"]),
        (
            #""at":"2096-12-24T18:00","every":"PT30M","count":2"#,
            ["2096-12-24T17:00:00.000Z", "2096-12-24T17:30:00.000Z"]
        ),
        (
            #""at":"2096-12-24","every":"P6M","until":"2097-06-24""#,
            ["2096-12-23T23:00:00.000Z", "2097-06-23T22:00:00.000Z"]
        ),
        (
            #""at":"2096-12-24T00:00:00Z","every":86400,"until":"2096-12-25T02:00""#,
            ["2096-12-24T00:00:00.000Z", "2096-12-25T00:00:00.000Z"]
        ),
    ])
    func `a date without an offset is a time of the zone, before a crash and after it`(
        when: String, expected: [String]
    ) throws {
        let first = try ServerProcess(folder: folder.path)
        let body = #"{\#(when),"timeZone":"Europe/Berlin",\#(Self.actions)}"#
        let made = try first.client.send("PUT", "/v1/schedules/s?preview=9", body: body)
        #expect(made.json["next"] as? [String] == expected, "\(made.body)")
        #expect(try first.client.post("/v1/schedules/preview?preview=9", body).json["next"] as? [String] == expected)
        let action = #"{"at":"2096-01-01T00:00:00Z","do":[{"schedule":{"id":"t",\#(body.dropFirst())}]}"#
        #expect(try first.client.post("/v1/schedules", action).status == 201)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        #expect(try second.client.get("/v1/schedules/s?preview=9").json["next"] as? [String] == expected)
    }

    @Test(arguments: [
        (#""at":"2096-12-24T18:00""#, "/at", "has no offset"), (#""at":"2096-12-24""#, "/at", "has no offset"),
        (#""every":60,"until":"2096-12-24""#, "/until", "has no offset"),
        (#""at":"2096-02-30","timeZone":"UTC""#, "/at", "must be an RFC 3339 date"),
        (#""at":"2096-12-24T18","timeZone":"UTC""#, "/at", "must be an RFC 3339 date"),
        (#""at":"1677-12-24","timeZone":"UTC""#, "/at", "must be an RFC 3339 date"),
        (#""at":"2096-12-24","timeZone":"Nope/X""#, "/timeZone", "unknown time zone Nope/X"),
        (#""at":"2096-12-24T00:00:00Z","timeZone":"UTC""#, "/timeZone", "needs a date without an offset"),
        (#""in":5,"every":60,"timeZone":"UTC""#, "/timeZone", "leave out `timeZone`"),
    ])
    func `a date without an offset needs timeZone, and timeZone needs something to apply to`(
        when: String, pointer: String, reason: String
    ) throws {
        let server = try ServerProcess()
        let answer = try server.client.post("/v1/schedules", #"{\#(when),\#(Self.actions)}"#)
        #expect(answer.status == 422 && answer.json["pointer"] as? String == pointer, "\(answer.body)")
        #expect((answer.json["detail"] as? String)?.contains(reason) == true, "\(answer.body)")
    }

    @Test func `a month is counted from its anchor, before a crash and after it`() throws {
        let first = try ServerProcess(folder: folder.path)
        let body = #"{"at":"2096-01-31T09:00:00Z","every":"P1M","until":"2096-04-30T09:00:00Z",\#(Self.actions)}"#
        let expected = ["2096-01-31", "2096-02-29", "2096-03-31", "2096-04-30"].map { $0 + "T09:00:00.000Z" }
        let made = try first.client.send("PUT", "/v1/schedules/m?preview=9", body: body)
        #expect(made.json["next"] as? [String] == expected)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        #expect(try second.client.get("/v1/schedules/m?preview=9").json["next"] as? [String] == expected)
    }

    /// Ways to write one definition.
    private static let spellings = [
        (
            #"{"every":5400,"do":[{"notify":"n","data":{"a":1,"b":[2]}},{"ticker":"t","by":1}]}"#,
            #"{"id":"s","do":[{"data":{"b": [2], "a": 1},"notify":"\u006e"},{"by":1,"ticker":"t"}],"every":"PT90M","label":""}"#
        ),
        (
            #"{"every":"0 9 * * MON-FRI","timeZone":"Europe/Berlin",\#(actions)}"#,
            #"{"timeZone":"Europe/Berlin",\#(actions),"every":"0 9 ? * 1,2,3,4,5","ifMissed":"fire"}"#
        ),
        (
            #"{"at":"2096-01-31T09:00:00Z","every":"P1Y","timeZone":"UTC",\#(actions)}"#,
            #"{"at":"2096-01-31T10:00:00+01:00","every":"P12M",\#(actions)}"#
        ),
        (#"{"in":600,\#(actions)}"#, #"{"in":6e2,"count":1,\#(actions)}"#),
    ]

    @Test(arguments: spellings)
    func `the same definition again, however it is written, changes nothing, over a restart too`(
        one: String, other: String
    ) throws {
        let first = try ServerProcess(folder: folder.path)
        let made = try first.client.send("PUT", "/v1/schedules/s", body: one)
        try #require(made.status == 201, "\(made.body)")
        func check(_ server: ServerProcess) throws {
            for body in [one, other, one] {
                let again = try server.client.send(
                    "PUT", "/v1/schedules/s", body: body, headers: [#"If-Match: "1""#])
                #expect(again.status == 200, "\(again.body)")
                #expect(again.json["revision"] as? String == "1")
                #expect(again.json["due"] as? String == made.json["due"] as? String)
            }
        }
        try check(first)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        try check(second)
        let changed = try second.client.send(
            "PUT", "/v1/schedules/s", body: one.replacing(#""notify":"n""#, with: #""notify":"m""#))
        #expect(changed.json["revision"] as? String == "2")
    }

    @Test func `the list is by due date, whatever the kind, and count bounds a preview`() throws {
        let server = try ServerProcess()
        for (id, rule) in [
            ("far", #""every":"0 0 29 2 *""#), ("soon", #""in":600"#), ("near", #""every":"PT1H","count":2"#),
        ] {
            _ = try server.client.post("/v1/schedules", #"{"id":"\#(id)",\#(rule),\#(Self.actions)}"#)
        }
        let items = try #require(server.client.get("/v1/schedules").json["items"] as? [[String: Any]])
        #expect(items.compactMap { $0["schedule"] as? String } == ["soon", "near", "far"])
        #expect(try dates(server.client.get("/v1/schedules/near?preview=5")).count == 2)
        #expect(try dates(server.client.get("/v1/schedules/soon?preview=5")).count == 1)
    }
}
