// Load, SIGKILL at a random instant, restart, audit: again and again on one data folder.

import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@Suite struct TortureTests {
    /// Rounds of load and SIGKILL, shared among the ways in which streams are sent; more with TWEENCAST_TORTURE_ROUNDS.
    private static let rounds =
        ProcessInfo.processInfo.environment["TWEENCAST_TORTURE_ROUNDS"].flatMap { Int($0) } ?? 15
    private static let clients = 4

    private let folder = TemporaryFolder()

    /// What clients asked for, each request under a key of its own so that a retry counts once.
    private final class CommitCoordinator: Sendable {
        struct Entry {
            var path: String
            var body: String
            var key: String
        }

        struct Books {
            /// Sent and not answered: to be sent again.
            var open: [Entry] = []
            /// How often each ticker was incremented for certain.
            var increments: [String: Int] = [:]
            /// Schedules that were accepted; each increments a ticker of its own name.
            var schedules: Set<String> = []
            var number = 0
            var random: SeededRandom
        }

        private let books: Mutex<Books>

        init(seed: UInt64) { books = Mutex(Books(random: SeededRandom(seed: seed))) }

        var present: Books { books.withLock { $0 } }

        /// Sends one request and books its answer; a server that has died leaves it open.
        func send(_ entry: Entry, to client: HTTPClient) -> Bool {
            let answer = try? client.post(entry.path, entry.body, headers: ["Idempotency-Key: \(entry.key)"])
            let isAccepted = answer.map { (200..<300).contains($0.status) } ?? false
            books.withLock { books in
                guard isAccepted else { return books.open.append(entry) }
                if entry.path == "/v1/schedules" {
                    books.schedules.insert(entry.key)
                } else {
                    books.increments[entry.path, default: 0] += 1
                }
            }
            return isAccepted
        }

        /// Sends what was left open once more.
        /// - Returns: Whether all of it was accepted.
        func sendOpen(to client: HTTPClient) -> Bool {
            let open = books.withLock { books in
                defer { books.open = [] }
                return books.open
            }
            return open.allSatisfy { send($0, to: client) }
        }

        func next() -> Entry {
            let (number, ticker, seconds) = books.withLock { books in
                books.number += 1
                return (books.number, books.random.int(0...4), books.random.double(0...0.4))
            }
            guard number % 7 == 0 else {
                return Entry(path: "/v1/tickers/t\(ticker)", body: #"{"by":1,"duration":0.2}"#, key: "k\(number)")
            }
            let action = #"{"ticker":"k\#(number)","by":1,"duration":0}"#
            return Entry(
                path: "/v1/schedules", body: #"{"id":"k\#(number)","in":\#(seconds),"do":[\#(action)]}"#,
                key: "k\(number)")
        }
    }

    /// A stream of all tickers, read until its server dies. Tickers are incremented only.
    private final class Listener: Sendable {
        private struct Heard {
            var frames = 0
            var falls = 0
        }

        private let heard = Mutex(Heard())

        var frames: Int { heard.withLock { $0.frames } }
        /// Frames that show less than the one before.
        var falls: Int { heard.withLock { $0.falls } }

        func listen(on port: UInt16) {
            guard let stream = try? EventSourceClient(port: port, path: "/v1/events?ticker=*") else { return }
            var values: [String: Double] = [:]
            while let event = try? stream.next() {
                guard event.name == "message", let frame = event.frame, let ticker = frame.ticker,
                    let value = frame.value
                else { continue }
                heard.withLock { heard in
                    heard.frames += 1
                    heard.falls += value < values[ticker] ?? 0 ? 1 : 0
                }
                values[ticker] = value
            }
        }
    }

    @Test(.timeLimit(.minutes(20)), .tags(.random), arguments: Seeds.seeds([1]), SendPath.possible)
    func `under SIGKILL every acknowledged increment counts once and every schedule fires once`(
        seed: UInt64, _ path: SendPath
    ) throws {
        var random = SeededRandom(seed: seed)
        let ledger = CommitCoordinator(seed: random.next())
        let listener = Listener()
        let rounds = max(1, Self.rounds / SendPath.possible.count)
        for _ in 0..<rounds {
            let server = try ServerProcess(folder: folder.path, arguments: path.flags)
            #expect(ledger.sendOpen(to: server.client))
            let client = server.client
            let crowd = DispatchGroup()
            crowd.enter()
            Thread.detachNewThread {
                listener.listen(on: client.port)
                crowd.leave()
            }
            for _ in 0..<Self.clients {
                DispatchQueue.global().async(group: crowd) {
                    while ledger.send(ledger.next(), to: client) {}
                }
            }
            usleep(UInt32(random.int(5_000...250_000)))
            server.kill()
            crowd.wait()
        }
        #expect(listener.frames > rounds)
        #expect(listener.falls == 0)
        try audit(ledger, rounds: rounds, path)
    }

    private func audit(_ ledger: CommitCoordinator, rounds: Int, _ path: SendPath) throws {
        let server = try ServerProcess(folder: folder.path, arguments: path.flags)
        #expect(ledger.sendOpen(to: server.client))
        let final = ledger.present
        #expect(final.increments.values.reduce(0, +) > rounds)
        #expect(final.schedules.count > rounds / 2)
        for (path, count) in final.increments {
            #expect(try server.client.get(path).json["target"] as? Int == count, "\(path)")
        }
        #expect(try told(final.increments, by: server))
        let deadline = Date().addingTimeInterval(60)
        while try server.client.get("/v1/schedules").json["pending"] as? Int != 0, Date() < deadline { usleep(20_000) }
        for id in final.schedules {
            #expect(try server.client.get("/v1/tickers/\(id)").json["target"] as? Int == 1, "\(id)")
        }
        #expect(server.terminate() == 0)
        #expect(try integrity() == "ok")
    }

    /// Whether a stream comes to show these values, by their tickers' paths.
    private func told(_ values: [String: Int], by server: ServerProcess) throws -> Bool {
        let expected = values.mapValues { "\($0)" }
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t*")
        var told: [String: String] = [:]
        _ = try stream.collect { event in
            if event.name == "message", let frame = event.frame, let ticker = frame.ticker {
                told["/v1/tickers/\(ticker)"] = frame.text
            }
            return told == expected
        }
        return told == expected
    }

    /// What SQLite itself says of the file, asked from outside.
    private func integrity() throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])",
            folder.path + "/tweencast.sqlite",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
