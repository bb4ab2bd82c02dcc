// Streams that begin while others listen take nothing from them.

import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct NewcomerTests {
    @Test func `a subscriber sees each second of a countdown while others join`() throws {
        // A slow tick, so that newcomers always come between a change and the tick that tells it.
        let server = try ServerProcess(arguments: ["--tick-rate", "4"])
        _ = try server.client.post("/v1/schedules", #"{"id":"s","in":59.7,"do":[{"notify":"n"}]}"#)
        let listener = try EventSourceClient(port: server.port, path: "/v1/schedules/s/events?stamp")
        let isOver = Flag()
        let crowd = Thread { [port = server.port] in
            while !isOver.isSet {
                let newcomer = try? EventSourceClient(port: port, path: "/v1/schedules/s/events")
                _ = try? newcomer?.collect { $0.name == "message" }
            }
        }
        crowd.start()
        defer { isOver.set() }
        let seen = try listener.frames(4).filter { $0.name == "message" }.compactMap(\.frame)
        for (frame, next) in zip(seen, seen.dropFirst()) {
            let seconds = try Self.seconds(frame) - Self.seconds(next)
            let passed = Double((next.t ?? 0) - (frame.t ?? 0)) / 1e9
            // A machine so busy that ticks are missed may leave seconds out.
            #expect(seconds == 1 || Double(seconds) <= passed + 0.25, "\(frame) \(next)")
        }
    }

    /// The last two digits of a countdown's text.
    private static func seconds(_ frame: Frame) throws -> Int {
        let text = try #require(frame.text)
        return try #require(Int(text.suffix(2)))
    }
}

/// Set by one thread, seen by another.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
