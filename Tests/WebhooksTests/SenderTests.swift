// Calls over real sockets: what a receiver gets, and where no connection is made.

import Machine
import Synchronization
import TestSupport
import Testing

@testable import Webhooks

@Suite struct SenderTests {
    /// Outcomes in the order they came; the sender's thread writes, the test's waits.
    private final class Outcomes: Sendable {
        private let values = Mutex<[(String, WebhookOutcome)]>([])
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

        func add(_ id: String, _ outcome: WebhookOutcome) {
            values.withLock { $0.append((id, outcome)) }
            continuation.yield()
        }

        func next() async -> (id: String, outcome: WebhookOutcome)? {
            for await _ in stream {
                if let value = values.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return value }
            }
            return nil
        }
    }

    private let outcomes = Outcomes()

    private func sender(
        hosts: [String], networks: [String] = [], timeout: Double = 20
    ) throws -> WebhookSender {
        var configuration = WebhookConfiguration()
        configuration.policy = try WebhookPolicy(hosts: hosts, networks: networks)
        configuration.secrets = WebhookSecrets("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        configuration.timeout = timeout
        return WebhookSender(configuration, now: { 1_614_265_330 }, report: { [outcomes] in outcomes.add($0, $1) })
    }

    @Test func `a receiver gets the body, its id and a signature`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["127.0.0.1:\(receiver.port)"])
        defer { sender.stop() }
        let url = "http://127.0.0.1:\(receiver.port)/hook?x=1"
        sender.send(
            WebhookRequest(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", url: url, body: Array(#"{"test": 2432232314}"#.utf8)))
        let request = try receiver.next()
        #expect(request.line == "POST /hook?x=1 HTTP/1.1")
        #expect(request.body == #"{"test": 2432232314}"#)
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["webhook-id"] == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(request.headers["webhook-timestamp"] == "1614265330")
        #expect(request.headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let ended = await outcomes.next()
        #expect(ended?.outcome == .answered(status: 204, retryAfter: nil))
    }

    @Test func `a redirect is reported and not followed`() async throws {
        let receiver = try HTTPReceiver()
        let other = try HTTPReceiver()
        let sender = try sender(hosts: ["127.0.0.1:\(receiver.port)", "127.0.0.1:\(other.port)"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://127.0.0.1:\(receiver.port)/", body: Array("{}".utf8)))
        _ = try receiver.next(answering: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(other.port)/")
        #expect(await outcomes.next()?.outcome == .answered(status: 302, retryAfter: nil))
        #expect(other.isIdle)
    }

    @Test func `a receiver's Retry-After is reported`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["127.0.0.1:\(receiver.port)"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://127.0.0.1:\(receiver.port)/", body: Array("{}".utf8)))
        _ = try receiver.next(answering: "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7")
        #expect(await outcomes.next()?.outcome == .answered(status: 503, retryAfter: 7))
    }

    @Test func `a listed name that leads to a private address is not connected to`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["localhost:\(receiver.port)"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://localhost:\(receiver.port)/", body: Array("{}".utf8)))
        #expect(
            await outcomes.next()?.outcome == .forbidden("the host's address is not public, nor listed with this port"))
        #expect(receiver.isIdle)
    }

    @Test func `an address that is listed with a port is not connected to at another one`() async throws {
        let (receiver, listed) = (try HTTPReceiver(), try HTTPReceiver())
        let sender = try sender(hosts: ["localhost:\(receiver.port)", "127.0.0.1:\(listed.port)"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://localhost:\(receiver.port)/", body: Array("{}".utf8)))
        #expect(
            await outcomes.next()?.outcome == .forbidden("the host's address is not public, nor listed with this port"))
        #expect(receiver.isIdle && listed.isIdle)
    }

    @Test func `a listed name that resolves into a listed network is called`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["localhost:\(receiver.port)"], networks: ["127.0.0.0/8"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://localhost:\(receiver.port)/", body: Array("{}".utf8)))
        _ = try receiver.next()
        #expect(await outcomes.next()?.outcome == .answered(status: 204, retryAfter: nil))
    }

    @Test func `an unlisted host is not called`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["hooks.example"])
        defer { sender.stop() }
        sender.send(WebhookRequest(id: "a", url: "http://127.0.0.1:\(receiver.port)/", body: Array("{}".utf8)))
        let ended = await outcomes.next()
        #expect(ended?.outcome == .forbidden("the host 127.0.0.1, port \(receiver.port), is not allowed"))
        #expect(receiver.isIdle)
    }

    @Test func `a silent or missing receiver fails after the timeout`() async throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["127.0.0.1:\(receiver.port)", "127.0.0.1:1"], timeout: 0.05)
        defer { sender.stop() }
        for port in [receiver.port, 1] {
            sender.send(WebhookRequest(id: "a", url: "http://127.0.0.1:\(port)/", body: Array("{}".utf8)))
            guard case .failed = await outcomes.next()?.outcome else {
                Issue.record("port \(port) answered")
                continue
            }
        }
    }

    @Test func `stopping the sender aborts a call under way`() throws {
        let receiver = try HTTPReceiver()
        let sender = try sender(hosts: ["127.0.0.1:\(receiver.port)"])
        sender.send(WebhookRequest(id: "a", url: "http://127.0.0.1:\(receiver.port)/", body: Array("{}".utf8)))
        sender.stop()
    }
}
