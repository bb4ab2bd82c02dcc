// Lines of streams, for readers that have room for 64 KiB of each.

import TestSupport
import Testing

@Suite struct LineLengthTests {
    private let server: ServerProcess
    private static let room = 65_536

    init() throws { server = try ServerProcess() }

    /// Whether a request was taken, and no line of what a stream then tells is too long.
    private func tell(_ path: String, _ body: String, method: String = "POST") throws -> Bool {
        let answer = try server.client.send(method, path, body: body)
        #expect(answer.status < 300 || answer.status == 422, "\(answer.status) \(answer.body)")
        if answer.status == 422 { #expect(answer.body.contains(#""pointer""#), "\(answer.body)") }
        return answer.status < 300
    }

    private func check(_ topics: String, _ forms: [String]) throws {
        for form in forms {
            let connection = try RawConnection(port: server.port)
            try connection.send(HTTPClient.request("GET", "/v1/events?\(topics)&heartbeat=1\(form)"))
            _ = try connection.readStreamHead()
            var line = ""
            while !line.contains("heartbeat") {
                line = try #require(try connection.read(through: "\n"))
                #expect(line.utf8.count < Self.room, "\(form): \(line.prefix(100))")
            }
        }
    }

    private static let forms = [
        "", "&as=ndjson", "&as=text", "&display=parts&wheels&stamp&as=ndjson",
        "&display=parts&wheels=strip&stamp&locale=ar-EG", "&display=parts&wheels&stamp&locale=my",
        "&mode=motion&as=ndjson",
    ]

    /// Labels from short to long, of which the last that is taken is as long as any may be.
    private func longest(_ make: (Int) -> String) throws -> Int {
        var (taken, refused) = (0, 4_097)
        while refused - taken > 1 {
            let middle = (taken + refused) / 2
            if try tell("/v1/tickers/t", make(middle), method: "PUT") { taken = middle } else { refused = middle }
        }
        _ = try tell("/v1/tickers/t", make(taken), method: "PUT")
        return taken
    }

    @Test(arguments: ["a", "\\u0001", "\\\"", "é", "\\u2028", "# "])
    func `the longest accepted label gives no stream line over 64 KiB`(letter: String) throws {
        let texts: [(Int) -> String] = [
            { #"{"label":"\#(String(repeating: letter, count: $0)) 5"}"# },
            {
                #"{"prefix":"\#(String(repeating: letter, count: $0))","suffix":"\#(String(repeating: letter, count: $0))"}"#
            },
            { #"{"label":"{n, plural, one {#} other {# \#(String(repeating: letter, count: $0))}}"}"# },
            {
                #"{"label":"\#(String(repeating: letter, count: $0)){n, plural, =0 {a} =1 {b} =2 {c} one {#} other {#}}"}"#
            },
        ]
        for text in texts {
            #expect(try longest(text) > 0)
            _ = try tell(
                "/v1/tickers/t",
                #"{"to":"-12345678901234567890123456789012345678","duration":2,"format":{"style":"currency","currency":"BAM","currencyDisplay":"name"}}"#
            )
            try check("ticker=t", Self.forms)
        }
    }

    @Test func `the most placeholders that a label may have give no stream line over 64 KiB`() throws {
        for name in ["value", "words", "remaining", "maximum", "rate"] {
            var count = 1
            while try tell(
                "/v1/progress/p",
                #"{"label":"\#(String(repeating: "{\(name)}", count: count))","maximum":"12345678901234567890123456789012345678"}"#,
                method: "PUT")
            { count += 1 }
            #expect(count > 16)
            _ = try tell("/v1/progress/p", #"{"current":"1234567890123456789012345678901234567","duration":3}"#)
            try check("progress=p", Self.forms)
        }
        let words = String(repeating: "{words}", count: 100)
        #expect(try !tell("/v1/schedules/s", #"{"in":9999999,"label":"\#(words)","do":[]}"#, method: "PUT"))
    }

    @Test func `an easing or keyframes too long for a stream line are refused`() throws {
        let stops = (0..<900).map { $0 % 2 == 0 ? "0" : "1" }.joined(separator: ",")
        #expect(try !tell("/v1/tickers/t", #"{"to":1,"duration":9,"easing":"linear(\#(stops))"}"#))
        let short = (0..<150).map { $0 % 2 == 0 ? "0" : "1" }.joined(separator: ",")
        #expect(try tell("/v1/tickers/t", #"{"to":1,"duration":9,"easing":"linear(\#(short))"}"#))
        let frames = (0..<90).map { #"{"to":\#($0),"easing":"linear(\#(short))"}"# }.joined(separator: ",")
        #expect(try !tell("/v1/tickers/t", #"{"to":[\#(frames)],"duration":9}"#))
        try check("ticker=t", Self.forms)
    }

    @Test func `notification data has one size limit in requests, batch lines and actions`() throws {
        let name = String(repeating: "n", count: 128)
        for (size, isTaken) in [(65_024, true), (65_025, false)] {
            // Quotes stay escaped as they came.
            let data = "\"" + String(repeating: "\\\"", count: (size - 2) / 2) + (size % 2 == 0 ? "" : "x") + "\""
            #expect(try tell("/v1/notifications/\(name)", data) == isTaken)
            let large = try ServerProcess(arguments: ["--body-bytes", "1000000"])
            let raw = try RawConnection(port: large.port)
            try raw.send(HTTPClient.request("GET", "/v1/events?notification=*&as=ndjson"))
            _ = try raw.readStreamHead()
            _ = try raw.read(through: "\n")
            for body in [
                #"{"to":1,"duration":0,"then":[{"notify":"\#(name)","data":\#(data)}]}"#,
                #"{"to":1,"duration":0,"else":[{"notify":"a","data":\#(data),"delay":5}]}"#,
            ] {
                let answer = try large.client.post("/v1/tickers/\(name)", body)
                #expect(answer.status == (isTaken ? 202 : 422), "\(answer.body)")
                if !isTaken { #expect(answer.body.contains("/data"), "\(answer.body)") }
            }
            if isTaken {
                let line = try #require(try raw.read(through: "\n"))
                #expect(line.contains(#""by""#) && line.utf8.count < Self.room)
            }
        }
    }
}
