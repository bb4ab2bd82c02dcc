// Streams that begin while others listen take nothing from them.

import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct NewcomerTests {
    @Test func `a listener sees each second of a countdown, however many come meanwhile`() throws {
        // A slow tick, so that newcomers always come between a change and the tick that tells it.
        let server = try ServerProcess(arguments: ["--tick-rate", "4"])
        _ = try server.client.post("/v1/schedules", #"{"id":"s","in":9.7,"do":[{"notify":"n"}]}"#)
        let listener = try EventSourceClient(port: server.port, path: "/v1/schedules/s/events")
        let isOver = Flag()
        let crowd = Thread { [port = server.port] in
            while !isOver.isSet {
                let newcomer = try? EventSourceClient(port: port, path: "/v1/schedules/s/events")
                _ = try? newcomer?.collect { $0.name == "message" }
            }
        }
        crowd.start()
        defer { isOver.set() }
        var seen: [String] = []
        _ = try listener.collect {
            if $0.name == "message", let text = $0.frame?.text { seen.append(text) }
            return seen.count == 3 || $0.name == "fired"
        }
        #expect(seen == ["0:10", "0:09", "0:08"])
    }
}

/// Set by one thread, seen by another.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
