// Sends of many sockets with one call: each comes to what a send of its own would.

import Glibc
import OperatingSystem
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: SendPath.obstacleToRings(streams: 1) == nil, "io_uring can't be used here"))
struct SendRingTests {
    private func batch(_ pairs: [SocketPair], registered: Bool) -> SendBatch {
        var batch = SendBatch()
        for (slot, pair) in pairs.enumerated() {
            let start = batch.bytes.count
            batch.bytes.append(contentsOf: "frame \(slot)".utf8)
            let range = start..<batch.bytes.count
            batch.append(.init(slot: slot, descriptor: pair.sender, isRegistered: registered, range: range))
        }
        return batch
    }

    @Test(arguments: [false, true])
    func `each socket gets its own bytes, and one that is full or gone holds up no other`(registered: Bool) throws {
        let ring = try SendRing(places: 8)
        let pairs = try (0..<5).map { _ in try SocketPair() }
        if registered {
            for (slot, pair) in pairs.enumerated() { try #require(ring.register(pair.sender, slot: slot)) }
        }
        pairs[1].fill()
        shutdown(pairs[2].sender, Int32(SHUT_RDWR))
        for _ in 0..<3 {
            ring.send(batch(pairs, registered: registered))
            #expect(ring.outcomes == [.sent(7), .full, .failed, .sent(7), .sent(7)])
            for slot in [0, 3, 4] { #expect(pairs[slot].read() == "frame \(slot)") }
        }
    }

    @Test func `a ring that the kernel refuses is a TransportError`() {
        #expect(throws: TransportError.failed(code: EINVAL)) { _ = try SendRing(places: 0) }
    }

    @Test func `a socket beyond the registered slots is sent to by its descriptor`() throws {
        let ring = try SendRing(places: 1)
        let pair = try SocketPair()
        #expect(!ring.register(pair.sender, slot: 1))
        ring.send(batch([pair], registered: false))
        #expect(pair.read() == "frame 0")
    }

    @Test func `a socket closes once it is unregistered and its descriptor released`() throws {
        let ring = try SendRing(places: 1)
        let pair = try SocketPair()
        var sender: SharedDescriptor? = try pair.giveSender()
        try #require(ring.register(sender?.number ?? -1, slot: 0))
        ring.unregister(slot: 0)
        sender = nil
        #expect(pair.hasEnded)
    }

    @Test func `a full batch goes out whole`() throws {
        let ring = try SendRing(places: 16)
        // A socket's buffer has room for some hundred small sends.
        let pairs = try (0..<16).map { _ in try SocketPair() }
        for (slot, pair) in pairs.enumerated() { try #require(ring.register(pair.sender, slot: slot)) }
        var batch = SendBatch()
        while !batch.isFull {
            let slot = batch.pieces.count % pairs.count
            batch.bytes.append(1)
            let range = (batch.bytes.count - 1)..<batch.bytes.count
            batch.append(.init(slot: slot, descriptor: pairs[slot].sender, isRegistered: true, range: range))
        }
        ring.send(batch)
        #expect(ring.outcomes.count == SendRing.capacity)
        #expect(ring.outcomes.allSatisfy { $0 == .sent(1) })
    }
}
