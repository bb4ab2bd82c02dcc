// Lists as clients page through them.

import Foundation
import TestSupport
import Testing

@Suite struct ListTests {
    private static func ids(_ answer: HTTPAnswer) -> [String] {
        (answer.json["items"] as? [[String: Any]] ?? []).compactMap(id)
    }

    private static func id(_ item: [String: Any]) -> String? {
        (item["ticker"] ?? item["progress"] ?? item["schedule"]) as? String
    }

    /// The ids of all pages, in their order.
    private static func pages(_ client: HTTPClient, _ path: String, limit: Int) throws -> [[String]] {
        var pages: [[String]] = []
        var next: String?
        repeat {
            let answer = try client.get("\(path)?limit=\(limit)" + (next.map { "&after=\($0)" } ?? ""))
            #expect(answer.status == 200, "\(answer.body)")
            pages.append(ids(answer))
            next = answer.json["next"] as? String
        } while next != nil && pages.count < 100
        return pages
    }

    private static func fill(_ client: HTTPClient, _ count: Int) throws {
        let lines = (0..<count).flatMap { [#"{"ticker":"t\#($0)","to":1}"#, #"{"progress":"p\#($0)","current":1}"#] }
        #expect(try client.post("/v1/batch", lines.joined(separator: "\n")).status == 200)
    }

    @Test func `tickers and progress views are listed by id in pages`() throws {
        let server = try ServerProcess()
        try Self.fill(server.client, 250)
        for (path, letter) in [("/v1/tickers", "t"), ("/v1/progress", "p")] {
            let pages = try Self.pages(server.client, path, limit: 100)
            #expect(pages.map(\.count) == [100, 100, 50])
            #expect(pages.flatMap { $0 } == (0..<250).map { "\(letter)\($0)" }.sorted())
            #expect(Self.ids(try server.client.get(path)).count == 100)
            #expect(Self.ids(try server.client.get("\(path)?after=zzz")).isEmpty)
        }
    }

    @Test func `prefix limits a list to ids that begin with it, in pages too`() throws {
        let server = try ServerProcess()
        for kind in ["ticker", "progress", "schedule"] {
            let list = kind == "progress" ? "/v1/progress" : "/v1/\(kind)s"
            let ids = ["a", "room", "room-1", "room-10", "room-2", "room.x", "rooms", "z"]
            for (number, id) in ids.enumerated() {
                let body = kind == "schedule" ? #"{"in":\#(1_000 + number),"do":[]}"# : #"{"label":"0"}"#
                #expect(try server.client.send("PUT", "\(list)/\(id)", body: body).status == 201)
            }
            for prefix in ["room-", "room", "r", "room-1", "room-11", "z", "Room", ""] {
                let path = "\(list)?prefix=\(prefix)"
                let found = Self.ids(try server.client.get(path))
                #expect(found == ids.filter { $0.hasPrefix(prefix) }, "\(path)")
                var pages: [String] = []
                var next: String?
                repeat {
                    let page = try server.client.get("\(path)&limit=2" + (next.map { "&after=\($0)" } ?? ""))
                    pages += Self.ids(page)
                    next = page.json["next"] as? String
                } while next != nil && pages.count <= ids.count
                #expect(pages == found, "\(path)")
            }
            for query in ["prefix=a%20b", "prefix=*", "prefix=room*", "prefx=a"] {
                let answer = try server.client.get("\(list)?\(query)")
                #expect(answer.status == 422 && answer.body.contains("?pref"), "\(query): \(answer.body)")
            }
        }
    }

    @Test(arguments: [
        ("/v1/tickers?limt=5", "?limt", "limit"), ("/v1/schedules?Prefix=a", "?Prefix", "prefix"),
        ("/v1/clients?limits=5", "?limits", "limit"), ("/v1/webhooks/failed?aftr=x", "?aftr", "after"),
        ("/v1/events?tiker=a", "?tiker", "ticker"), ("/v1/events?ticker=a&stmp", "?stmp", "stamp"),
        ("/v1/tickers/a/events?fsp=10", "?fsp", "fps"), ("/v1/tickers/a/events?tiker=a", "?tiker", nil),
        ("/v1/clients?since=5", "?since", nil), ("/v1/tickers?page=2", "?page", nil),
        ("/v1/tickers/a?local=de-DE", "?local", "locale"),
        ("/v1/progress/a?localle=de-DE", "?localle", "locale"), ("/v1/tickers/a?as=text", "?as", nil),
        ("/v1/schedules/a?previw=3", "?previw", "preview"), ("/v1/tickers/a/history?point=3", "?point", "points"),
    ])
    func `a misspelt parameter is refused, with the one that was meant`(
        path: String, named: String, meant: String?
    ) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"to":1}"#)
        let answer = try server.client.get(path)
        #expect(answer.status == 422 && answer.json["pointer"] as? String == named)
        let detail = try #require(answer.json["detail"] as? String)
        #expect(detail.hasPrefix("there is no such parameter here; " + (meant.map { "did you mean \($0)?" } ?? "")))
    }

