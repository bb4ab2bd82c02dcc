// Pictures over HTTP: tags, rights, pages of other origins, locales, errors.

import Foundation
import TestSupport
import Testing

@Suite struct PictureAnswerTests {
    @Test func `a picture at rest has an ETag, one in motion none`() throws {
        let server = try ServerProcess()
        let path = "/v1/progress/a.b/image.svg"
        #expect(try server.client.get(path).status == 404)
        _ = try server.client.post("/v1/progress/a.b", #"{"current":50,"duration":0}"#)
        let first = try server.client.get(path)
        let tag = try #require(first.headers["etag"])
        #expect(first.headers["content-type"] == "image/svg+xml; charset=utf-8" && first.body.hasPrefix("<svg "))
        #expect(first.headers["cache-control"] == "no-cache")
        for known in [tag, "W/\(tag)", String(tag.dropLast()) + "-gzip\"", "*", "\"1\", \(tag)"] {
            let again = try server.client.get(path, headers: ["If-None-Match: \(known)"])
            #expect(again.status == 304 && again.headers["etag"] == tag && again.body.isEmpty, "\(known)")
        }
        #expect(try server.client.send("HEAD", path).headers["etag"] == tag)
        _ = try server.client.post("/v1/progress/a.b", #"{"current":90,"duration":60}"#)
        let moving = try server.client.get(path, headers: ["If-None-Match: \(tag)"])
        #expect(moving.status == 200 && moving.headers["etag"] == nil && moving.body.contains("<animate "))
        #expect(moving.headers["cache-control"] == "no-store")
        _ = try server.client.post("/v1/progress/a.b/pause", "")
        #expect(try server.client.get(path).headers["etag"] != nil)
    }

    @Test func `a picture has the reader's locale, label and color`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"label":"1,234.50 l","to":1234.5,"duration":0}"#)
        let german = try server.client.get("/v1/tickers/t/image.svg?locale=de-DE&label=L%C3%A4nge&color=tomato")
        #expect(german.body.contains(">1.234,5 l</text>") && german.body.contains(">Länge</text>"))
        #expect(german.body.contains(#"fill="tomato""#))
        let badge = try server.client.get("/v1/tickers/t/badge.json?locale=de-DE")
        #expect(badge.headers["content-type"] == "application/json" && badge.body.contains(#""message":"1.234,5 l""#))
    }

    @Test(arguments: [
        ("style=ring", "?style"), ("style=x", "?style"), ("theme=blue", "?theme"), ("color=red%3B", "?color"),
        ("width=15", "?width"), ("label=" + String(repeating: "l", count: 101), "?label"), ("locale=xx-XX", "locale"),
        ("colour=red", "color"),
    ])
    func `an invalid picture option is refused by name`(query: String, field: String) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        for form in ["image.svg", "badge.json"] {
            let answer = try server.client.get("/v1/tickers/t/\(form)?\(query)")
            #expect([400, 422].contains(answer.status) && answer.body.contains(field), "\(answer.body)")
            let longest = String(repeating: "%E6%BC%A2", count: 100)
            #expect(try server.client.get("/v1/tickers/t/\(form)?label=\(longest)").status == 200)
        }
    }

    @Test func `a page of another origin may embed a picture only if all origins may read`() throws {
        let fetch = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"]
        for (arguments, status, policy) in [
            ([], 403, nil), (["--cors-read-origin", "*"], 200, "cross-origin"),
        ] as [([String], Int, String?)] {
            let server = try ServerProcess(arguments: arguments)
            _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
            let answer = try server.client.get("/v1/tickers/t/image.svg", headers: fetch)
            #expect(answer.status == status)
            #expect(policy == nil || answer.headers["cross-origin-resource-policy"] == policy)
        }
    }

    @Test func `a picture needs the right to read its number`() throws {
        let guarded = try GuardedServer()
        let client = guarded.server.client
        #expect(try client.get("/v1/tickers/shop-1/image.svg").status == 401)
        #expect(try client.get("/v1/progress/shop-1/badge.json").status == 401)
    }

    @Test(arguments: ["image.svg", "badge.json"])
    func `a picture that needs a token is marked private for caches`(form: String) throws {
        let guarded = try GuardedServer(anonymous: #"{"subscribe":["ticker=open"]}"#)
        let client = guarded.server.client
        for id in ["open", "closed"] {
            let made = try client.post(
                "/v1/tickers/\(id)", #"{"to":1,"duration":0}"#, headers: GuardedServer.Visitor.admin.headers)
            #expect(made.status == 202)
            let answer = try client.get("/v1/tickers/\(id)/\(form)", headers: GuardedServer.Visitor.admin.headers)
            #expect(answer.headers["cache-control"] == (id == "open" ? "no-cache" : "private, no-cache"))
            let known = try #require(answer.headers["etag"])
            let again = try client.get(
                "/v1/tickers/\(id)/\(form)",
                headers: GuardedServer.Visitor.admin.headers + ["If-None-Match: \(known)"])
            #expect(again.status == 304 && again.headers["cache-control"] == answer.headers["cache-control"])
        }
    }
}
