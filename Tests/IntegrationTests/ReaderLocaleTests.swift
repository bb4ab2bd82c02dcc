// Streams that are read in locales of their own, over HTTP: the poster's label as each reader's locale writes it.

import Foundation
import TestSupport
import Testing

@Suite struct ReaderLocaleTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    private static let dollars = #""format":{"locale":"en-US","style":"currency","currency":"USD"}"#

    private func stream(_ query: String, headers: [String] = []) throws -> EventSourceClient {
        try EventSourceClient(port: server.port, path: "/v1/events?\(query)", headers: headers)
    }

    private static func texts(_ events: [ServerSentEvent]) -> [String] { events.compactMap { $0.frame?.text } }

    @Test func `one ticker is shown in each stream's own locale`() throws {
        _ = try server.client.post(
            "/v1/tickers/revenue", #"{"label":"Revenue: 1","to":"1234.50","duration":0,\#(Self.dollars)}"#)
        let readers: [(query: String, first: String, last: String)] = [
            ("", "Revenue: $1,234.50", "Revenue: $7,654,321.00"),
            ("&locale=de-DE", "Revenue: 1.234,50\u{A0}$", "Revenue: 7.654.321,00\u{A0}$"),
            ("&locale=hi-IN", "Revenue: $1,234.50", "Revenue: $76,54,321.00"),
            (
                "&locale=ar-EG&wheels", "Revenue: \u{200F}١٬٢٣٤٫٥٠\u{A0}US$", "Revenue: \u{200F}٧٬٦٥٤٬٣٢١٫٠٠\u{A0}US$"
            ),
        ]
        let streams = try readers.map { try stream("ticker=revenue\($0.query)") }
        for (stream, reader) in zip(streams, readers) {
            #expect(Self.texts(try stream.frames(1)).last == reader.first)
        }
        _ = try server.client.post("/v1/tickers/revenue", #"{"to":7654321,"duration":0.3}"#)
        for (stream, reader) in zip(streams, readers) {
            let events = try stream.collect { $0.name == "complete" }
            #expect(events.filter { $0.name == "message" }.count > 2)
            #expect(Self.texts(events).suffix(2) == [reader.last, reader.last])
            if reader.query.contains("ar-EG") {
                // Numbers on their way, too.
                for text in Self.texts(events) { #expect(!text.contains { ("0"..."9").contains($0) }, "\(text)") }
            }
        }
    }

    @Test(arguments: ["", "&as=text", "&display", "&mode=motion", "&stamp&wheels=up"])
    func `a number format not yet compiled in a reader's locale is shown once it is`(form: String) throws {
        let stream = try stream("ticker=*&locale=fr-FR\(form)")
        _ = try stream.collect { $0.name == "hello" }
        _ = try server.client.post("/v1/tickers/a", #"{"label":"Prix : 1","to":"1234.5",\#(Self.dollars)}"#)
        let events = try stream.collect { $0.name == "complete" }
        let shown = "Prix : 1\u{202F}234,50\u{A0}$US"
        #expect(events.last?.frame?.text == shown)
        let last = try #require(events.last { $0.name == "message" })
        #expect(form == "&as=text" ? last.data == shown : last.frame?.text == shown)
        for event in events where event.name == "message" { #expect(!event.data.contains("1,234"), "\(event.data)") }
    }

    @Test func `replayed events are in the reader's locale while the label still writes them so`() throws {
        let stream = try stream("ticker=a&locale=de-DE")
        _ = try stream.collect { $0.name == "hello" }
        _ = try server.client.post("/v1/tickers/a", #"{"label":"Users: 1,000","to":1,"duration":0}"#)
        let seen = try #require(try stream.collect { $0.name == "complete" }.last?.id)
        stream.close()
        _ = try server.client.post("/v1/tickers/a", #"{"to":123456,"duration":0}"#)
        let back = try self.stream("ticker=a&locale=de-DE", headers: ["Last-Event-ID: \(seen)"])
        let missed = try back.collect { $0.name == "complete" }
        #expect(missed.last?.frame?.text == "Users: 123.456")
        #expect(Self.texts(try back.frames(1)).last == "Users: 123.456")
        _ = try server.client.post("/v1/tickers/a", #"{"label":"Visitors: 123,456","to":123456,"duration":0}"#)
        let later = try self.stream("ticker=a&locale=de-DE", headers: ["Last-Event-ID: \(seen)"])
        #expect(try later.collect { $0.name == "complete" }.last?.frame?.text == "Users: 123,456")
        #expect(Self.texts(try later.frames(1)).last == "Visitors: 123.456")
    }

    @Test func `a progress has the locale's digits and percent sign`() throws {
        _ = try server.client.post("/v1/progress/p", #"{"current":0}"#)
        let readers = [("ar-EG", "٤٢٪\u{61C}"), ("de-DE", "42\u{A0}%"), ("tr-TR", "%42")]
        let streams = try readers.map { try stream("progress=p&locale=\($0.0)") }
        for stream in streams { _ = try stream.frames(1) }
        _ = try server.client.post("/v1/progress/p", #"{"current":42,"duration":0.2}"#)
        for (stream, reader) in zip(streams, readers) {
            let last = try #require(stream.collect { $0.name == "complete" }.last?.frame)
            #expect(last.text == reader.1)
            #expect(last.percent == 42)
        }
    }

    @Test func `an update that is answered by a stream is shown in the locale that it names`() throws {
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/tickers?locale=de_de", method: "POST",
            body: #"{"label":"Balance: $1,000.00","to":"12345.25","duration":0.2}"#,
            headers: ["Accept: text/event-stream"])
        let texts = Self.texts(try stream.collect { _ in false })
        #expect(texts.first == "Balance: $1.000,00")
        #expect(texts.last == "Balance: $12.345,25")
        #expect(texts.allSatisfy { !$0.contains(".") || $0.contains(",") })
    }

    @Test(arguments: [
        (#"{"to":5000,"duration":60}"#, "", "Sum: 1,234.50", "de-DE"),
        (
            #"{"to":"2000.00","duration":0.3}"#, #"{"to":"3000.5","decimals":1,"interrupt":"queue","duration":60}"#,
            "Sum: 1,234.50", "de-DE"
        ),
        (
            #"{"to":"2000.00","duration":0.3}"#, #"{"to":"7","label":"Left: 1","interrupt":"queue","duration":60}"#,
            "Sum: 1,234.50", "de-DE"
        ),
    ])
    func `every frame and the completion are in the reader's writing, however the motion ends`(
        first: String, queued: String, label: String, locale: String
    ) throws {
        _ = try server.client.post("/v1/tickers/a", #"{"label":"\#(label)","to":"1234.50","duration":0}"#)
        let stream = try stream("ticker=a&locale=\(locale)&display")
        _ = try stream.frames(1)
        _ = try server.client.post("/v1/tickers/a", first)
        if queued.isEmpty {
            _ = try stream.frames(3)
            _ = try server.client.send("DELETE", "/v1/tickers/a")
        } else {
            _ = try server.client.post("/v1/tickers/a", queued)
        }
        let events = try stream.collect { $0.name == "complete" }
        let last = try #require(events.last?.frame?.text)
        #expect(events.dropLast().last { $0.name == "message" }?.frame?.text == last)
        if !queued.isEmpty { #expect(last == "Sum: 2.000,00") }
        for text in Self.texts(events) {
            #expect(text.wholeMatch(of: /Sum: \d\.\d{3}(,\d\d)?/) != nil, "\(text)")
        }
        for event in events where event.name == "message" {
            let display = (event.json["display"] as? [String: Any])?["text"] as? String
            #expect(display == nil || display == event.frame?.text, "\(event.data)")
        }
    }

    @Test func `a progress that is deleted in flight ends in the reader's writing`() throws {
        _ = try server.client.post(
            "/v1/progress/p", #"{"current":1,"label":"{value} of {maximum}","maximum":5000,"decimals":2,"duration":0}"#)
        let stream = try stream("progress=p&locale=de-DE")
        _ = try stream.frames(1)
        _ = try server.client.post("/v1/progress/p", #"{"current":4000,"duration":60,"decimals":2}"#)
        _ = try stream.frames(2)
        _ = try server.client.send("DELETE", "/v1/progress/p")
        let events = try stream.collect { $0.name == "complete" }
        for text in Self.texts(events) {
            #expect(text.hasSuffix("von 5000,00") || text.hasSuffix(" of 5000,00"), "\(text)")
        }
    }

    @Test func `locale in a stream's body works as in its query`() throws {
        _ = try server.client.post("/v1/tickers/a", #"{"label":"Load 0.5","to":"0.25","duration":0}"#)
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events", method: "POST", body: #"{"ticker":["a"],"locale":"de-DE"}"#)
        #expect(Self.texts(try stream.frames(1)).last == "Load 0,25")
    }

    @Test(arguments: [
        "/v1/tickers/a?locale=", "/v1/tickers/a?locale=xx-YY", "/v1/tickers?locale=not%20one",
        "/v1/events?ticker=a&locale=klingon-1-", "/v1/tickers/a/events?locale=q",
    ])
    func `an invalid locale parameter is refused by name`(path: String) throws {
        _ = try server.client.post("/v1/tickers/a", #"{"label":"0","to":1}"#)
        let answer = try server.client.get(path)
        #expect(answer.status == 422)
        #expect(answer.body.contains("locale") && answer.body.contains("de-DE"), "\(answer.body)")
    }

    @Test func `streams may use 64 locales, and a closed stream frees its own`()
        throws
    {
        let languages = Locale.availableIdentifiers.filter { $0.count == 2 && $0 != "en" }.sorted()
        let streams = try languages.prefix(64).map { locale in
            let stream = try stream("ticker=a&locale=\(locale)")
            _ = try stream.collect { $0.name == "hello" }
            return stream
        }
        let refused = try stream("ticker=a&locale=en-GB").collect { _ in false }
        #expect(refused.map(\.name) == ["bye"])
        #expect(refused.last?.data == #"{"reason":"locales"}"#)
        // One that is read already has room for any number.
        #expect(try stream("ticker=a&locale=\(languages[0])").collect { $0.name == "hello" }.count == 1)
        streams[1].close()
        var isTaken = false
        while !isTaken { isTaken = try stream("ticker=a&locale=en-GB").collect { _ in true }.first?.name == "hello" }
    }
}
