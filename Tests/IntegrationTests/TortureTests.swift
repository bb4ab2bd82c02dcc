// Load, SIGKILL at a random instant, restart, audit: again and again on one data folder.

import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct TortureTests {
    /// Rounds of load and SIGKILL; more with TWEENCAST_TORTURE_ROUNDS.
    private static let rounds =
        ProcessInfo.processInfo.environment["TWEENCAST_TORTURE_ROUNDS"].flatMap { Int($0) } ?? 15
    private static let clients = 4

    private let folder = TemporaryFolder()

    /// What clients asked for, each request under a key of its own so that a retry counts once.
    private final class Ledger: Sendable {
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
        }

        private let books = Mutex(Books())

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
            let number = books.withLock { books in
                books.number += 1
                return books.number
            }
            guard number % 7 == 0 else {
                return Entry(
                    path: "/v1/tickers/t\(Int.random(in: 0..<5))", body: #"{"by":1,"duration":0.2}"#, key: "k\(number)")
            }
            let seconds = Double.random(in: 0...0.4)
            let action = #"{"ticker":"k\#(number)","by":1,"duration":0}"#
            return Entry(
                path: "/v1/schedules", body: #"{"id":"k\#(number)","in":\#(seconds),"do":[\#(action)]}"#,
                key: "k\(number)")
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `every acknowledged increment counts once and every schedule fires once`() throws {
        let ledger = Ledger()
        for _ in 0..<Self.rounds {
            let server = try ServerProcess(folder: folder.path)
            #expect(ledger.sendOpen(to: server.client))
            let client = server.client
            let crowd = DispatchGroup()
            for _ in 0..<Self.clients {
                DispatchQueue.global().async(group: crowd) {
                    while ledger.send(ledger.next(), to: client) {}
                }
            }
            usleep(UInt32.random(in: 5_000...250_000))
            server.kill()
            crowd.wait()
        }
        try audit(ledger)
    }

    private func audit(_ ledger: Ledger) throws {
        let server = try ServerProcess(folder: folder.path)
        #expect(ledger.sendOpen(to: server.client))
        let final = ledger.present
        #expect(final.increments.values.reduce(0, +) > Self.rounds)
        #expect(final.schedules.count > Self.rounds / 2)
        for (path, count) in final.increments {
            #expect(try server.client.get(path).json["target"] as? Int == count, "\(path)")
        }
        let deadline = Date().addingTimeInterval(60)
        while try server.client.get("/v1/schedules").json["pending"] as? Int != 0, Date() < deadline { usleep(20_000) }
        for id in final.schedules {
            #expect(try server.client.get("/v1/tickers/\(id)").json["target"] as? Int == 1, "\(id)")
        }
        #expect(server.terminate() == 0)
        #expect(try integrity() == "ok")
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
