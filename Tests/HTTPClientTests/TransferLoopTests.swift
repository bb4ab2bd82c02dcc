// Transfers over real sockets: what a receiver is told, pauses, and ends.

import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

@Suite struct TransferLoopTests {
    /// Notes what comes; the loop's thread writes, the test's waits.
    private final class Recorder: TransferReceiver {
        let request: TransferRequest?
        private let rejections: Mutex<Int>
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

        /// - Parameter rejections: How often it has no room at first.
        init(_ request: TransferRequest?, rejections: Int = 0) {
            self.request = request
            self.rejections = Mutex(rejections)
        }

        func receive(_ bytes: [UInt8], _ head: TransferEnd.Head) -> Bool {
            let isRejected = rejections.withLock { count in
                count -= 1
                return count >= 0
            }
            continuation.yield(isRejected ? "full" : "\(head.status) \(String(decoding: bytes, as: UTF8.self))")
            return !isRejected
        }

        func finish(_ end: TransferEnd) {
            continuation.yield("\(end)")
            continuation.finish()
        }

        func next() async -> String? { await stream.first { _ in true } }
    }

    private let loop = TransferLoop(named: "transfers", keeping: 1)

    private static func request(_ port: UInt16, body: [UInt8]? = nil) -> TransferRequest {
        TransferRequest(
            url: "http://127.0.0.1:\(port)/a", body: body, headers: ["Expect:"], bound: .whole(.seconds(3_600)))
    }

    private static let answer = "HTTP/1.1 200 OK\r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\nabc"
    private static let end = "\(TransferEnd.complete(TransferEnd.Head(status: 200, retryAfter: 7)))"

    @Test func `a transfer delivers its status and body, then its end`() async throws {
        let server = try HTTPReceiver()
        let receiver = Recorder(Self.request(server.port, body: Array("hello".utf8)))
        loop.begin(receiver)
        let asked = try server.next(answering: Self.answer)
        #expect(asked.line == "POST /a HTTP/1.1" && asked.body == "hello")
        #expect(await receiver.next() == "200 abc")
        #expect(await receiver.next() == Self.end)
        loop.stop()
    }

    @Test func `a transfer without room pauses until it is resumed`() async throws {
        let server = try HTTPReceiver()
        let receiver = Recorder(Self.request(server.port), rejections: 1)
        loop.begin(receiver)
        #expect(try server.next(answering: Self.answer).line == "GET /a HTTP/1.1")
        #expect(await receiver.next() == "full")
        loop.resume(receiver)
        #expect(await receiver.next() == "200 abc")
        #expect(await receiver.next() == Self.end)
        loop.stop()
    }

    @Test func `an address that is not admitted is never connected to, also by a restarted loop`() async throws {
        let server = try HTTPReceiver()
        var request = Self.request(server.port)
        request.admits = { [port = server.port] in $0 == [127, 0, 0, 1] && $1 != port }
        for _ in 0..<2 {
            let receiver = Recorder(request)
            loop.begin(receiver)
            #expect(await receiver.next()?.hasPrefix("failed") == true)
        }
        #expect(server.isIdle)
        loop.stop()
    }

    @Test func `after an abort or a stop a receiver gets nothing more, and a later transfer fails`() async throws {
        let server = try HTTPReceiver()
        let receivers = [Recorder(Self.request(server.port)), Recorder(nil), Recorder(Self.request(server.port))]
        for receiver in receivers { loop.begin(receiver) }
        loop.abort(receivers[0])
        loop.stop()
        let late = Recorder(Self.request(server.port))
        loop.begin(late)
        #expect(await late.next()?.hasPrefix("failed") == true)
        for receiver in receivers {
            receiver.finish(.cancelled)
            #expect(await receiver.next() == "cancelled")
        }
    }
}
