// A right to add and to do nothing else: what visitors without a token may send to the counter of a page.

import Foundation
import TestSupport
import Testing

@Suite struct AddRightTests {
    private static let anonymous =
        #"{"add":[{"topics":["ticker=readers","progress=fund"]},{"topics":["ticker=coins-*"],"atMost":"2.5"}],"#
        + #""subscribe":["ticker=readers"]}"#

    private static func server(_ arguments: String...) throws -> GuardedServer {
        try GuardedServer(arguments: arguments, anonymous: anonymous)
    }

    @Test(arguments: [
        ("tickers/readers", #"{"by":1}"#, 202), ("tickers/readers", #"{"by":0.5}"#, 403),
        ("tickers/readers", #"{"by":"1.0"}"#, 403), ("tickers/coins-7", #"{"by":0.5}"#, 202),
        ("progress/fund", #"{"by":1}"#, 202), ("tickers/coins-7", #"{"by":2.5}"#, 202),
        ("tickers/readers", #"{"by":2}"#, 403), ("tickers/readers", #"{"by":0}"#, 403),
        ("tickers/readers", #"{"by":-1}"#, 403), ("tickers/coins-7", #"{"by":"2.51"}"#, 403),
        ("tickers/readers", #"{"to":5}"#, 403), ("tickers/readers", #"{"max":5}"#, 403),
        ("tickers/readers", #"{"min":0}"#, 403), ("tickers/readers", #"{"decay":{"velocity":9}}"#, 403),
        ("progress/fund", #"{"current":5}"#, 403), ("progress/fund", #"{"label":"x"}"#, 403),
        ("progress/fund", #"{"by":1,"maximum":5}"#, 403), ("progress/fund", #"{"by":1,"appearance":{}}"#, 403),
        ("tickers/readers", #"{"by":1,"label":"0 idiots"}"#, 403), ("tickers/readers", #"{"by":1,"prefix":"x"}"#, 403),
        ("tickers/readers", #"{"by":1,"format":{"style":"percent"}}"#, 403),
        ("tickers/readers", #"{"by":1,"decimals":9}"#, 403), ("tickers/readers", #"{"by":1,"from":0}"#, 403),
        ("tickers/readers", #"{"by":1,"duration":9}"#, 403), ("tickers/readers", #"{"by":1,"repeat":"forever"}"#, 403),
        ("tickers/readers", #"{"by":1,"sequence":9}"#, 403), ("tickers/readers", #"{"by":1,"ttl":0}"#, 403),
        ("tickers/readers", #"{"by":1,"milestones":[1]}"#, 403), ("tickers/readers", #"{"by":1,"then":[]}"#, 403),
        ("tickers/readers", #"{"by":1,"start":{"with":"ticker:readers"}}"#, 403),
        ("tickers/others", #"{"by":1}"#, 401), ("progress/readers", #"{"by":1}"#, 401),
    ])
    func `an add right allows by up to its bound and no other field`(
        path: String, body: String, status: Int
    ) throws {
        let guarded = try Self.server()
        let answer = try guarded.server.client.post("/v1/\(path)", body)
        #expect(answer.status == status, "\(body) \(answer.body)")
        if status == 403 {
            let most = path.contains("coins") ? "2.5" : "1"
            let detail = answer.json["detail"] as? String ?? ""
            #expect(detail.hasPrefix("a request without a token may only add to "), "\(detail)")
            #expect(
                detail.hasSuffix("`by` alone, more than 0, at most \(most), and with no more decimals"), "\(detail)")
        }
    }

    @Test func `a client with only an add right is refused PUT, DELETE and playback operations`() throws {
        let guarded = try Self.server()
        let (client, admin) = (guarded.server.client, GuardedServer.Visitor.admin.headers)
        _ = try client.post("/v1/tickers/readers", #"{"to":5,"duration":1000}"#, headers: admin)
        let requests = [
            ("PUT", "", #"{"label":"0 readers"}"#), ("DELETE", "", nil), ("POST", "/pause", nil),
            ("POST", "/finish", nil), ("POST", "/seek", #"{"fraction":1}"#),
        ]
        for (method, verb, body) in requests {
            let answer = try client.send(method, "/v1/tickers/readers\(verb)", body: body)
            #expect(answer.status == 403 && answer.body.contains("may only add"), "\(method) \(verb) \(answer.body)")
        }
        #expect(try client.post("/v1/tickers", #"{"by":1}"#).status == 401)
        #expect(try client.post("/v1/schedules", #"{"in":1,"label":"x"}"#).status == 401)
        #expect(try client.get("/v1/progress/fund").status == 401, "adding is not reading")
        #expect(try client.get("/v1/tickers/readers").json["target"] as? Int == 5)
    }

    @Test func `an add right applies to batch lines, and a repeated key adds once`() throws {
        let guarded = try Self.server()
        let lines = [
            #"{"ticker":"readers","by":1}"#, #"{"ticker":"readers","by":5}"#, #"{"ticker":"readers","to":5}"#,
            #"{"op":"delete","ticker":"readers"}"#, #"{"notify":"n"}"#, #"{"progress":"fund","by":1}"#,
        ]
        let batch = try guarded.server.client.post("/v1/batch", lines.joined(separator: "\n"))
        let statuses = batch.body.split(separator: "\n").map { $0.dropFirst(10).prefix(3) }
        // The visitor may not read the fund, so it isn't told whether there was one.
        #expect(statuses == ["201", "403", "403", "403", "401", "200"], "\(batch.body)")
        for _ in 0..<3 {
            let answer = try guarded.server.client.post(
                "/v1/tickers/readers", #"{"by":1}"#, headers: ["Idempotency-Key: visit-1"])
            #expect(answer.status == 202, "\(answer.body)")
        }
        #expect(try guarded.server.client.get("/v1/tickers/readers").json["target"] as? Int == 2)
    }

    @Test func `pages of listed origins may add, and no others`() throws {
        let guarded = try Self.server("--cors-origin", "https://blog.example")
        for (origin, status) in [("https://blog.example", 202), ("https://other.example", 403)] {
            let answer = try guarded.server.client.post(
                "/v1/tickers/readers", #"{"by":1}"#, headers: ["Origin: \(origin)", "Content-Type: application/json"])
            #expect(answer.status == status)
            #expect((answer.headers["access-control-allow-origin"] == origin) == (status == 202))
        }
    }

    @Test func `an action may add where its sender may`() throws {
        let guarded = try GuardedServer()
        let grant = #"{"publish":["ticker=own"],"add":[{"topics":["ticker=total"],"atMost":3}]}"#
        let token = try GuardedServer.jwt(GuardedServer.claims(grant: grant))
        for (amount, status) in [(3, 202), (4, 403)] {
            let answer = try guarded.server.client.post(
                "/v1/tickers/own", #"{"to":1,"then":[{"ticker":"total","by":\#(amount)}]}"#,
                headers: ["Authorization: Bearer \(token)"])
            #expect(answer.status == status, "\(answer.body)")
            if status == 403 {
                #expect(answer.json["pointer"] as? String == "/then/0")
                #expect((answer.json["detail"] as? String)?.hasPrefix("this token may only add") == true)
            }
        }
    }

    /// The names of all parameters that the contract has.
    private static func parameters() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let contract = try String(
            contentsOf: root.appending(path: "Sources/Service/TweencastService/openapi.yaml"), encoding: .utf8)
        return contract.matches(of: /(?m)^      name: (\S+)\n      in: query$/).map { String($0.output.1) }
    }

    /// What a number has beside its sum, its pace and the motion to it.
    private static func rest(of number: HTTPAnswer) throws -> String {
        let sum: Set = [
            "value", "text", "target", "current", "revision", "animation", "motion", "display", "percent", "fraction",
            "state", "elapsed", "rate", "eta", "etaRange",
        ]
        let rest = number.json.filter { !sum.contains($0.key) }
        return String(
            decoding: try JSONSerialization.data(withJSONObject: rest, options: .sortedKeys), as: UTF8.self)
    }

    @Test func `no query parameter or header lets an add right change more than the sum`() throws {
        let guarded = try Self.server()
        let (client, admin) = (guarded.server.client, GuardedServer.Visitor.admin.headers)
        let definition = #"{"label":"0 in all","duration":0}"#
        for path in ["tickers/readers", "progress/fund"] {
            _ = try client.send("PUT", "/v1/\(path)", body: definition, headers: admin)
        }
        let names = try Self.parameters()
        #expect(names.contains("stagger") && names.contains("locale") && names.count > 20)
        let queries = [""] + names.flatMap { ["?\($0)=1", "?\($0)=31536000"] }
        let headers = [
            [], ["Prefer: return=minimal"], ["Idempotency-Key: a"], ["If-Match: *"], ["If-None-Match: \"0\""],
            ["Accept: application/x-ndjson"],
        ]
        let cases = queries.map { ($0, [String]()) } + headers.map { ("", $0) }
        for (path, line) in [("tickers/readers", #""ticker":"readers","#), ("progress/fund", #""progress":"fund","#)] {
            for (query, sent) in cases {
                let before = try client.get("/v1/\(path)", headers: admin)
                for (route, body) in [(path, #"{"by":1}"#), ("batch", "{\(line)\"by\":1}\n{\(line)\"by\":1}")] {
                    _ = try client.post("/v1/\(route)\(query)", body, headers: sent)
                }
                let after = try client.get("/v1/\(path)", headers: admin)
                #expect(try Self.rest(of: after) == Self.rest(of: before), "\(path) \(query) \(sent)")
                let motion = after.json["motion"] as? [String: Any]
                #expect(motion?["state"] as? String == "idle", "\(path) \(query) \(sent): \(after.body)")
            }
        }
    }
}
