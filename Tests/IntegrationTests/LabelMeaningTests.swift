// What labels mean, over HTTP: words alone, messages, countdowns and clocks; after a restart, too.

import Foundation
import TestSupport
import Testing

@Suite struct LabelMeaningTests {
    private let folder = TemporaryFolder()

    private static func text(_ answer: HTTPAnswer) -> String? { answer.json["text"] as? String }

    @Test func `a label without a number stays, in updates, actions, batches and after a restart`() throws {
        let first = try ServerProcess(folder: folder.path)
        let set = try first.client.send("PUT", "/v1/tickers/a", body: #"{"label":"Live now!"}"#)
        #expect(Self.text(set) == "Live now!")
        let done = try EventSourceClient(port: first.port, path: "/v1/events?notification=done")
        _ = try done.collect { $0.name == "hello" }
        _ = try first.client.post(
            "/v1/tickers/b",
            #"{"label":"0 %","to":5,"duration":0.1,"then":[{"ticker":"b","label":"Done"},{"notify":"done"}]}"#)
        _ = try done.collect { $0.name == "notification" }
        _ = try first.client.post(
            "/v1/batch",
            #"{"ticker":"c","to":2,"duration":0,"then":[{"ticker":"c","label":"Open"}]}"# + "\n"
                + #"{"ticker":"d","label":"Shut","to":3,"duration":0}"#)
        let shown = ["a": "Live now!", "b": "Done", "c": "Open", "d": "3"]
        for (id, text) in shown { #expect(Self.text(try first.client.get("/v1/tickers/\(id)")) == text) }
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        for (id, text) in shown { #expect(Self.text(try second.client.get("/v1/tickers/\(id)")) == text) }
        #expect(try second.client.get("/v1/tickers/a").json["label"] as? String == "Live now!")
        #expect(Self.text(try second.client.post("/v1/tickers/a", #"{"to":4,"duration":0}"#)) == "4")
        #expect(Self.text(try second.client.post("/v1/tickers/b", #"{"by":1,"duration":0}"#)) == "6")
    }

    @Test(arguments: [
        ("/v1/tickers", #"{"label":"{n, select, other {x}}","to":2}"#),
        ("/v1/tickers", #"{"label":"{n, date}","to":2}"#),
        ("/v1/tickers", #"{"label":"{n, number, percent} x","to":2}"#), ("/v1/tickers", #"{"label":"a {} b","to":2}"#),
        ("/v1/schedules", #"{"in":9,"label":"3 weeks left","do":[{"notify":"n"}]}"#),
        ("/v1/schedules", #"{"in":9,"label":"noch 3 Wochen","locale":"de","do":[{"notify":"n"}]}"#),
        ("/v1/schedules", #"{"in":9,"label":"{minutes:2}","do":[{"notify":"n"}]}"#),
    ])
    func `a label with an unsupported placeholder or message is refused with a pointer`(path: String, body: String)
        throws
    {
        let server = try ServerProcess()
        let answer = try server.client.post(path, body)
        #expect(answer.status == 422)
        #expect((answer.json["pointer"] as? String)?.hasSuffix("/label") == true, "\(answer.body)")
    }

    @Test(arguments: [
        (
            #"{"label":"{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} place","to":2,"duration":0}"#,
            "2nd place"
        ),
        (#"{"label":"{n} left","to":2,"duration":0}"#, "2 left"),
        (#"{"label":"0:00:00","to":3661,"duration":0}"#, "1:01:01"),
        (#"{"label":",5 l","to":0.75,"duration":0}"#, "0,75 l"), (#"{"label":"٫٥","to":0.75,"duration":0}"#, "٠٫٧٥"),
        (#"{"to":90,"format":{"style":"duration"},"duration":0}"#, "0:01:30"),
        (#"{"to":90,"format":{"style":"clock","locale":"ar-EG"},"duration":0}"#, "١:٣٠"),
        (#"{"to":1,"easing":"linear(0.5)","duration":0}"#, "1"),
        (#"{"to":1,"easing":"linear(0 0% 100%)","duration":0}"#, "1"),
        (#"{"to":1,"easing":"linear(0, calc(0.5), 1)","duration":0}"#, "1"),
    ])
    func `a ticker's text follows its label's message, duration format or script`(body: String, text: String) throws {
        let server = try ServerProcess()
        #expect(Self.text(try server.client.post("/v1/tickers", body)) == text)
    }

    @Test func `a currency symbol stands once in a progress label, whatever the label has`() throws {
        let server = try ServerProcess()
        let format = #""format":{"locale":"en-US","style":"currency","currency":"USD"}"#
        let labels = [
            ("${current} of ${maximum}", "$1,250.00 of $5,000.00"), ("US$ {value}", "$1,250.00"),
            ("{value} USD left", "$1,250.00 left"), ("{value} $US left", "$1,250.00 left"),
            ("{value} $ {maximum}", "$1,250.00 $5,000.00"),
            ("EUR ({value})", "EUR ($1,250.00)"),
        ]
        for (label, text) in labels {
            let answer = try server.client.post(
                "/v1/progress/p", #"{"current":1250,"maximum":5000,"label":"\#(label)","duration":0,\#(format)}"#)
            #expect(Self.text(answer) == text)
        }
        let share = try server.client.post(
            "/v1/progress/q",
            #"{"current":50,"maximum":200,"label":"{value}% of it","duration":0,"format":{"style":"percent"}}"#)
        #expect(Self.text(share) == "25% of it")
    }

    @Test(arguments: ["12345678901234567.25", "99999999999999999999999999999999999999"])
    func `a number of 38 digits before its motion is shown in full in text, display and wheels`(number: String) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"to":"\#(number)","duration":0}"#)
        let answer = try server.client.post("/v1/tickers/a", #"{"to":5,"delay":60,"decimals":2}"#)
        let text = try #require(Self.text(answer))
        #expect(text.hasPrefix(number))
        let display = try #require(answer.json["display"] as? [String: Any])
        #expect(display["text"] as? String == text && display["value"] as? String == text)
        let stream = try EventSourceClient(port: server.port, path: "/v1/tickers/a/events?display&wheels=up")
        let frame = try #require(stream.frames(1).last)
        #expect(frame.json["text"] as? String == text)
        #expect((frame.json["display"] as? [String: Any])?["text"] as? String == text)
        let wheels = try #require(frame.json["wheels"] as? [Any])
        let digits = wheels.map { part in (part as? [Double]).map { "\(Int($0[1]))" } ?? part as? String ?? "" }
            .joined()
        #expect(digits == text)
    }
}
