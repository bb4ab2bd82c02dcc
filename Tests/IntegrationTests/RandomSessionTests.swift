// Anything at any time: whatever clients do, streams that ask for the same are told the same, and what they were told
// last is what there is.

import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@Suite struct RandomSessionTests {
    private static let ids = ["a", "b", "c"]
    private static let named = ids.map { "ticker=\($0)&progress=\($0)" }.joined(separator: "&")
    /// By pattern, by name, and with more in each frame: the same changes of the same resources.
    private static let queries = [
        "ticker=*&progress=*", "\(named)&ticker=end", "\(named)&ticker=end&wheels&display", "\(named)&ticker=end&fps=7",
    ]

    @Test(.tags(.random), arguments: Seeds.seeds([1]), SendPath.possible)
    func `streams of one session agree with each other and with the board`(seed: UInt64, _ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        var random = SeededRandom(seed: seed)
        let listeners = Self.queries.map { Listener(port: server.port, path: "/v1/events?\($0)") }
        for listener in listeners { listener.hasBegun.wait() }
        for _ in 0..<120 {
            let (method, path, body) = Self.request(&random)
            let answer = try server.client.send(method, path, body: body)
            #expect(answer.status < 500, "\(method) \(path) \(body)")
            if random.chance(0.25) { usleep(UInt32(random.int(0...30_000))) }
        }
        try settle(server)
        let told = listeners.map { $0.told() }
        for kind in ["ticker", "progress"] {
            for id in Self.ids {
                let path = kind == "ticker" ? "/v1/tickers/\(id)" : "/v1/progress/\(id)"
                let answer = try server.client.get(path)
                let text = answer.status == 200 ? answer.json["text"] as? String : nil
                for (query, events) in zip(Self.queries, told) {
                    #expect(Self.lastText(of: kind, id, in: events) == text, "\(seed): \(kind) \(id) for \(query)")
                }
                #expect(Self.words(of: kind, id, in: told[0]) == Self.words(of: kind, id, in: told[1]))
            }
        }
    }

    /// Brings everything to rest, so that the last frame of each is out before that of `end`.
    private func settle(_ server: ServerProcess) throws {
        for id in Self.ids {
            for path in ["/v1/tickers/\(id)", "/v1/progress/\(id)"] {
                // What waits in the queue begins when what runs is cancelled.
                while try server.client.post("\(path)/cancel").status == 200,
                    try (server.client.get(path).json["motion"] as? [String: Any])?["state"] as? String != "idle"
                {}
            }
        }
        _ = try server.client.post("/v1/tickers/end", #"{"to":1,"duration":0.5,"ttl":60}"#)
    }

    private static func request(_ random: inout SeededRandom) -> (method: String, path: String, body: String) {
        let isTicker = random.pick([true, true, false])
        let path = "/v1/\(isTicker ? "tickers" : "progress")/\(random.pick(ids))"
        switch random.int(0...9) {
        case 0: return ("DELETE", path, "")
        case 1: return ("PUT", path, random.pick([#"{"decimals":2}"#, #"{"label":"n = 0"}"#, #"{"duration":0.2}"#]))
        case 2, 3:
            let rate = (verb: "rate", body: random.pick([#"{"rate":0}"#, #"{"rate":2}"#, #"{"rate":1}"#]))
            let seek = (verb: "seek", body: #"{"fraction":0.5}"#)
            let others = ["pause", "resume", "resume", "cancel", "finish"].map { (verb: $0, body: "") }
            let chosen = random.pick(others + [rate, seek])
            return ("POST", "\(path)/\(chosen.verb)", chosen.body)
        default:
            let target = random.pick(["0", "1", "100", "12345.678", "-7", #""0.25""#])
            var body =
                #"{"\#(isTicker ? "to" : "current")":\#(target),"duration":\#(random.pick(["0", "0.05", "0.2", "0.5"]))"#
            body += random.pick(["", "", "", #","delay":0.1"#, #","interrupt":"queue""#, #","interrupt":"reject""#])
            body += random.pick([
                "", "", #","easing":"steps(4)""#, #","repeat":2,"autoreverse":true"#, #","milestones":[3,50]"#,
            ])
            body += random.pick(["", "", "", #","then":[{"ticker":"\#(random.pick(ids))","by":1,"duration":0.1}]"#])
            return ("POST", path, body + "}")
        }
    }

    /// Reads a stream on a thread of its own, up to the end of the session: one that lags is sent fewer frames.
    private final class Listener: Sendable {
        let hasBegun = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)
        private let events = Mutex<[ServerSentEvent]>([])

        init(port: UInt16, path: String) {
            Thread.detachNewThread { [self] in
                let stream = try? EventSourceClient(port: port, path: path)
                _ = try? stream?.collect { $0.name == "hello" }
                hasBegun.signal()
                let read = try? stream?.collect { $0.name == "complete" && $0.frame?.ticker == "end" }
                events.withLock { $0 = read ?? [] }
                hasEnded.signal()
            }
        }

        /// What it was told, once it has been told all.
        func told() -> [ServerSentEvent] {
            hasEnded.wait()
            return events.withLock { $0 }
        }
    }

    private static func lastText(of kind: String, _ id: String, in events: [ServerSentEvent]) -> String? {
        var text: String?
        for event in events {
            guard let frame = event.frame, (kind == "ticker" ? frame.ticker : frame.progress) == id else { continue }
            if event.name == "message" { text = frame.text }
            if event.name == "removed" { text = nil }
        }
        return text
    }

    /// What a stream was told of a resource, in order.
    private static func words(of kind: String, _ id: String, in events: [ServerSentEvent]) -> [String] {
        events.compactMap { event in
            guard let frame = event.frame, (kind == "ticker" ? frame.ticker : frame.progress) == id else { return nil }
            return "\(event.name) \(event.data)"
        }
    }
}
