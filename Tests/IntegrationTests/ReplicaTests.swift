// Replicas as processes of their own over a real Redis: one board, whoever is asked.

import Foundation
import TestSupport
import Testing

@Suite struct ReplicaTests {
    private let redis: RedisServer
    private let replicas: [ServerProcess]

    init() throws {
        let redis = try RedisServer(["appendonly yes", "appendfsync always"])
        self.redis = redis
        replicas = try (0..<3).map { _ in try ServerProcess(arguments: ["--store", Self.store(on: redis)]) }
    }

    private static func store(on redis: RedisServer) -> String { "redis://127.0.0.1:\(redis.port)?name=board" }

    private func client(_ number: Int) -> HTTPClient { replicas[number].client }

    @Test func `an update at one replica is sent by all replicas under the same ids`() throws {
        let streams = try replicas.map {
            try EventSourceClient(port: $0.port, path: "/v1/events?ticker=*&notification=*")
        }
        for stream in streams { _ = try stream.next() }
        let update = #"{"label":"Temperature: 13F","to":250,"duration":0.3,"then":[{"notify":"done"}]}"#
        #expect(try client(0).post("/v1/tickers/t", update).status == 202)
        let events = try streams.map { stream in
            try stream.collect { $0.name == "notification" }.filter { $0.id != nil }
        }
        #expect(events[0].map(\.name) == ["complete", "notification"])
        for other in events.dropFirst() {
            #expect(other.map(\.id) == events[0].map(\.id) && other.map(\.data) == events[0].map(\.data))
        }
        try eventually("what was asked") { try client(2).get("/v1/tickers/t").body.contains("Temperature: 250F") }
    }

    @Test func `a reader that moves to another replica misses nothing`() throws {
        let first = try EventSourceClient(port: replicas[0].port, path: "/v1/events?notification=*")
        _ = try first.next()
        func notify(_ number: Int) throws {
            let body = #"{"id":"s\#(number)","in":0,"do":[{"notify":"n","data":\#(number)}]}"#
            #expect(try client(number % 3).post("/v1/schedules", body).status == 201)
        }
        try notify(1)
        let last = try #require(try first.collect { $0.name == "notification" }.last?.id)
        first.close()
        for number in 2...4 { try notify(number) }
        // Wherever it goes, it is told all that came since.
        for replica in replicas {
            let stream = try EventSourceClient(
                port: replica.port, path: "/v1/events?notification=*&lastEventID=\(last)")
            var told = 0
            let events = try stream.collect { event in
                told += event.name == "notification" ? 1 : 0
                return told == 3
            }
            #expect(events.filter { $0.name == "notification" }.count == 3)
            #expect(!events.contains { $0.name == "reset" })
        }
    }

    @Test func `a reader with only its greeting's id misses no event on another replica`() throws {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let first = try EventSourceClient(port: replicas[from].port, path: "/v1/events?notification=*")
            let last = try #require(first.collect { $0.name == "hello" }.last?.id)
            first.close()
            _ = try client(to).post("/v1/notifications/lunch", "\(to)")
            let again = try EventSourceClient(
                port: replicas[to].port, path: "/v1/events?notification=*&lastEventID=\(last)")
            let events = try again.collect { $0.name == "notification" }
            #expect(events.map(\.name) == ["hello", "notification"])
            #expect(events.last?.data.contains(#""data":\#(to)"#) == true)
        }
    }

    @Test func `a ticket of one replica is valid once across replicas, and not stored in Redis`() throws {
        let own = TemporaryFolder()
        try GuardedServer.write(GuardedServer.tokens(), to: own.path + "/tokens.json")
        let guarded = try (0..<2).map { _ in
            try ServerProcess(
                arguments: ["--store", Self.store(on: redis), "--auth", "tokens:\(own.path)/tokens.json"])
        }
        var tickets: [String] = []
        for (maker, spender) in [(0, 1), (1, 0), (0, 0)] {
            let answer = try guarded[maker].client.post(
                "/v1/tickets", #"{"ticker":["shop-*"]}"#, headers: GuardedServer.Visitor.subscriber.headers)
            let ticket = String(try #require(answer.body.split(separator: "\"").dropFirst(3).first))
            tickets.append(ticket)
            let path = "/v1/events?ticker=shop-1&ticket=\(ticket)"
            #expect(try EventSourceClient(port: guarded[spender].port, path: path).status == 200)
            for replica in guarded { #expect(try EventSourceClient(port: replica.port, path: path).status == 401) }
        }
        // Neither a ticket nor a token stands in what the Redis keeps.
        let folder = URL(filePath: redis.socket).deletingLastPathComponent().appending(path: "appendonlydir")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let kept = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
        #expect(kept.contains { $0.range(of: Data("shop-*".utf8)) != nil })
        for secret in [GuardedServer.Visitor.subscriber.token] + tickets {
            #expect(!kept.contains { $0.range(of: Data(secret.utf8)) != nil })
        }
    }

    @Test func `a replica that comes later has the same board`() throws {
        for number in 0..<50 {
            let path = "/v1/tickers/t\(number % 5)"
            #expect(try client(number % 3).post(path, #"{"by":\#(number),"duration":0}"#).status == 202)
        }
        let late = try ServerProcess(arguments: ["--store", Self.store(on: redis)])
        for number in 0..<5 {
            let path = "/v1/tickers/t\(number)"
            try eventually("what was asked") { try late.client.get(path).body == client(number % 3).get(path).body }
        }
    }

    @Test func `while Redis is down frames go on and changes get 503, until it is back`() throws {
        #expect(try client(0).post("/v1/tickers/t", #"{"to":1000,"duration":600,"easing":"linear"}"#).status == 202)
        redis.kill()
        try eventually("what was asked") { try client(1).get("/readyz").status == 503 }
        let refused = try client(1).post("/v1/tickers/t", #"{"to":5}"#)
        #expect(refused.status == 503 && refused.headers["retry-after"] != nil)
        let stream = try EventSourceClient(port: replicas[1].port, path: "/v1/tickers/t/events")
        var frames = 0
        _ = try stream.collect { event in
            frames += event.name == "message" ? 1 : 0
            return frames == 5
        }
        try redis.start()
        for number in 0..<3 { try eventually("what was asked") { try client(number).get("/readyz").status == 200 } }
        #expect(try client(1).post("/v1/tickers/t", #"{"to":5,"duration":0}"#).status == 202)
        try eventually("what was asked") { try client(2).get("/v1/tickers/t").body.contains(#""target":5,"#) }
    }

    @Test func `an idempotency key sent to all replicas executes one request`() throws {
        let answers = try (0..<9).map { number in
            try client(number % 3).post(
                "/v1/tickers/t", #"{"by":1,"duration":0}"#, headers: ["Idempotency-Key: k\(number / 3)"])
        }
        #expect(answers.allSatisfy { $0.status == 202 })
        #expect(try client(0).get("/v1/tickers/t").body.contains(#""target":3,"#))
    }
}
