// Sends of many sockets with one call: each comes to what a send of its own would.

import Glibc
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: SendPath.obstacleToRings(streams: 1) == nil, "io_uring can't be used here"))
struct SendRingTests {
    /// Two sockets that are each other's ends.
    private final class Pair {
        let sender: Int32
        let reader: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            (sender, reader) = (ends[0], ends[1])
        }

        deinit {
            close(sender)
            close(reader)
        }

        /// What has come, without waiting.
        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = unsafe recv(reader, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        func fill() {
            let bytes = [UInt8](repeating: 0, count: 65_536)
            while StreamSocket.send(sender, bytes, 0..<bytes.count).isSomething {}
        }
    }

    private func batch(_ pairs: [Pair], registered: Bool) -> SendBatch {
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
        let pairs = try (0..<5).map { _ in try Pair() }
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

    @Test func `a ring that can't be had is an error`() {
        #expect(throws: TransportError.failed(code: EINVAL)) { _ = try SendRing(places: 0) }
    }

    @Test func `a slot beyond the table is sent to by its descriptor`() throws {
        let ring = try SendRing(places: 1)
        let pair = try Pair()
        #expect(!ring.register(pair.sender, slot: 1))
        ring.send(batch([pair], registered: false))
        #expect(pair.read() == "frame 0")
    }

    @Test func `a registered socket ends when it has been let go`() throws {
        let ring = try SendRing(places: 1)
        var ends: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        try #require(ring.register(ends[0], slot: 0))
        ring.unregister(slot: 0)
        close(ends[0])
        var byte: UInt8 = 0
        #expect(unsafe recv(ends[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test func `a full batch goes out whole`() throws {
        let ring = try SendRing(places: 16)
        // A socket's buffer has room for some hundred small sends.
        let pairs = try (0..<16).map { _ in try Pair() }
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

extension StreamSocket.Sent {
    fileprivate var isSomething: Bool { if case .sent = self { true } else { false } }
}