    @Test func `schedules are listed by due date in pages`() throws {
        let server = try ServerProcess()
        let count = 130
        for number in 0..<count {
            // Due in another order than their names', two and two at one date.
            let date = "2100-01-01T00:\(String(format: "%02d", (number * 7 % count) / 2 % 60)):00Z"
            let answer = try server.client.send(
                "PUT", "/v1/schedules/s\(number)", body: #"{"at":"\#(date)","do":[{"notify":"N"}]}"#)
            #expect(answer.status == 201)
        }
        _ = try server.client.send("PUT", "/v1/schedules/held", body: #"{"in":1,"every":1,"do":[{"notify":"N"}]}"#)
        _ = try server.client.post("/v1/schedules/pause")
        let all = try server.client.get("/v1/schedules?limit=1000").json
        let items = try #require(all["items"] as? [[String: Any]])
        #expect(items.count == count + 1 && all["next"] == nil && all["pending"] as? Int == count + 1)
        let order = items.compactMap(Self.id)
        try #require(order.count == items.count)
        #expect(order.last == "held")
        let dues = items.dropLast().compactMap { $0["due"] as? String }
        #expect(dues.count == count && dues == dues.sorted())

        let pages = try Self.pages(server.client, "/v1/schedules", limit: 50)
        #expect(pages.map(\.count) == [50, 50, 31])
        #expect(pages.flatMap { $0 } == order)
        #expect(Self.ids(try server.client.get("/v1/schedules")) == Array(order.prefix(100)))
        #expect(Self.ids(try server.client.get("/v1/schedules?after=\(order[9])&limit=2")) == Array(order[10..<12]))
    }

    @Test(arguments: ["/v1/tickers", "/v1/progress", "/v1/schedules"])
    func `an invalid limit or after is refused with its parameter's name`(path: String) throws {
        let server = try ServerProcess()
        for limit in ["0", "-1", "1001", "x", "", "1.5", "99999999999999999999"] {
            let answer = try server.client.get("\(path)?limit=\(limit)")
            #expect(answer.status == 422 && answer.json["pointer"] as? String == "?limit", "\(limit): \(answer.body)")
        }
        for after in ["", "a%20b", "a%2Fb", "a@", "@5", "a@b", String(repeating: "x", count: 129), "%FF"] {
            let answer = try server.client.get("\(path)?after=\(after)")
            #expect(answer.status == 422 && answer.json["pointer"] as? String == "?after", "\(after): \(answer.body)")
        }
        #expect(try server.client.get("\(path)?limit=1").status == 200)
    }

    @Test func `after with an unknown schedule is refused`() throws {
        let server = try ServerProcess()
        let answer = try server.client.get("/v1/schedules?after=none")
        #expect(answer.status == 422 && answer.json["pointer"] as? String == "?after")
    }
}
