// What the answers show to a client that may add to a number and not read it: the sum.

import TestSupport
import Testing

@Suite struct AdditionAnswerTests {
    private let guarded: GuardedServer
    private let adder = GuardedServer.Visitor.adder.headers
    private let admin = GuardedServer.Visitor.admin.headers
    private var client: HTTPClient { guarded.server.client }

    init() throws { guarded = try GuardedServer() }

    /// Sets a ticker and a progress that show more than their numbers.
    /// - Parameter length: That of the data in their actions.
    private func define(length: Int = 1) throws {
        let then = #""then":[{"notify":"secret","data":"\#(String(repeating: "x", count: length))"}]"#
        for (path, face) in [("tickers/shop-1", #""label":"0 in all""#), ("progress/shop-1", #""maximum":4"#)] {
            _ = try client.send(
                "PUT", "/v1/\(path)", body: "{\(face),\"duration\":0,\(then)}", headers: admin)
        }
    }

    private static func tellsNoRevision(_ answer: HTTPAnswer) -> Bool {
        answer.headers["etag"] == nil && answer.headers["location"] == nil && !answer.body.contains("revision")
    }

    /// A resource of 9,000 bytes is not kept for retries, which get its present state.
    @Test(arguments: [1, 9_000])
    func `an addition by an add right is answered with name, value and text, also when repeated`(length: Int) throws {
        try define(length: length)
        for (path, answer) in [
            ("tickers/shop-1", #"{"ticker":"shop-1","value":1,"text":"1 in all"}"#),
            ("progress/shop-1", #"{"progress":"shop-1","value":1,"text":"25%"}"#),
        ] {
            for isAgain in [false, true] {
                let added = try client.post(
                    "/v1/\(path)", #"{"by":1}"#, headers: adder + ["Idempotency-Key: \(path)"])
                #expect(added.status == 202 && added.body == answer, "\(added.body)")
                #expect(Self.tellsNoRevision(added), "\(added.headers)")
                #expect((added.headers["idempotency-replayed"] != nil) == isAgain)
            }
        }
    }

    @Test func `an addition's answer does not tell whether the ticker existed`() throws {
        try define()
        let minimal = "Prefer: return=minimal"
        for (id, options) in [("shop-1", []), ("shop-2", []), ("shop-1", [minimal]), ("shop-3", [minimal])]
            as [(String, [String])]
        {
            let added = try client.post("/v1/tickers/\(id)", #"{"by":1}"#, headers: adder + options)
            #expect(Self.tellsNoRevision(added), "\(added.headers)")
            #expect(added.status == (options.isEmpty ? 202 : 204))
            #expect(options.isEmpty ? Set(added.json.keys) == ["ticker", "value", "text"] : added.body.isEmpty)
        }
    }

    @Test(arguments: [#"If-Match: "99""#, "If-Match: *", "If-None-Match: *", #"If-None-Match: "1""#])
    func `If-Match and If-None-Match are refused for a client that may only add`(condition: String) throws {
        try define()
        for id in ["shop-1", "shop-2"] {
            let answer = try client.post("/v1/tickers/\(id)", #"{"by":1}"#, headers: adder + [condition])
            #expect(answer.status == 403, "\(answer.body)")
            #expect((answer.json["detail"] as? String)?.hasSuffix("leave If-Match and If-None-Match out") == true)
        }
        #expect(try client.get("/v1/tickers/shop-1", headers: admin).json["target"] as? Int == 0)
        #expect(try client.get("/v1/tickers/shop-2", headers: admin).status == 404)
    }

    @Test func `a batch line of a client that may only add is answered with its status alone`() throws {
        try define()
        let lines = [
            #"{"ticker":"shop-1","by":1}"#, #"{"ticker":"shop-1","to":1}"#, #"{"progress":"shop-9","by":1}"#,
        ]
        for headers in [["Idempotency-Key: a"], ["Idempotency-Key: a"], []] {
            let batch = try client.post("/v1/batch", lines.joined(separator: "\n"), headers: adder + headers)
            let answers = batch.body.split(separator: "\n").map(String.init)
            #expect(answers.count == 3 && answers[0] == #"{"status":200}"# && answers[2] == answers[0], "\(answers)")
            #expect(answers.dropFirst().first?.hasPrefix(#"{"status":403"#) == true)
        }
        #expect(try client.get("/v1/tickers/shop-1", headers: admin).json["target"] as? Int == 2)
    }

    @Test func `a client that may read the ticker it adds to gets the whole answer and its ETag`() throws {
        let rights = #"{"add":[{"topics":["ticker=*"]}],"subscribe":["ticker=readers"]}"#
        let guarded = try GuardedServer(anonymous: rights)
        let first = try guarded.server.client.post("/v1/tickers/readers", #"{"by":1}"#)
        #expect(first.json["revision"] as? String == "1" && first.headers["etag"] != nil)
        let second = try guarded.server.client.post(
            "/v1/tickers/readers", #"{"by":1}"#, headers: [#"If-Match: "9""#])
        #expect(second.status == 412)
        let lines = #"{"ticker":"readers","by":1}"# + "\n" + #"{"ticker":"other","by":1}"#
        let batch = try guarded.server.client.post("/v1/batch", lines)
        #expect(batch.body.contains(#""revision":"2""#) && batch.body.hasSuffix("\n" + #"{"status":200}"# + "\n"))
    }
}
