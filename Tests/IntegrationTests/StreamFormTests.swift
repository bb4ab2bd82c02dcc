// What a stream can ask for beside value and text: wheels, and the strings of the descriptor.

import Foundation
import TestSupport
import Testing

@Suite struct StreamFormTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    private static func object(_ event: ServerSentEvent) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(event.data.utf8))) as? [String: Any] ?? [:]
    }

    /// The text that wheels at rest show.
    private static func text(_ wheels: [Any], digits: [String]) -> String {
        wheels.map { part in
            if let text = part as? String { return text }
            let wheel = part as? [Double] ?? []
            return wheel.count > 1 ? digits[Int(wheel[1])] : "?"
        }.joined()
    }

    @Test(arguments: ["odometer", "continuous", "up", "down", "shortest"])
    func `wheels end on the digits of the text in every style`(style: String) throws {
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/tickers?wheels=\(style)", method: "POST",
            body: #"{"label":"Total: 97 \u20ac","to":"1234.5","duration":0.5,"easing":"ease-out"}"#,
            headers: ["Accept: text/event-stream"])
        let frames = try stream.collect { _ in false }.filter { $0.name == "message" }.map(Self.object)
        let digits = (0...9).map { "\($0)" }
        for frame in frames {
            let wheels = try #require(frame["wheels"] as? [Any])
            #expect(wheels.first as? String == "Total: ")
            #expect(wheels.last as? String == " \u{20ac}")
            for wheel in wheels.compactMap({ $0 as? [Double] }) { #expect((0..<10).contains(wheel[1])) }
        }
        let last = try #require(frames.last)
        #expect(Self.text(last["wheels"] as? [Any] ?? [], digits: digits) == last["text"] as? String)
        #expect(last["text"] as? String == "Total: 1234.5 \u{20ac}")
        #expect(last["digits"] == nil)
    }

    @Test func `wheels turn on while the text stays the same`() throws {
        _ = try server.client.post("/v1/tickers/slow", #"{"label":"0","to":1,"duration":100,"decimals":0}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/tickers/slow/events?wheels=continuous")
        let frames = try stream.frames(10).filter { $0.name == "message" }.map(Self.object)
        #expect(Set(frames.compactMap { $0["text"] as? String }) == ["0"])
    }

    @Test func `digits of another script come with the wheels`() throws {
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/tickers?wheels", method: "POST",
            body: #"{"label":"0","to":42,"duration":0.2,"format":{"locale":"ar-EG"}}"#,
            headers: ["Accept: text/event-stream"])
        let last = try #require(stream.collect { _ in false }.last { $0.name == "message" }).data
        #expect(last.contains("\"digits\":\"\u{660}\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}\u{667}\u{668}\u{669}\""))
        #expect(last.contains("[1,4],[0,2]"))
    }

    @Test func `the descriptor's strings are the same in an answer and on a stream`() throws {
        _ = try server.client.post(
            "/v1/progress/build", #"{"current":30,"maximum":60,"duration":0.1,"label":"{value} of {maximum}"}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/progress/build/events?display")
        let frame = try #require(
            stream.collect { Self.object($0)["percent"] as? Int == 50 && $0.name == "message" }.last.map(Self.object))
        let streamed = try #require(frame["display"] as? [String: String])
        #expect(streamed["percent"] == "50%")
        #expect(streamed["accessible"] == "50 percent")
        let answered = try #require(server.client.get("/v1/progress/build").json["display"] as? [String: String])
        #expect(Set(answered.keys) == Set(streamed.keys))
        #expect(answered["value"] == streamed["value"] && answered["state"] == streamed["state"])
        _ = try server.client.post("/v1/schedules", #"{"id":"s","in":7500,"do":[{"notify":"x"}],"label":"Launch"}"#)
        let velocityMatch = try EventSourceClient(port: server.port, path: "/v1/schedules/s/events?display")
        let shown = try #require(velocityMatch.collect { $0.name == "message" }.last.map(Self.object))
        #expect(shown["text"] as? String == "Launch 2:05:00")
        #expect((shown["display"] as? [String: String])?["remaining"] == "2 h 5 min")
    }

    @Test(arguments: ["scientific", "compact", "standard"])
    func `display parts of every frame join to its text`(notation: String) throws {
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events?ticker=t&display=parts")
        let format = #"{"locale":"de-DE","style":"currency","currency":"EUR","notation":"\#(notation)"}"#
        _ = try server.client.post(
            "/v1/tickers/t", #"{"label":"Umsatz: 0","to":-12345678.9,"duration":0.3,"format":\#(format)}"#)
        let frames = try stream.collect { $0.name == "complete" }.filter { $0.name == "message" }.map(Self.object)
        #expect(frames.count > 2)
        for frame in frames {
            let display = try #require(frame["display"] as? [String: Any])
            let parts = try #require(display["parts"] as? [[String: String]])
            #expect(parts.compactMap { $0["value"] }.joined() == frame["text"] as? String)
            let kinds = parts.compactMap { $0["type"] }
            #expect(kinds.first == "literal" && kinds.contains("integer") && kinds.last == "currency")
        }
    }

    @Test func `the last frame of a removed ticker has its own wheels`() throws {
        for id in ["a", "b"] {
            _ = try server.client.post(
                "/v1/tickers/\(id)", #"{"label":"\#(id) 0","to":1000000,"decimals":6,"duration":60}"#)
        }
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=*&wheels")
        _ = try stream.collect { $0.name == "message" && Self.object($0)["ticker"] as? String == "b" }
        _ = try server.client.send("DELETE", "/v1/tickers/a")
        let frames = try stream.collect { $0.name == "removed" }.filter { $0.name == "message" }.map(Self.object)
        for frame in frames where frame["ticker"] as? String == "a" {
            #expect((frame["wheels"] as? [Any])?.first as? String ?? "a " == "a ")
        }
    }

    @Test func `a progress with elapsed time sends frames while nothing moves`() throws {
        _ = try server.client.post("/v1/progress/build", #"{"current":30,"duration":0,"label":"{percent}% {elapsed}"}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/progress/build/events?as=text")
        let texts = try stream.frames(3).filter { $0.name == "message" }.map(\.data)
        #expect(texts.allSatisfy { $0.hasPrefix("30% 0:0") } && texts == texts.sorted() && Set(texts).count == 3)
    }

    @Test(arguments: ["{percent}%", "{bar} {percent}%", "{percent}% {elapsed}"])
    func `a text stream sends no text twice in a row`(label: String) throws {
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?progress=build&as=text")
        _ = try stream.collect { $0.name == "hello" }
        _ = try server.client.post("/v1/progress/build", #"{"current":30,"duration":1,"label":"\#(label)"}"#)
        let events = try stream.collect { $0.name == "complete" }
        let texts = events.filter { $0.name == "message" }.map(\.data)
        #expect(texts.count > 10 && texts.last?.contains("30%") == true)
        #expect(zip(texts, texts.dropFirst()).allSatisfy { $0 != $1 }, "\(texts)")
    }

    @Test(arguments: ["wheels=sideways", "display=maybe", "wheels=2"])
    func `an invalid wheels or display parameter is refused`(query: String) throws {
        _ = try server.client.post("/v1/tickers/t", #"{"to":1}"#)
        let answer = try server.client.get("/v1/tickers/t/events?\(query)")
        #expect(answer.status == 422)
        #expect(answer.body.contains(String(query.prefix { $0 != "=" })))
    }
}
