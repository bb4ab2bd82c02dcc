// Many clients, many motions, clients that stall and clients that vanish: nothing that must arrive is lost, and nothing
// stays behind.

import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@Suite struct CrowdTests {
    /// The full size with TWEENCAST_CROWD=full, which wants a release build.
    private static let isFull = ProcessInfo.processInfo.environment["TWEENCAST_CROWD"] == "full"
    private static let motions = isFull ? 1_000 : 200
    private static let clients = isFull ? 200 : 40

    /// The values last seen, by ticker, and whether one was seen to fall.
    private struct Seen {
        var values: [Substring: Double] = [:]
        var fell = 0

        mutating func read(_ text: Substring) {
            for line in text.split(separator: "\n") where line.hasPrefix("data: {\"ticker\":\"m") {
                // data: {"ticker":"m7","value":12.5,"text":"13"}
                let parts = line.split(separator: "\"", maxSplits: 6)
                guard parts.count == 7, parts[5] == "value" else { continue }
                let id = parts[3]
                guard let value = Double(parts[6].dropFirst().prefix { $0 != "," && $0 != "}" }) else { continue }
                if value < values[id] ?? -1 { fell += 1 }
                values[id] = value
            }
        }
    }

    @Test(.tags(.random), arguments: Seeds.seeds([1]), SendPath.possible)
    func `every client has the last value of every motion, however it stalls`(seed: UInt64, _ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let ids = (0..<Self.motions).map { "m\($0)" }
        let start = ids.map { #"{"ticker":"\#($0)","label":"0","to":0,"duration":0}"# }.joined(separator: "\n")
        _ = try server.client.post("/v1/batch", start)
        let port = server.port
        let complete = Atomic<Int>(0)
        let fallen = Atomic<Int>(0)
        let readers = DispatchGroup()
        let ready = DispatchSemaphore(value: 0)
        for number in 0..<Self.clients {
            // A thread each: what stalls must not hold up the others.
            Thread.detachNewThread {
                var random = SeededRandom(seed: seed &+ UInt64(number))
                readers.enter()
                defer { readers.leave() }
                ready.signal()
                guard let client = try? RawConnection(port: port),
                    (try? client.send(HTTPClient.request("GET", "/v1/events?ticker=m*"))) != nil,
                    (try? client.readStreamHead()) != nil
                else { return }
                var seen = Seen()
                while let event = try? client.read(through: "\n\n") {
                    seen.read(event[...])
                    if random.chance(1 / 2_000) { usleep(UInt32(random.int(10_000...200_000))) }
                    guard seen.values.count == Self.motions, seen.values.values.allSatisfy({ $0 == 1_000 }) else {
                        continue
                    }
                    complete.wrappingAdd(1, ordering: .relaxed)
                    break
                }
                fallen.wrappingAdd(seen.fell, ordering: .relaxed)
            }
        }
        for _ in 0..<Self.clients { ready.wait() }
        let streams = Date()
        while try server.client.get("/v1/clients?limit=1").json["count"] as? Int != Self.clients {
            guard Date().timeIntervalSince(streams) < 60 else { break }
            usleep(10_000)
        }
        let moves = ids.map { #"{"ticker":"\#($0)","to":1000,"duration":0.5}"# }.joined(separator: "\n")
        _ = try server.client.post("/v1/batch", moves)
        #expect(readers.wait(timeout: .now() + 60) == .success)
        #expect(complete.load(ordering: .relaxed) == Self.clients)
        #expect(fallen.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: SendPath.possible)
    func `clients that vanish leave no descriptors or streams behind`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        // The threads of streams open what they need as they start, which on a busy machine may come later.
        let first = try RawConnection(port: server.port)
        try first.send(HTTPClient.request("GET", "/v1/tickers/t/events"))
        _ = try first.read(through: "event: hello")
        let base = try descriptors(of: server)
        first.shut()
        for _ in 0..<(Self.isFull ? 20 : 2) {
            let crowd = try (0..<500).map { _ in try RawConnection(port: server.port) }
            for (index, client) in crowd.enumerated() {
                // Some leave before they have asked, some in the middle, some as listeners.
                switch index % 4 {
                case 0: break
                case 1: try client.send("GET /v1/tickers/t HTT")
                default: try client.send(HTTPClient.request("GET", "/v1/tickers/t/events"))
                }
                if index % 4 == 3 { _ = try client.read(through: "event: hello") }
            }
            for client in crowd { client.shut() }
        }
        // Nothing moves and nothing is sent: that they are gone must be seen by itself.
        let end = Date().addingTimeInterval(60)
        while try descriptors(of: server) > base, Date() < end { usleep(20_000) }
        #expect(try descriptors(of: server) <= base)
        #expect(try server.client.get("/v1/clients").json["count"] as? Int == 0)
    }

    private func descriptors(of server: ServerProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processIdentifier)/fd").count
    }
}
