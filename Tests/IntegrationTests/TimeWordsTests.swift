// Countdowns and the time that a progress has left, in the words of who posted them and of who reads them, over HTTP.

import Foundation
import TestSupport
import Testing

@Suite struct TimeWordsTests {
    private let folder = TemporaryFolder()

    /// What a resource's label and its sentence say.
    private static func said(_ body: [String: Any]) -> [String?] {
        [body["text"] as? String, (body["display"] as? [String: String])?["accessible"]]
    }

    @Test func `a countdown's words are in its own locale or the reader's`() throws {
        let first = try ServerProcess(folder: folder.path)
        // Held: what is left doesn't change.
        _ = try first.client.post("/v1/schedules/pause")
        let posted = try first.client.post(
            "/v1/schedules", #"{"id":"s","in":7500,"label":"noch {words}","locale":"de-DE","do":[{"notify":"n"}]}"#)
        let german = ["noch 2 Stunden, 5 Minuten", "pausiert, noch 2 Stunden, 5 Minuten"]
        #expect(Self.said(posted.json) == german)
        let readers = [
            ("fr", ["noch 2\u{A0}heures et 5 minutes", "en pause, encore 2\u{A0}heures et 5 minutes"]),
            ("ar-EG", ["noch ساعتان و٥ دقائق", "متوقف مؤقتًا، الوقت المتبقي: ساعتان و٥ دقائق"]),
            ("en", ["noch 2 hours, 5 minutes", "paused, 2 hours, 5 minutes left"]),
        ]
        for (locale, shown) in readers {
            #expect(Self.said(try first.client.get("/v1/schedules/s?locale=\(locale)").json) == shown)
            let list = try first.client.get("/v1/schedules?locale=\(locale)").json["items"] as? [[String: Any]]
            #expect(list.map { $0.map(Self.said) } == [shown])
            let stream = try EventSourceClient(
                port: first.port, path: "/v1/schedules/s/events?display&locale=\(locale)")
            let frame = try #require(stream.frames(1).last)
            #expect(Self.said(frame.json) == shown)
        }
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        #expect(Self.said(try second.client.get("/v1/schedules/s").json) == german)
    }

    @Test func `a countdown that runs has a frame a second in its reader's language`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/schedules", #"{"id":"s","in":2,"label":"{words}","do":[{"notify":"n"}]}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?schedule=s&locale=pl")
        let events = try stream.collect { $0.name == "fired" }
        let texts = events.filter { $0.name == "message" }.compactMap { $0.json["text"] as? String }
        #expect(texts.suffix(2) == ["2 sekundy", "1 sekunda"] || texts.suffix(1) == ["0 sekund"], "\(texts)")
        #expect(texts.allSatisfy { $0.contains("sekund") })
    }

    @Test func `a progress shows its time left in words of its locale`() throws {
        let server = try ServerProcess()
        let unknown = try server.client.post(
            "/v1/progress/p", #"{"current":1,"maximum":null,"format":{"locale":"de-DE"}}"#)
        #expect(unknown.json["text"] as? String == "In Arbeit …")
        let known = try server.client.post(
            "/v1/progress/p",
            #"{"current":100,"maximum":100,"duration":0,"label":"{percent} % · {words}","format":{"locale":"ar-EG"}}"#)
        #expect(Self.said(known.json) == ["١٠٠ % · ٠ ثانية", "١٠٠٪\u{61C}، اكتمل"])
        #expect(
            Self.said(try server.client.get("/v1/progress/p?locale=ja").json) == ["100 % · 0 秒", "100%、完了"])
    }

    @Test(arguments: [
        ("/v1/schedules", #"{"in":1,"locale":"xx","do":[{"notify":"n"}]}"#, "/locale"),
        ("/v1/schedules", #"{"in":1,"locale":5,"do":[{"notify":"n"}]}"#, "/locale"),
        (
            "/v1/tickers/t", #"{"to":1,"then":[{"schedule":{"id":"s","in":1,"locale":"q-q","do":[{"notify":"n"}]}}]}"#,
            "/then/0/schedule/locale"
        ),
    ])
    func `an invalid locale field is refused with its pointer`(path: String, body: String, field: String) throws {
        let server = try ServerProcess()
        let answer = try server.client.post(path, body)
        #expect(answer.status == 422)
        #expect(answer.body.contains(#""\#(field)""#) || answer.body.contains(field), "\(answer.body)")
        #expect(try server.client.get("/v1/schedules").json["pending"] as? Int == 0)
    }
}
