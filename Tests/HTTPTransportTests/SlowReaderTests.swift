// Clients that read slowly, later, or never, beside clients that keep up.

import CLinux
import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite struct SlowReaderTests {
    /// The most that the server may hold for a client, in the kernel and here.
    private static let bound = 64 * 1_024

    /// Ticks until the newest frame can't reach the client any more, and then some.
    private func stall(_ server: StreamServer) {
        #expect(
            eventually {
                server.broadcast.tick()
                return server.broadcast.lags.current.contains(true)
            })
        for _ in 0..<1_000 { server.broadcast.tick() }
    }

    @Test(arguments: Carrier.allCases)
    func `a reader that resumes gets only the newest frame after buffered ones, in order`(_ carrier: Carrier)
        throws
    {
        let server = try StreamServer(carrier, frameSize: 1_024)
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        stall(server)
        let newest = server.broadcast.version
        var last = 0
        var count = 0
        while last < newest {
            let number = try #require(try client.nextFrame())
            #expect(number > last)
            last = number
            count += 1
        }
        #expect(last == newest)
        // What the client's own kernel held, and at most one frame here and one in ours.
        var size: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(client.descriptor, SOL_SOCKET, SO_RCVBUF, &size, &length)
        #expect(count * 1_024 <= Int(size) + Self.bound)
        server.broadcast.tick()
        #expect(try client.nextFrame() == newest + 1)
    }

    @Test(arguments: Carrier.allCases)
    func `for a client that never reads, the server buffers at most 64 KiB`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024) { $0.stallTimeout = 600 }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        stall(server)
        let held = try #require(try SocketQueues.unacknowledged(from: server.port, to: [client]))
        #expect(held > 0 && held <= Self.bound)
    }

    @Test(arguments: Carrier.allCases)
    func `a client that never reads is cut off at the stall timeout and counted`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024) { $0.stallTimeout = 1 }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        stall(server)
        #expect(eventually { server.broadcast.closings.current == [.stalled] })
        #expect(server.loops.counters.stalled == 1)
        #expect(server.loops.counters.open == 0)
        client.shut()
    }

    @Test(arguments: Carrier.allCases)
    func `a reader that resumes gets every event in order, though frames were skipped`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024)
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        stall(server)
        let events = (0..<500).map { "event: \($0)\n\n" }
        for event in events {
            server.broadcast.event(Array(event.utf8))
            server.broadcast.tick()
        }
        server.broadcast.end()
        let received = try client.readToEnd().split(separator: "\n").filter { $0.hasPrefix("event: ") }
        #expect(received.map { $0 + "\n\n" } == events)
        #expect(eventually { server.broadcast.closings.current == [.ended] })
    }

    @Test func `a TLS key update while a record is half sent repeats no bytes`() throws {
        let server = try StreamServer(.tls)
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        let event = (0..<100_000).map { ": \($0)\n" }.joined()
        server.broadcast.event(Array(event.utf8))
        #expect(
            eventually {
                server.broadcast.tick()
                return server.broadcast.lags.current == [true]
            })
        try client.renewKeys()
        // Until the loop has waited for its sockets once more.
        let turns = server.broadcast.turnCount
        #expect(
            eventually {
                server.broadcast.tick()
                return server.broadcast.turnCount > turns + 9
            })
        server.broadcast.end()
        #expect(try client.readToEnd().hasPrefix(event))
        #expect(eventually { server.broadcast.closings.current == [.ended] })
    }

    @Test(arguments: Carrier.allCases)
    func `a stream that ends while its client doesn't read is cut off at the stall timeout`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier) { $0.stallTimeout = 1 }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        server.broadcast.event(Array(repeating: 0, count: 1_000_000))
        server.broadcast.end()
        #expect(eventually { server.broadcast.closings.current == [.stalled] })
        client.shut()
    }

    @Test(arguments: Carrier.allCases)
    func `a client that reads below the lowest rate is cut off and counted as stalled`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024) {
            $0.stallTimeout = 1
            $0.lowestRate = .max
        }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        #expect(
            eventually {
                server.broadcast.tick()
                _ = try? client.read(count: 16)
                return !server.broadcast.closings.current.isEmpty
            })
        #expect(server.broadcast.closings.current == [.stalled])
        #expect(server.loops.counters.stalled == 1)
    }

    @Test(arguments: Carrier.allCases)
    func `a client that reads all it is sent is never below the lowest rate`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier) {
            $0.stallTimeout = 0.5
            $0.lowestRate = .max
        }
        let client = try server.subscribe()
        // Of another that reads nothing the end shows that stalls were looked for.
        let stuck = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(2)
        var version = 0
        #expect(
            eventually {
                server.broadcast.event(Array(repeating: UInt8(ascii: "."), count: 1_000))
                server.broadcast.tick()
                version += 1
                while let frame = try? client.nextFrame(), frame < version {}
                return !server.broadcast.closings.current.isEmpty
            })
        #expect(server.broadcast.closings.current == [.stalled])
        #expect(server.loops.counters.open == 1)
        stuck.shut()
    }

    @Test(arguments: Carrier.allCases)
    func `a stream's last bytes have the stall timeout, however slowly its client reads`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier) {
            $0.stallTimeout = 1
            $0.lowestRate = 0
        }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        server.broadcast.event(Array(repeating: 0, count: 20_000_000))
        server.broadcast.end()
        #expect(
            eventually {
                _ = try? client.read(count: 512)
                return server.broadcast.closings.current == [.stalled]
            })
    }

    @Test(arguments: Carrier.allCases)
    func `a stream's lag is reported when it begins and when it ends`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024) { $0.lagMemory = 0.1 }
        let client = try server.subscribe(receiveBuffer: 4_096)
        server.waitForOpen(1)
        stall(server)
        #expect(server.broadcast.lags.current == [true])
        var newest = 0
        #expect(
            eventually {
                server.broadcast.tick()
                let version = server.broadcast.version
                while newest < version { newest = (try? client.nextFrame()) ?? .max }
                return server.broadcast.lags.current == [true, false]
            })
        #expect(newest != .max)
    }

    @Test(arguments: Carrier.allCases)
    func `frames larger than the send buffer don't make a steady reader lag`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 300_000) { $0.lagMemory = 0.1 }
        let client = try server.subscribe()
        server.waitForOpen(1)
        stall(server)
        var newest = 0
        #expect(
            eventually {
                server.broadcast.tick()
                let version = server.broadcast.version
                while newest < version { newest = (try? client.nextFrame()) ?? .max }
                return server.broadcast.lags.current.last == false
            })
        #expect(newest != .max)
    }

    @Test(.tags(.slow), arguments: Carrier.allCases)
    func `two hundred clients that never read don't delay those who do`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, frameSize: 1_024) { $0.stallTimeout = 600 }
        let stuck = try (0..<200).map { _ in try server.subscribe(receiveBuffer: 4_096) }
        let readers = try (0..<5).map { _ in try server.subscribe() }
        server.waitForOpen(205)
        for version in 1...200 {
            server.broadcast.tick()
            for reader in readers { #expect(try reader.nextFrame() == version) }
        }
        let held = try #require(try SocketQueues.unacknowledged(from: server.port, to: stuck))
        #expect(held <= 200 * Self.bound)
        #expect(server.loops.counters.open == 205)
    }
}

/// What sockets of this process hold.
enum SocketQueues {
    /// Bytes that the kernel holds for clients together, on the server's side; nil unless each of them has a socket there.
    ///
    /// Each socket is asked itself: a table such as /proc/net/tcp leaves out some that stay, while others come and go.
    static func unacknowledged(from port: UInt16, to clients: [RawConnection]) throws -> Int? {
        let remotes = Set(clients.map { Self.port(of: $0.descriptor) })
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        let served = descriptors.filter {
            Self.port(of: $0) == port && remotes.contains(Self.port(of: $0, atPeer: true))
        }
        guard served.count == clients.count else { return nil }
        return served.reduce(0) { $0 + Int(tweencast_outstanding($1)) }
    }

    /// The port of a socket, or of its peer; 0 for what has none.
    private static func port(of descriptor: Int32, atPeer: Bool = false) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                atPeer ? unsafe getpeername(descriptor, $0, &size) : unsafe getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
