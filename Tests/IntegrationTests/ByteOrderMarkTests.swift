// Bodies with a byte order mark before them.

import TestSupport
import Testing

@Suite struct ByteOrderMarkTests {
    @Test func `a body or batch line may begin with a byte order mark`() throws {
        let server = try ServerProcess()
        let mark = "\u{FEFF}"
        for (method, path, body, status) in [
            ("POST", "/v1/tickers/a", #"{"to":5,"duration":0}"#, 202),
            ("PUT", "/v1/progress/p", #"{"maximum":9}"#, 201),
            ("POST", "/v1/schedules", #"{"id":"s","in":600,"do":[]}"#, 201),
            ("POST", "/v1/notifications/n", #"{"a":1}"#, 204),
            ("POST", "/v1/batch", "{\"ticker\":\"b\",\"to\":1}\n\(mark){\"ticker\":\"c\",\"to\":1}\n", 200),
            ("POST", "/v1/batch", "\n{\"ticker\":\"d\",\"to\":1}\n", 200),
        ] {
            let answer = try server.client.send(method, path, body: mark + body)
            #expect(answer.status == status && !answer.body.contains("400"), "\(path) \(answer.body)")
        }
        #expect(try server.client.get("/v1/tickers/a").json["value"] as? Int == 5)
        #expect(try server.client.post("/v1/tickers/a", mark).status == 400)
        #expect(try server.client.post("/v1/tickers/a", "\(mark)\(mark){}").status == 400)
    }
}
