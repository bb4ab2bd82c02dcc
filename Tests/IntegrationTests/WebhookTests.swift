// Webhooks end to end: from a schedule or a completion to a receiver of another process, across crashes.

import Foundation
import TestSupport
import Testing

@Suite struct WebhookTests {
    private static let secret = ["TWEENCAST_WEBHOOK_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
    private let folder = TemporaryFolder()

    private func server(_ receiver: HTTPReceiver, _ arguments: [String] = []) throws -> ServerProcess {
        try ServerProcess(
            folder: folder.path, arguments: ["--webhook-host", "127.0.0.1:\(receiver.port)"] + arguments,
            environment: Self.secret)
    }

    @Test func `then and schedules call signed webhooks`() throws {
        let receiver = try HTTPReceiver()
        let server = try server(receiver)
        let url = "http://127.0.0.1:\(receiver.port)"
        let update = #"{"to":5,"duration":0.1,"then":[{"webhook":"\#(url)/done","data":{"say":"ü","n":1.50}}]}"#
        #expect(try server.client.post("/v1/tickers/t", update).status == 202)
        let first = try receiver.next()
        #expect(first.line == "POST /done HTTP/1.1")
        #expect(first.body == #"{"say":"ü","n":1.50}"#)
        #expect(first.headers["webhook-id"]?.hasPrefix("wh-") == true)
        #expect(first.headers["webhook-signature"]?.hasPrefix("v1,") == true)
        let stamp = try #require(first.headers["webhook-timestamp"].flatMap { Double($0) })
        #expect(abs(Date().timeIntervalSince1970 - stamp) < 60)

        let schedule = #"{"id":"nightly","in":0,"do":[{"webhook":"\#(url)/fired"}]}"#
        #expect(try server.client.post("/v1/schedules", schedule).status == 201)
        let second = try receiver.next()
        #expect(second.line == "POST /fired HTTP/1.1" && second.body == #"{"schedule":"nightly"}"#)
        #expect(second.headers["webhook-id"] != first.headers["webhook-id"])
    }

    @Test func `a receiver that fails is called again under the same id`() throws {
        let receiver = try HTTPReceiver()
        let server = try server(receiver)
        let url = "http://127.0.0.1:\(receiver.port)/"
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0,"then":[{"webhook":"\#(url)"}]}"#)
        let first = try receiver.next(answering: "HTTP/1.1 500 Internal Server Error")
        let second = try receiver.next()
        #expect(second.headers["webhook-id"] == first.headers["webhook-id"] && second.body == first.body)
    }

    @Test func `a webhook outlives a crash between firing and delivery`() throws {
        let receiver = try HTTPReceiver()
        let first = try server(receiver)
        let url = "http://127.0.0.1:\(receiver.port)/"
        _ = try first.client.post("/v1/tickers/t", #"{"to":1,"duration":0,"then":[{"webhook":"\#(url)"}]}"#)
        let lost = try receiver.next(answering: "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1")
        first.kill()
        let second = try server(receiver)
        let again = try receiver.next()
        #expect(again.headers["webhook-id"] == lost.headers["webhook-id"])
        // What was taken is not called a third time, whatever happens to the server.
        try waitUntil { try second.pending == 0 }
        // Commits keep their order: once a later change is acknowledged, the store has the delivery's end.
        #expect(try second.client.post("/v1/tickers/later", #"{"to":1}"#).status == 202)
        second.kill()
        let third = try server(receiver)
        #expect(try third.pending == 0)
        #expect(receiver.isIdle)
    }

    @Test func `failed webhooks can be listed, retried and deleted`() throws {
        let receiver = try HTTPReceiver()
        let first = try server(receiver, ["--webhook-attempts", "1"])
        let url = "http://127.0.0.1:\(receiver.port)/x"
        for (id, status) in [("a", "500 Internal Server Error"), ("b", "404 Not Found")] {
            let update = #"{"to":1,"duration":0,"then":[{"webhook":"\#(url)","data":"\#(id)"}]}"#
            _ = try first.client.post("/v1/tickers/\(id)", update)
            _ = try receiver.next(answering: "HTTP/1.1 \(status)")
            try waitUntil { try first.pending == 0 }
        }
        #expect(try first.client.post("/v1/tickers/later", #"{"to":1}"#).status == 202)
        first.kill()

        let second = try server(receiver)
        let page = try second.client.get("/v1/webhooks/failed?limit=1").json
        #expect(page["next"] as? String == ((page["items"] as? [[String: Any]])?.first?["id"] as? String))
        let items = try #require(try second.client.get("/v1/webhooks/failed").json["items"] as? [[String: Any]])
        #expect(items.map { $0["failure"] as? String } == ["answered 500", "answered 404"])
        #expect(items.map { $0["data"] as? String } == ["a", "b"])
        #expect(items.map { $0["attempts"] as? Int } == [1, 1])
        #expect((items[0]["by"] as? [String: String]) == ["ticker": "a"])
        let ids = items.compactMap { $0["id"] as? String }

        #expect(try second.client.post("/v1/webhooks/failed/\(ids[0])/retry").status == 204)
        #expect(try receiver.next().headers["webhook-id"] == ids[0])
        #expect(try second.client.send("DELETE", "/v1/webhooks/failed/\(ids[1])").status == 204)
        #expect(try second.client.send("DELETE", "/v1/webhooks/failed/\(ids[1])").status == 404)
        try waitUntil { try second.pending == 0 }
        #expect(try second.client.post("/v1/tickers/later", #"{"to":1}"#).status == 202)
        second.kill()
        let third = try server(receiver)
        #expect((try third.client.get("/v1/webhooks/failed").json["items"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        ("/v1/tickers/t", #"{"to":1,"then":[{"webhook":"https://hooks.example/"}]}"#, "/then/0/webhook"),
        (
            "/v1/schedules", #"{"in":1,"do":[{"notify":"n"},{"webhook":"http://169.254.169.254/latest"}]}"#,
            "/do/1/webhook"
        ),
        (
            "/v1/progress/p", #"{"current":1,"then":[{"ticker":"t","to":1,"then":[{"webhook":"http://[::1]/"}]}]}"#,
            "/then/0/then/0/webhook"
        ),
    ])
    func `a webhook to an unlisted host is refused with its pointer`(path: String, body: String, pointer: String) throws
    {
        let receiver = try HTTPReceiver()
        let server = try server(receiver)
        let answer = try server.client.post(path, body)
        #expect(answer.status == 422)
        #expect(answer.json["pointer"] as? String == pointer)
        #expect(try server.client.get("/v1/tickers/t").status == 404)
        let lines = try server.client.post(
            "/v1/batch", #"{"ticker":"t","to":1,"then":[{"webhook":"http://a.example/"}]}"#)
        #expect(lines.body.contains(#""status":422"#))
    }

    @Test func `--webhook-host without --webhook-secret is refused`() throws {
        let (code, errors) = try ServerProcess.run(["--ephemeral", "--webhook-host", "hooks.example"])
        #expect(code == 2 && errors.contains("--webhook-secret"))
    }

    /// Asks again until something is so; the server's own answer is what is waited for.
    private func waitUntil(_ isSo: () throws -> Bool) throws {
        let deadline = Date().addingTimeInterval(60)
        while try !isSo() { try #require(Date() < deadline) }
    }
}

extension ServerProcess {
    fileprivate var pending: Int? {
        get throws { try client.get("/v1/webhooks/failed").json["pending"] as? Int }
    }
}
