// Whether the tick thread is alive, told by times alone; and a service whose tick thread is held.

import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import TweencastService

@Suite struct TickWatchTests {
    private let watch = TickWatch(limit: 2)
    private static let second: Int64 = 1_000_000_000

    @Test func `a tick thread asleep without a deadline is not stuck`() {
        #expect(watch.stuck(at: 1_000 * Self.second) == nil)
        watch.sleep(until: nil, at: 0)
        #expect(watch.stuck(at: 1_000 * Self.second) == nil)
    }

    @Test func `a tick thread busy longer than the limit is stuck since it began`() {
        watch.begin(at: 5 * Self.second)
        #expect(watch.stuck(at: 7 * Self.second) == nil)
        #expect(watch.stuck(at: 8 * Self.second) == 3)
        watch.begin(at: 8 * Self.second)
        #expect(watch.stuck(at: 8 * Self.second) == nil)
    }

    @Test func `a tick thread asleep beyond its deadline is stuck`() {
        watch.sleep(until: 10 * Self.second, at: 1)
        #expect(watch.stuck(at: 12 * Self.second) == nil)
        #expect(watch.stuck(at: 13 * Self.second) == 3)
    }

    @Test(arguments: [-1, .min, 0]) func `a sleep until a deadline long past is stuck only after the limit`(
        deadline: Int64
    ) {
        watch.sleep(until: deadline, at: 100 * Self.second)
        #expect(watch.stuck(at: 101 * Self.second) == nil)
        #expect(watch.stuck(at: 103 * Self.second) == 3)
    }

    @Test func `a tick thread that sleeps while a message waits is stuck`() {
        watch.sleep(until: nil, at: 0)
        watch.expect(at: 4 * Self.second)
        watch.expect(at: 6 * Self.second)
        #expect(watch.stuck(at: 7 * Self.second) == 3)
        watch.begin(at: 7 * Self.second)
        watch.sleep(until: nil, at: 7 * Self.second)
        #expect(watch.stuck(at: 100 * Self.second) == nil)
    }

    @Test func `a message that waits while the tick thread works does not make it stuck`() {
        watch.begin(at: 0)
        watch.expect(at: 0)
        for time in 1...10 { watch.begin(at: Int64(time) * Self.second) }
        watch.expect(at: 10 * Self.second)
        #expect(watch.stuck(at: 11 * Self.second) == nil)
    }
}

/// A store that holds up whoever hands it something, as long as a test wants.
private final class HoldingStore: Store {
    private let isHolding = Atomic(false)
    private let logClient = DispatchSemaphore(value: 0)
    private let inner = EphemeralStore()

    func hold() { isHolding.store(true, ordering: .releasing) }

    func release() {
        isHolding.store(false, ordering: .releasing)
        logClient.signal()
    }

    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents { try inner.load(take) }

    func submit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        if isHolding.load(ordering: .acquiring) { logClient.wait() }
        inner.submit(changes, completion: completion)
    }

    func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {
        inner.recover(completion: completion)
    }

    var health: StoreHealth { inner.health }
    func close() { inner.close() }
}

@Suite struct StuckServiceTests {
    @Test func `a service with a blocked tick thread reports stuck, refuses requests, and recovers`() throws {
        let store = HoldingStore()
        var configuration = ServiceConfiguration()
        configuration.port = 0
        configuration.stuckAfter = 0.05
        let service = try Service(configuration, store: .own(store))
        let client = HTTPClient(port: try service.start())
        // With so short a limit a busy machine alone may hold the thread up now and then.
        func waitUntilWell() throws { while try client.get("/healthz").body != #"{"status":"ok"}"# {} }
        try waitUntilWell()
        store.hold()
        let held = try RawConnection(port: client.port)
        try held.send(HTTPClient.request("POST", "/v1/tickers/t", body: #"{"to":1,"duration":0}"#))
        var health = try client.get("/healthz")
        while health.status == 200 { health = try client.get("/healthz") }
        #expect(health.status == 503)
        #expect(health.body.hasPrefix(#"{"status":"stuck","seconds":"#))
        let readiness = try client.get("/readyz")
        #expect(readiness.status == 503)
        #expect(readiness.body == #"{"ready":false,"reason":"the tick thread is stuck"}"#)
        for path in ["/metrics", "/v1/tickers"] {
            let refused = try client.get(path)
            #expect(refused.status == 503 && refused.headers["retry-after"] == "5", "\(path)")
        }
        #expect(try client.post("/v1/tickers/u", #"{"to":1}"#).status == 503)
        // A browser comes back to a stream that ends, never to one that was refused.
        let stream = try client.get("/v1/events?ticker=*")
        #expect(stream.status == 200 && stream.body.contains(#"{"reason":"stuck"}"#))
        store.release()
        #expect(try HTTPClient.answer(from: held).status == 202)
        try waitUntilWell()
        while try client.get("/readyz").status != 200 {}
        var absent = try client.get("/v1/tickers/u")
        while absent.status == 503 { absent = try client.get("/v1/tickers/u") }
        #expect(absent.status == 404)
        service.stop()
    }
}
