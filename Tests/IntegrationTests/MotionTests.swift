// The main job from outside: post an update, watch it move.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct MotionTests {
    @Test(arguments: SendPath.possible)
    func `a POST answered by a stream runs from the label's number to exactly the target`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/tickers?stamp", method: "POST",
            body: #"{"label":"Temperature: 13F","to":250,"duration":2,"easing":"easeOut"}"#,
            headers: ["Accept: text/event-stream"])
        let events = try stream.collect { _ in false }
        let frames = events.filter { $0.name == "message" }.compactMap(\.frame)
        #expect(events.first?.name == "hello" && events.first?.retry != nil)
        #expect(frames.first?.text == "Temperature: 13F")
        #expect(frames.last?.text == "Temperature: 250F")
        // Of 120 ticks, those whose text is another, and the last.
        #expect(frames.count <= 96 && frames.last?.value == 250)
        #expect(zip(frames, frames.dropFirst().dropLast()).allSatisfy { $0.text != $1.text })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { ($0.t ?? 0) < ($1.t ?? 0) })
        // The first shows the post's instant, the next may be of that at which the stream was there, and the last is of the
        // motion's end: all between two ticks.
        let ticks = frames.compactMap(\.seq)
        #expect(frames.first?.seq == nil && ticks.count >= frames.count - 3)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
        let complete = events.last
        #expect(complete?.name == "complete" && complete?.frame?.finished == true)
        #expect(complete?.frame?.value == 250)
        // The curve: the start is the one instant that fits all frames.
        let starts = frames.compactMap { frame -> Double? in
            guard let value = frame.value, let tick = frame.t, value > 20, value < 240 else { return nil }
            let share = (value - 13) / 237
            return Double(tick - (frames[1].t ?? 0)) / 1e9 - 2 * (1 - pow(1 - share, 1 / 2.8))
        }
        #expect(starts.count > 1)
        #expect((starts.max() ?? 1) - (starts.min() ?? 0) < 1e-4)
    }

    @Test(arguments: SendPath.possible)
    func `two subscribers see the same frames and an update in flight makes no jump`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        _ = try server.client.send("PUT", "/v1/tickers/t", body: #"{"label":"0.00","decimals":2}"#)
        let one = try EventSourceClient(port: server.port, path: "/v1/tickers/t/events?stamp")
        let two = try EventSourceClient(port: server.port, path: "/v1/tickers/t/events?stamp")
        for stream in [one, two] { _ = try stream.collect { $0.name == "message" } }
        _ = try server.client.post("/v1/tickers/t", #"{"to":100,"duration":100}"#)
        var first = try one.collect { ($0.frame?.value ?? 0) > 1 }
        _ = try server.client.post("/v1/tickers/t", #"{"to":0,"duration":1}"#)
        first += try one.collect { $0.name == "complete" && $0.frame?.finished == true }
        let second = try two.collect { $0.name == "complete" && $0.frame?.finished == true }
        let completions = first.filter { $0.name == "complete" }.compactMap(\.frame)
        #expect(completions.map(\.reason) == ["superseded", "finished"])
        #expect(completions.map(\.finished) == [false, true])
        let frames = first.filter { $0.name == "message" }.compactMap(\.frame)
        // One a second up, and at most twice what there is a second down; ticks may be missed on a busy machine.
        let highest = frames.compactMap(\.value).max() ?? 0
        for (before, after) in zip(frames, frames.dropFirst()) {
            let seconds = Double((after.t ?? 0) - (before.t ?? 0)) / 1e9
            #expect(abs((after.value ?? 0) - (before.value ?? 0)) < (1 + 3 * highest) * seconds + 0.01)
        }
        #expect(frames.last?.text == "0.00")
        var texts: [Int64: String] = [:]
        for frame in frames { texts[frame.t ?? 0] = frame.text }
        for frame in second.filter({ $0.name == "message" }).compactMap(\.frame) {
            if let text = texts[frame.t ?? 0] { #expect(frame.text == text) }
        }
    }

    @Test(arguments: SendPath.possible)
    func `progress frames never go back, and each text is its percentage`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        _ = try server.client.post("/v1/progress/build", #"{"current":0}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/progress/build/events")
        _ = try stream.collect { $0.name == "message" }
        _ = try server.client.post("/v1/progress/build", #"{"current":42,"duration":1}"#)
        let frames = try stream.collect { $0.name == "complete" && $0.frame?.value == 42 }
            .filter { $0.name == "message" }.compactMap(\.frame)
        let fractions = frames.compactMap(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 0.42)
        #expect(frames.last?.text == "42%" && frames.last?.percent == 42)
        #expect(frames.allSatisfy { $0.text == "\($0.percent ?? -1)%" })
    }

    @Test(arguments: SendPath.possible)
    func `a schedule moves a ticker and notifies`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events?ticker=t&schedule=*&notification=Moved&stamp")
        #expect(try stream.next()?.name == "hello")
        _ = try server.client.post(
            "/v1/schedules",
            #"{"id":"s","in":0.5,"do":[{"ticker":"t","to":5,"duration":0.2},{"notify":"Moved","data":7}]}"#)
        let events = try stream.collect { $0.name == "complete" }
        let names = events.map(\.name).filter { $0 != "message" }
        #expect(names == ["scheduled", "fired", "notification", "removed", "complete"])
        #expect(events.last?.frame?.value == 5)
    }

    @Test func `pause, seek, resume and finish of a ticker work over HTTP`() throws {
        let server = try ServerProcess()
        let client = server.client
        _ = try client.post("/v1/tickers/p", #"{"to":100,"duration":100}"#)
        #expect(try client.post("/v1/tickers/p/pause").status == 200)
        let paused = try client.get("/v1/tickers/p").json["value"] as? Double
        #expect(try client.get("/v1/tickers/p").json["value"] as? Double == paused)
        _ = try client.post("/v1/tickers/p/seek", #"{"fraction":0.5}"#)
        #expect(try client.get("/v1/tickers/p").json["text"] as? String == "50")
        _ = try client.post("/v1/tickers/p/resume")
        let finished = try client.post("/v1/tickers/p/finish").json
        #expect(finished["text"] as? String == "100")
        #expect(try client.post("/v1/tickers/p/seek", #"{"fraction":0.5}"#).status == 409)
    }

    @Test(arguments: SendPath.possible)
    func `the parameters as, once and fps set a stream's form, end and rate`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        _ = try server.client.post("/v1/tickers/f", #"{"label":"F: 0","to":100,"duration":0}"#)
        // Without a motion the stream would end at once.
        _ = try server.client.post("/v1/tickers/f", #"{"to":0,"duration":1}"#)
        let text = try EventSourceClient(port: server.port, path: "/v1/tickers/f/events?as=text&fps=10&once")
        let events = try text.collect { _ in false }
        let frames = events.filter { $0.name == "message" }
        #expect(frames.allSatisfy { $0.data.hasPrefix("F: ") })
        #expect(frames.last?.data == "F: 0")
        #expect((2...13).contains(frames.count))
        #expect(events.last?.name == "complete")
    }

    @Test(arguments: SendPath.possible)
    func `a reader that comes back gets the events it missed, and an unknown id a reset`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        _ = try server.client.post("/v1/tickers/m", #"{"to":1,"duration":0}"#)
        let stream = try EventSourceClient(port: server.port, path: "/v1/tickers/m/events")
        _ = try stream.collect { $0.name == "message" }
        _ = try server.client.post("/v1/tickers/m", #"{"to":2,"duration":0}"#)
        let seen = try stream.collect { $0.name == "complete" }.last?.id
        stream.close()
        for value in 3...5 { _ = try server.client.post("/v1/tickers/m", #"{"to":\#(value),"duration":0}"#) }
        let again = try EventSourceClient(
            port: server.port, path: "/v1/tickers/m/events", headers: ["Last-Event-ID: \(seen ?? "")"])
        let missed = try again.collect { $0.name == "message" }.filter { $0.name == "complete" }
        #expect(missed.compactMap { $0.frame?.value } == [3, 4, 5])
        let foreign = try EventSourceClient(
            port: server.port, path: "/v1/tickers/m/events", headers: ["Last-Event-ID: elsewhere-1"])
        let events = try foreign.collect { $0.name == "message" }
        #expect(events.map(\.name) == ["hello", "reset", "message"])
    }
}
