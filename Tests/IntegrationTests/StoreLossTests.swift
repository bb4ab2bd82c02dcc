// What the store can't keep, and what keeps a store from being read: told, and never the end of it.

import Foundation
import TestSupport
import Testing

@Suite struct StoreLossTests {
    private let folder = TemporaryFolder()

    @Test func `resources with the deepest accepted JSON are restored after a restart`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let first = try ServerProcess(folder: folder.path)
        let then = #"[{"notify":"n","data":\#(nested(29))}]"#
        let requests = [
            ("/v1/tickers/a", #"{"to":5,"duration":1000,"then":\#(then)}"#),
            ("/v1/tickers/a", #"{"to":6,"interrupt":"queue","then":\#(then)}"#),
            ("/v1/schedules", #"{"id":"s","in":1000,"do":\#(then)}"#),
            ("/v1/progress/p", #"{"current":5,"duration":1000,"appearance":{"own":\#(nested(30))}}"#),
        ]
        for (path, body) in requests { #expect(try first.client.post(path, body).status < 300) }
        let deeper = #"{"to":5,"then":[{"notify":"n","data":\#(nested(30))}]}"#
        #expect(try first.client.post("/v1/tickers/a", deeper).status == 400)
        let paths = ["/v1/tickers/a", "/v1/schedules/s", "/v1/progress/p"]
        let revisions = try paths.map { try first.client.get($0).json["revision"] as? String }
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        #expect(try paths.map { try second.client.get($0).json["revision"] as? String } == revisions)
        #expect(try second.client.get("/v1/tickers/a").json["waiting"] as? Int == 1)
    }

    @Test func `half a surrogate pair is refused`() throws {
        let server = try ServerProcess()
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1,"label":"\ud800\u0041"}"#).status == 400)
        #expect(try server.client.get("/healthz").status == 200)
    }

    @Test func `a data folder removed under the server makes changes and readiness 503`() throws {
        let data = folder.path + "/data"
        let server = try ServerProcess(folder: data)
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#).status == 202)
        try FileManager.default.removeItem(atPath: data)
        #expect(try server.client.post("/v1/tickers/a", #"{"to":2,"duration":0}"#).status == 503)
        #expect(try server.client.get("/readyz").status == 503)
        #expect(server.terminate() == 0)
    }

    @Test func `a motion that was cancelled shows the same text after a restart`() throws {
        let first = try ServerProcess(folder: folder.path)
        _ = try first.client.post("/v1/tickers/a", #"{"label":"0 coins","to":100,"duration":7.7}"#)
        try eventually("the first coins") { try first.client.get("/v1/tickers/a").json["value"] as? Double ?? 0 > 2 }
        _ = try first.client.post("/v1/tickers/a/cancel")
        let text = try first.client.get("/v1/tickers/a").json["text"] as? String
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        #expect(try second.client.get("/v1/tickers/a").json["text"] as? String == text)
    }
}
