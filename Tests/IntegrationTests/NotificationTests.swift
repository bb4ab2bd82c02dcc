// Events of a client's own: POST /v1/notifications/{name}, and whoever hears of it.

import Foundation
import TestSupport
import Testing

@Suite struct NotificationTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    private func stream(_ query: String) throws -> EventSourceClient {
        try EventSourceClient.greeted(port: server.port, path: "/v1/events?\(query)")
    }

    private func notify(_ name: String, _ body: String = "", headers: [String] = []) throws -> HTTPAnswer {
        try server.client.post("/v1/notifications/\(name)", body, headers: headers)
    }

    @Test func `a notification reaches all subscribers of its name, and no others`() throws {
        let hearing = try ["notification=Doors", "notification=Do*", "notification=*&ticker=t"].map(stream)
        let deaf = try stream("notification=Windows&ticker=*&schedule=*&progress=*")
        let answer = try notify("Doors", #"{"open":true,"floors":[1,2]}"#)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(try notify("Windows", "null").status == 204)
        for stream in hearing {
            let event = try #require(stream.collect { $0.name == "notification" }.last)
            #expect(event.data == #"{"notification":"Doors","data":{"open":true,"floors":[1,2]}}"#)
            #expect(event.id != nil)
        }
        let first = try #require(deaf.collect { $0.name == "notification" }.last)
        #expect(first.data == #"{"notification":"Windows","data":null}"#)
    }

    @Test func `multi-line JSON data of a notification is sent in one line`() throws {
        let stream = try stream("notification=N")
        #expect(try notify("N", "{\n  \"open\": true,\r\n  \"floors\": [1,\n 2]\n}\n").status == 204)
        let event = try #require(stream.collect { $0.name == "notification" }.last)
        #expect(!event.data.contains { $0.isNewline })
        let data = try #require(event.json["data"] as? [String: Any])
        #expect(data["open"] as? Bool == true && data["floors"] as? [Int] == [1, 2])
    }

    @Test(arguments: [("?notification=news", ["Last-Event-ID: "]), ("?notification=news&lastEventID=", [])])
    func `an empty Last-Event-ID is that of a new reader`(query: String, headers: [String]) throws {
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events\(query)", headers: headers)
        #expect(try notify("news", "1").status == 204)
        #expect(try stream.collect { $0.name == "notification" }.map(\.name) == ["notification"])
    }

    @Test func `missed notifications are replayed once and in order`() throws {
        let before = try stream("notification=news")
        _ = try notify("news", "0")
        let last = try #require(before.collect { $0.name == "notification" }.last?.id)
        before.close()
        for number in 1...20 { #expect(try notify("news", "\(number)").status == 204) }
        let after = try EventSourceClient(
            port: server.port, path: "/v1/events?notification=news", headers: ["Last-Event-ID: \(last)"])
        let events = try after.collect { $0.data.contains(":20}") }
        #expect(!events.contains { $0.name == "reset" })
        #expect(events.filter { $0.name == "notification" }.compactMap { $0.json["data"] as? Int } == Array(1...20))
    }

    @Test(arguments: [
        ("N", "{", 400), ("N", "{} {}", 400), ("N", "\"\u{e9}\"", 204),
        ("N", #"{"notification":"M","event":"reset"}"#, 204), ("a%20b", "1", 422), ("..", "1", 422), ("", "1", 422),
        ("N/M", "1", 404),
    ])
    func `a notification takes any JSON under a valid name`(
        name: String, body: String, status: Int
    ) throws {
        #expect(try notify(name, body).status == status)
    }

    @Test func `notification data is limited to 65024 bytes, and may be missing`()
        throws
    {
        let stream = try stream("notification=N")
        let room = 65_024 - 2
        let refused = try notify("N", "\"" + String(repeating: "x", count: room + 1) + "\"")
        #expect(refused.status == 422 && refused.body.contains("65024 bytes"))
        #expect(try notify("N", "\"" + String(repeating: "x", count: room) + "\"").status == 204)
        #expect(try notify("N").status == 204)
        let large = try #require(stream.collect { $0.name == "notification" }.last)
        #expect((large.json["data"] as? String)?.utf8.count == room)
        #expect(try stream.collect { $0.name == "notification" }.last?.data == #"{"notification":"N"}"#)
        let answer = try server.client.get("/v1/notifications/N")
        #expect(answer.status == 405 && answer.headers["allow"] == "POST, OPTIONS", "\(answer.headers)")
    }

    @Test func `a batch line sends a notification, in order with other lines`() throws {
        let stream = try stream("notification=*&ticker=*")
        let lines = [
            #"{"notify":"Begin","data":{"of":2}}"#, #"{"ticker":"t","to":1,"duration":0}"#, #"{"notify":"End"}"#,
            #"{"notify":"End","to":1}"#, #"{"notify":"a b"}"#,
        ]
        let answer = try server.client.post("/v1/batch", lines.joined(separator: "\n"))
        let statuses = answer.body.split(separator: "\n").map { String($0).json["status"] as? Int }
        #expect(statuses == [200, 201, 200, 422, 422], "\(answer.body)")
        let told = try stream.collect { $0.data.contains(#""End""#) }.filter { $0.id != nil }
        #expect(told.map(\.name) == ["notification", "complete", "notification"])
        #expect(told.first?.data == #"{"notification":"Begin","data":{"of":2}}"#)
    }

    @Test func `a retry under the same key tells nobody a second time`() throws {
        let stream = try stream("notification=*")
        let key = ["Idempotency-Key: alarm-1"]
        #expect(try notify("Alarm", "1", headers: key).headers["idempotency-replayed"] == nil)
        let again = try notify("Alarm", "1", headers: key)
        #expect(again.status == 204 && again.headers["idempotency-replayed"] == "true")
        #expect(try notify("Alarm", "2", headers: key).status == 422)
        _ = try notify("Silence")
        let told = try stream.collect { $0.data.contains("Silence") }.filter { $0.name == "notification" }
        #expect(told.map { $0.frame?.notification } == ["Alarm", "Silence"])
    }
}
