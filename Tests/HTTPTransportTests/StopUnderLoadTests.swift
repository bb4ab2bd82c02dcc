// Stopping while clients keep coming: what the accepting thread and the workers do to each other at the end.

import HTTPTransport
import OperatingSystem
import TestSupport
import Testing

@Suite struct StopUnderLoadTests {
    @Test func `servers stop one after the other while clients keep connecting`() throws {
        for _ in 0..<40 {
            let server = try TestServer(configure: { $0.workers = 4 }) { _, responder in responder.send(.text(200, "1"))
            }
            let port = server.port
            let isOver = Watched(false)
            let crowd = (0..<3).map { index in
                OwnedThread(name: "crowd-\(index)") {
                    while !isOver.current {
                        _ = try? HTTPClient(port: port).get("/")
                    }
                }
            }
            for thread in crowd { _ = thread.start() }
            for _ in 0..<3 { _ = try server.client.get("/") }
            server.server.stop()
            isOver.update { $0 = true }
            for thread in crowd { thread.join() }
        }
    }
}
