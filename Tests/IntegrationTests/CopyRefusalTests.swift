// What can't be copied: said by the name of the flag, and the place to copy to is left as it was.

import Foundation
import TestSupport
import Testing

@Suite struct CopyRefusalTests {
    private let folder = TemporaryFolder()
    private let redis: RedisServer

    init() throws { redis = try RedisServer() }

    private func store(_ name: String) -> String { "sqlite:\(folder.path)/\(name)" }
    private func log(_ name: String) -> String { "redis://127.0.0.1:\(redis.port)?name=\(name)" }

    /// What stands in the way.
    enum Obstacle: CaseIterable {
        case servedFolder, servedLog, noFolder, noLog, takenFolder, takenLog, wrongPassword, redisAway, unwritable
    }

    /// A board with some tickers that nobody serves any more.
    private func fill(_ place: String, tickers: Int = 1) throws {
        let server = try ServerProcess(arguments: ["--store", place])
        let lines = (0..<tickers).map { #"{"ticker":"t\#($0)","label":"\#(UUID()) 0","to":\#($0),"duration":0}"# }
        let answer = try server.client.post("/v1/batch", lines.joined(separator: "\n"))
        #expect(answer.status == 200, "\(answer.body.prefix(200))")
        #expect(server.terminate() == 0)
    }

    /// What a Redis has of the board that is to come.
    private func keys() throws -> [Substring] { try redis.ask("KEYS", "{to}:*").split(separator: "\n").sorted() }

    @Test(arguments: Obstacle.allCases)
    func `a copy that can't be made says why and creates nothing`(obstacle: Obstacle) throws {
        var (source, target) = (store("from"), store("to"))
        var servers: [ServerProcess] = []
        let expected: String
        switch obstacle {
        case .servedFolder:
            servers.append(try ServerProcess(arguments: ["--store", source]))
            expected = "--from: a server uses \(folder.path)/from/tweencast.sqlite; stop it first"
        case .servedLog:
            source = log("from")
            servers.append(try ServerProcess(arguments: ["--store", source]))
            expected = "--from: replicas of the board run; stop them first"
        case .noFolder: expected = "--from: there is no board in \(folder.path)/from"
        case .noLog:
            source = log("from")
            expected = "--from: there is no board at redis://127.0.0.1:\(redis.port)/0?name=from"
        case .takenFolder:
            try fill(source)
            target = source
            expected = "--to: there is a board in \(folder.path)/from already"
        case .takenLog:
            for place in [source, log("to")] { try fill(place) }
            target = log("to")
            expected = "--to: there is a board to already"
        case .wrongPassword:
            source = "redis://user:secret@127.0.0.1:\(redis.port)?name=from"
            expected = "look at the user and the password"
        case .redisAway:
            try fill(source)
            target = "redis://127.0.0.1:1?name=to"
            expected = "--to: 127.0.0.1:1: Connection refused"
        case .unwritable:
            try fill(source)
            target = store("no/such/folder")
            expected = "--to: the folder \(folder.path)/no/such/folder can't be made"
        }
        let before = (try keys(), try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted())
        let (code, errors) = try ServerProcess.run(["copy", "--from", source, "--to", target])
        #expect(code == 1 && errors.contains(expected) && errors.contains("nothing was copied"), "\(errors)")
        #expect(!errors.contains("secret"))
        #expect(try keys() == before.0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before.1)
    }

    @Test func `copying onto an existing board is refused`() throws {
        for name in ["from", "to"] { try fill(store(name)) }
        let (code, errors) = try ServerProcess.run(["copy", "--from", store("from"), "--to", store("to")])
        #expect(code == 1 && errors.contains("--to: there is a board in \(folder.path)/to already"), "\(errors)")
    }

    @Test func `a Redis that fills up midway keeps nothing of the board`() throws {
        try fill(store("from"), tickers: 5_000)
        let used = try redis.ask("INFO", "memory").matches(of: /used_memory:(\d+)/).first?.output.1
        let limit = try #require(used.flatMap { Int($0) }) + 700_000
        #expect(try redis.ask("CONFIG", "SET", "maxmemory", "\(limit)") == "OK")
        let words = ["copy", "--from", store("from"), "--to", log("to")]
        let (code, errors) = try ServerProcess.run(words)
        #expect(code == 1 && errors.contains("--to: ") && errors.contains("OOM"), "\(errors)")
        #expect(try keys() == [])
        #expect(try redis.ask("CONFIG", "SET", "maxmemory", "0") == "OK")
        #expect(try ServerProcess.output(words).output.contains("tickers 5000"))
        // All of it lasts.
        #expect(try keys().allSatisfy { try redis.ask("TTL", String($0)) == "-1" })
    }

    @Test func `a copy to a full disk leaves no board, and its remains don't block the next copy`() throws {
        try fill(store("from"), tickers: 5_000)
        let words = ["copy", "--from", store("from"), "--to", store("to")]
        // A limit of the system for files stands for the disk: what is written beyond it fails.
        let (code, errors) = try ServerProcess.run(words, after: "trap '' XFSZ; ulimit -f 400")
        #expect(code == 1 && errors.contains("nothing was copied: --to: "), "\(errors)")
        let target = folder.path + "/to"
        #expect(!FileManager.default.fileExists(atPath: target))
        // Nor is what a copy left that was ended at once an obstacle to the next.
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        for end in ["", "-wal"] {
            try "half".write(toFile: "\(target)/tweencast.sqlite.partial\(end)", atomically: false, encoding: .utf8)
        }
        #expect(try ServerProcess.output(words).output.contains("tickers 5000"))
        let files = try FileManager.default.contentsOfDirectory(atPath: target)
        #expect(files.sorted() == ["tweencast.sqlite", "tweencast.sqlite.lock"])
        let server = try ServerProcess(arguments: ["--store", store("to")])
        #expect(try server.client.get("/v1/tickers/t4999").json["value"] as? Int == 4_999)
    }
}
