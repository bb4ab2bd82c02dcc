// Answers without the resource, for who asks for them.

import Foundation
import TestSupport
import Testing

@Suite struct PreferTests {
    private static let minimal = "Prefer: return=minimal"

    private static func isMinimal(_ answer: HTTPAnswer, _ status: Int) -> Bool {
        answer.status == status && answer.body.isEmpty && answer.headers["preference-applied"] == "return=minimal"
            && answer.headers["content-type"] == nil && answer.headers["etag"] != nil
            // A 204 has no length (RFC 9110, 8.6).
            && answer.headers["content-length"] == (status == 204 ? nil : "0")
    }

    @Test(
        arguments: [
            ("POST", "/v1/tickers/a", #"{"to":5,"duration":60}"#, "/v1/tickers/a"),
            ("PUT", "/v1/tickers/b", #"{"label":"0"}"#, "/v1/tickers/b"),
            ("POST", "/v1/progress/a", #"{"current":5}"#, "/v1/progress/a"),
            ("PUT", "/v1/progress/b", #"{"maximum":5}"#, "/v1/progress/b"),
            ("POST", "/v1/schedules", #"{"id":"a","in":60,"do":[]}"#, "/v1/schedules/a"),
            ("PUT", "/v1/schedules/b", #"{"in":60,"do":[]}"#, "/v1/schedules/b"),
        ])
    func `return minimal gives 201 with Location, then 204 with ETag, without a body`(
        method: String, path: String, body: String, place: String
    ) throws {
        let server = try ServerProcess()
        let made = try server.client.send(method, path, body: body, headers: [Self.minimal])
        #expect(Self.isMinimal(made, 201) && made.headers["location"] == place, "\(made.headers) \(made.body)")
        let changed = try server.client.send(method, path, body: body, headers: [Self.minimal])
        #expect(Self.isMinimal(changed, 204) && changed.headers["location"] == nil, "\(changed.headers)")
        for options in [nil, "Prefer: return=representation", "Prefer: respond-async, wait=5"] {
            let whole = try server.client.send(method, path, body: body, headers: options.map { [$0] } ?? [])
            #expect(whole.body.hasPrefix("{") && whole.headers["preference-applied"] == nil)
        }
    }

    @Test func `return minimal applies to operations and to resources with server-made ids`() throws {
        let server = try ServerProcess()
        let made = try server.client.post("/v1/tickers", #"{"to":5,"duration":60}"#, headers: [Self.minimal])
        let place = try #require(made.headers["location"])
        #expect(Self.isMinimal(made, 201))
        for (verb, body) in [("pause", ""), ("resume", ""), ("rate", #"{"rate":2}"#), ("finish", "")] {
            let answer = try server.client.post("\(place)/\(verb)", body, headers: [Self.minimal])
            #expect(Self.isMinimal(answer, 204), "\(verb)")
        }
        _ = try server.client.send("PUT", "/v1/schedules/s", body: #"{"every":60,"do":[]}"#)
        #expect(Self.isMinimal(try server.client.post("/v1/schedules/s/pause", headers: [Self.minimal]), 204))
        // The head of a list is no resource.
        let all = try server.client.post("/v1/schedules/pause", headers: [Self.minimal])
        #expect(all.status == 200 && all.json["paused"] as? Bool == true)
        // Nor is there one left of what is removed.
        let gone = try server.client.send("DELETE", place, headers: [Self.minimal])
        #expect(gone.status == 204 && gone.headers["preference-applied"] == nil)
    }

    @Test(arguments: [
        (["Prefer: wait=1", "Prefer: return=minimal"], true), (["PREFER: RETURN = \"minimal\";x"], true),
        (["Prefer: return=representation", "Prefer: return=minimal"], false), (["Prefer: return"], false),
    ])
    func `Prefer lines form one list, and the first return preference counts`(headers: [String], isMinimal: Bool) throws
    {
        let server = try ServerProcess()
        let answer = try server.client.post("/v1/tickers/a", #"{"to":1}"#, headers: headers)
        #expect(Self.isMinimal(answer, 201) == isMinimal && answer.body.isEmpty == isMinimal)
    }

    @Test func `problems keep their bodies with return minimal`() throws {
        let server = try ServerProcess()
        for (body, status) in [(#"{"to":1,"tu":2}"#, 422), ("{", 400), (#"{"to":1}"#, 412)] {
            let headers = [Self.minimal] + (status == 412 ? ["If-Match: \"77\""] : [])
            let answer = try server.client.post("/v1/tickers/a", body, headers: headers)
            #expect(answer.status == status && answer.json["status"] as? Int == status)
            #expect(answer.headers["preference-applied"] == nil)
        }
    }

    @Test func `a retry gets the answer in the form that it asks for itself`() throws {
        let server = try ServerProcess()
        let key = "Idempotency-Key: k"
        func post(_ headers: String...) throws -> HTTPAnswer {
            try server.client.post("/v1/tickers/a", #"{"by":1,"duration":0}"#, headers: [key] + headers)
        }
        let first = try post(Self.minimal)
        let whole = try post()
        let last = try post(Self.minimal)
        #expect(Self.isMinimal(first, 201) && first.headers["idempotency-replayed"] == nil)
        #expect(whole.status == 202 && whole.json["ticker"] as? String == "a")
        #expect(whole.headers["preference-applied"] == nil)
        #expect(Self.isMinimal(last, 201))
        for retry in [whole, last] {
            #expect(retry.headers["idempotency-replayed"] == "true")
            #expect(retry.headers["etag"] == first.headers["etag"] && retry.headers["location"] == "/v1/tickers/a")
        }
        #expect(try server.client.get("/v1/tickers/a").json["text"] as? String == "1")
    }

    @Test func `batch answers ignore Prefer, and listed origins may send it`() throws {
        let origin = "https://app.example"
        let server = try ServerProcess(arguments: ["--cors-origin", origin])
        let batch = try server.client.post("/v1/batch", #"{"ticker":"a","to":1}"#, headers: [Self.minimal])
        #expect(batch.status == 200 && batch.json["status"] as? Int == 201)
        let asked = ["Origin: \(origin)", "Access-Control-Request-Method: POST"]
        let leave = try server.client.send("OPTIONS", "/v1/tickers/a", headers: asked)
        #expect(leave.headers["access-control-allow-headers"]?.contains("Prefer") == true)
        let told = leave.headers["access-control-expose-headers"] ?? ""
        #expect(told.contains("Preference-Applied"))
    }

    @Test func `the audit file has the status sent with return minimal`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit.jsonl"
        let server = try ServerProcess(arguments: ["--audit", path])
        for _ in 0..<2 { _ = try server.client.post("/v1/tickers/a", #"{"to":1}"#, headers: [Self.minimal]) }
        #expect(server.terminate() == 0)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.map { $0.contains(#""status":201"#) } == [true, false] && lines[1].contains(#""status":204"#))
    }
}
