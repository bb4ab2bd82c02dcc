// Numbers at other instants over HTTP: equal to what streams send then, across restarts, with rights, locales and each form.

import Foundation
import TestSupport
import Testing

@Suite struct MomentTests {
    @Test func `frames of a motion equal its states at the same instants`() throws {
        let server = try ServerProcess()
        let path = "/v1/tickers/t"
        let update = """
            {"label":"0 l","decimals":2,"from":0,"to":100,"duration":1,"easing":"ease-in-out","delay":0.2}
            """
        let start = try #require(
            (try server.client.post(path, update).json["motion"] as? [String: Any])?["start"] as? String)
        let list = try server.client.get("\(path)/frames?fps=10").json
        let frames = try #require(list["frames"] as? [[String: Any]])
        #expect(list["from"] as? String == start && frames.count == 13)
        #expect(frames.last?["text"] as? String == "100.00 l" && frames[0]["text"] as? String == "0.00 l")
        for frame in frames {
            let time = try #require(frame["time"] as? Double)
            let state = try server.client.get("\(path)?at=\(time)").json
            #expect(state["source"] as? String == "motion" && state["target"] as? Int == 100)
            #expect(state["text"] as? String == frame["text"] as? String, "\(time)")
        }
    }

    @Test func `Accept and the parameter as choose the form of a frame list`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/progress/p", #"{"current":50,"duration":0}"#)
        let path = "/v1/progress/p/frames"
        for (query, accept, type) in [
            ("", "", "application/json"), ("?as=csv", "", "text/csv; charset=utf-8"),
            ("?as=ndjson", "text/csv", "application/x-ndjson"), ("", "text/csv", "text/csv; charset=utf-8"),
            ("", "application/x-ndjson", "application/x-ndjson"), ("?as=json", "text/csv", "application/json"),
            ("", "text/csv;q=0.5, application/json", "application/json"), ("", "*/*", "application/json"),
        ] {
            let answer = try server.client.get(path + query, headers: accept.isEmpty ? [] : ["Accept: \(accept)"])
            #expect(answer.status == 200 && answer.headers["content-type"] == type, "\(query) \(accept)")
            #expect(answer.body.contains("50%"), "\(answer.body)")
        }
    }

    @Test func `the state at an instant is the same after a restart, in the reader's locale`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(folder: folder.path)
        let update = #"{"label":"0 l","decimals":1,"from":0,"to":10000,"duration":60,"easing":"linear"}"#
        _ = try first.client.post("/v1/tickers/t", update)
        let before = try first.client.get("/v1/tickers/t?at=15")
        #expect(before.json["text"] as? String == "2500.0 l")
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let after = try second.client.get("/v1/tickers/t?at=15&locale=de-DE")
        #expect(after.json["text"] as? String == "2500,0 l" || after.json["text"] as? String == "2.500,0 l")
        #expect(after.json["at"] as? String == before.json["at"] as? String)
        let list = try second.client.get("/v1/tickers/t/frames?from=15&to=15&locale=de-DE&as=csv")
        #expect(list.body.contains("500,0 l"), "\(list.body)")
    }

    @Test func `an invalid at, from, to, fps or as is refused by name, and a missing resource is 404`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":60}"#)
        for (path, field) in [
            ("/v1/tickers/t?at=yesterday", "?at"), ("/v1/tickers/t?at=61", "?at"),
            ("/v1/tickers/t?at=2020-01-01T00:00:00Z", "?at"), ("/v1/tickers/t/frames?from=x", "?from"),
            ("/v1/tickers/t/frames?to=-1", "?to"), ("/v1/tickers/t/frames?fps=0", "?fps"),
            ("/v1/tickers/t/frames?fps=1000", "?fps"), ("/v1/tickers/t/frames?as=xml", "?as"),
            ("/v1/tickers/t/frames?frm=1", "?frm"), ("/v1/tickers/t/frames?locale=xx-XX", "?locale"),
        ] {
            let answer = try server.client.get(path)
            #expect(answer.status == 422 && answer.json["pointer"] as? String == field, "\(path): \(answer.body)")
        }
        #expect(try server.client.get("/v1/tickers/none?at=1").status == 404)
        #expect(try server.client.get("/v1/progress/none/frames").status == 404)
        #expect(try server.client.get("/v1/schedules/none?at=1").status == 422)
    }
}
