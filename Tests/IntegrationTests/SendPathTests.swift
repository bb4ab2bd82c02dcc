// How streams are sent is what was asked for.

import HTTPTransport
import TestSupport
import Testing

@Suite struct SendPathTests {
    @Test(arguments: SendPath.possible)
    func `the server sends streams by the path that --send names`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t")
        _ = try stream.collect { $0.name == "hello" }
        let hasNone = try server.client.get("/metrics").body.contains("\ntweencast_stream_rings 0\n")
        #expect(hasNone == (path == .epoll))
    }
}
