// The log on a real server: entries in one order for all, and none of a session that is over.

import Base
import Board
import Machine
import OperatingSystem
import Replication
import Synchronization
import TestSupport
import Testing
import Tween
import Wire

@testable import ReplicationRedis

@Suite struct RedisLogTests {
    private let server: RedisServer
    private let address: RedisAddress

    init() throws {
        server = try RedisServer(["appendonly yes", "appendfsync always"])
        address = try RedisAddress("redis://127.0.0.1:\(server.port)?name=board")
    }

    private func open(
        _ name: String, period: Int64 = 16_666_666, snapshotEntries: UInt64 = SnapshotPlan.usualEntries,
        at place: RedisAddress? = nil
    ) throws -> (log: any SharedLog, board: LoadedBoard, news: News) {
        let news = News()
        let needs = needs(name, period: period, news)
        let (log, board) = try RedisLogOpener(
            place ?? address, snapshotEntries: snapshotEntries, patience: LogMachines.patience
        ).open(needs)
        return (log, board, news)
    }

    private func needs(_ name: String, period: Int64 = 16_666_666, _ news: News) -> LogContext {
        LogMachines.needs(name, period: period, news)
    }

    private func draft(_ number: UInt64, due: Instant? = nil) throws -> DraftEntry {
        try LogMachines.draft(number, due: due)
    }

    @Test func `entries of two replicas come to both in one order, at instants that rise`() throws {
        let (one, other) = (try open("a"), try open("b"))
        defer {
            one.log.close()
            other.log.close()
        }
        #expect(one.board.machine.epoch == "e-a" && other.board.machine.epoch == "e-a")
        for number in 1...100 {
            one.log.append([try draft(UInt64(number))], session: 0)
            other.log.append([try draft(UInt64(1_000 + number)), try draft(UInt64(2_000 + number))], session: 0)
        }
        let (here, there) = (try one.news.entries(300), try other.news.entries(300))
        #expect(here.map(\.position) == there.map(\.position))
        #expect(here.map(\.position.sequence) == Array(1...300))
        let instants = here.map(\.position.instant.nanoseconds)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 + 1_000 <= $1 })
        #expect(zip(here, here.dropFirst()).allSatisfy { $0.position.name == $1.previous })
        // Whoever comes later has the same board.
        let late = try open("c")
        defer { late.log.close() }
        #expect(late.board.follower.position == here.last?.position)
        #expect(late.board.machine.engine.track(ResourceName(.ticker, "t"))?.revision == 300)
        // Entries come without the script's text: only what the server doesn't know yet runs with it.
        let calls = try server.ask("INFO", "commandstats").firstMatch(of: /cmdstat_eval:calls=(\d+)/)?.1
        #expect(calls.flatMap { Int($0) } ?? 0 <= LogScript.allCases.count)
    }

    @Test func `a new board begins with the time zones of whoever makes it, in one entry`() throws {
        for name in ["a", "b"] {
            var context = needs(name, News())
            context.rules = HandZones("2026a", hours: 1)
            let (log, board) = try RedisLogOpener(address, patience: LogMachines.patience).open(context)
            defer { log.close() }
            #expect(board.machine.requiredZoneVersion == "2026a" && board.follower.position.sequence == 1)
        }
    }

    @Test func `an entry for due work is dropped once the log has passed its due instant`() throws {
        let one = try open("a")
        defer { one.log.close() }
        one.log.append([try draft(1)], session: 0)
        let instant = try one.news.entries(1)[0].position.instant
        let before = instant.advanced(byNanoseconds: -1_000)
        // What is due at the very instant of an entry waits for one behind it.
        one.log.append([try draft(2, due: before), try draft(3, due: instant)], session: 0)
        #expect(try one.news.entries(2).map(\.position.name.rawValue) == [1, 3])
    }

    @Test func `exactly one replica is the steward, and the other takes over when it leaves`() throws {
        let one = try open("a")
        let other = try open("b")
        func stewards(_ news: News) throws -> Bool {
            try news.wait { all in
                for case .members(let membership) in all.reversed() where membership.replicas.count == 2 {
                    return membership.stewardUntil != nil
                }
                return nil
            }
        }
        #expect(try [stewards(one.news), stewards(other.news)].count { $0 } == 1)
        let isFirst = try stewards(one.news)
        let (gone, left) = isFirst ? (one, other) : (other, one)
        gone.log.close()
        // It took leave: the other one is the steward, at once.
        _ = try left.news.wait { all in
            all.contains { news in
                if case .members(let membership) = news {
                    membership.replicas.count == 1 && membership.stewardUntil != nil
                } else {
                    false
                }
            } ? true : nil
        }
        left.log.close()
    }

    @Test func `a replica that has stopped following hands leadership to another`() throws {
        let one = try open("a")
        defer { one.log.close() }
        func isSteward(_ news: News, among count: Int) throws {
            _ = try news.wait { all -> Bool? in
                guard case .members(let last)? = all.last(where: { if case .members = $0 { true } else { false } })
                else {
                    return nil
                }
                return last.replicas.count == count && last.stewardUntil != nil ? true : nil
            }
        }
        try isSteward(one.news, among: 1)
        let other = try open("b")
        defer { other.log.close() }
        var report = ReplicaReport(name: "a")
        report.isFollowing = false
        one.log.report(report)
        try isSteward(other.news, among: 2)
    }

    @Test func `an unreadable entry is reported, and named as the reason the board can't be loaded`() throws {
        let one = try open("a")
        defer { one.log.close() }
        one.log.append([try draft(1), DraftEntry(EntryName(rawValue: 2), [255])], session: 0)
        _ = try one.news.wait { all in all.contains { if case .unreadable = $0 { true } else { false } } ? true : nil }
        one.log.reload()
        let failure = try one.news.wait { all in
            for case .loadFailed(let failure) in all { return failure }
            return nil as LogFailure?
        }
        #expect(failure.cause.contains("entry 2 of the log can't be followed"))
    }

    // 1 is the format of builds before 1.0.0; a board that isn't whole names none.
    @Test(arguments: ["1", "3", "99", nil])
    func `a board of another log format is refused and left unchanged`(format: String?) throws {
        let one = try open("a")
        one.log.append([try draft(1)], session: 0)
        _ = try one.news.entries(1)
        one.log.close()
        if let format {
            _ = try server.ask("HSET", "{board}:head", "format", format)
        } else {
            _ = try server.ask("HDEL", "{board}:head", "format")
        }
        let before = try server.ask("HGETALL", "{board}:head")
        let opener = RedisLogOpener(address)
        for refusal in [
            #expect(throws: LogFailure.self) { try opener.open(needs("b", News())) },
            #expect(throws: LogFailure.self) { try opener.load(needs("b", News())) },
        ] {
            #expect(refusal?.cause.contains("the board board has log format \(format ?? "0")") == true)
            #expect(refusal?.cause.contains(format == "99" ? "run that version" : "name another board") == true)
        }
        #expect(try server.ask("HGETALL", "{board}:head") == before)
    }

    @Test func `a replica whose session was forgotten begins a new one`() throws {
        let one = try open("a")
        defer { one.log.close() }
        let session = try server.ask("HGET", "{board}:sessions", "a")
        // As for one that was taken for gone.
        _ = try server.ask("HDEL", "{board}:sessions", "a")
        _ = try one.news.wait { all in all.contains { if case .taken = $0 { true } else { false } } ? true : nil }
        #expect(try server.ask("HGET", "{board}:sessions", "a") != session)
    }

    @Test func `entries of an earlier session are refused`() throws {
        let one = try open("a")
        defer { one.log.close() }
        one.log.append([try draft(1)], session: 0)
        _ = try one.news.entries(1)
        // Another session has begun, as after a lost connection.
        _ = try server.ask("HINCRBY", "{board}:sessions", "a", "1")
        one.log.append([try draft(2)], session: 0)
        _ = try one.news.wait { all in
            all.contains { if case .refused(let names, _) = $0 { names.map(\.rawValue) == [2] } else { false } }
                ? true : nil
        }
        let sequence = try one.news.wait { all in
            for case .taken(let sequence, _) in all { return sequence }
            return nil as UInt64?
        }
        #expect(sequence == 1)
        // What was written before that was known comes to nothing, however late it is handed over.
        one.log.append([try draft(3)], session: 0)
        one.log.append([try draft(4)], session: 1)
        _ = try one.news.wait { all in
            all.contains { if case .refused(let names, _) = $0 { names.map(\.rawValue) == [3] } else { false } }
                ? true : nil
        }
        #expect(try one.news.entries(2).map(\.position.name.rawValue) == [1, 4])
    }

    @Test func `a server that was killed is found again, and scripts that it forgot are loaded again`() throws {
        let one = try open("a")
        defer { one.log.close() }
        one.log.append([try draft(1)], session: 0)
        _ = try one.news.entries(1)
        server.kill()
        _ = try one.news.wait { all in all.contains { if case .lost = $0 { true } else { false } } ? true : nil }
        try server.start()
        _ = try one.news.wait { all in all.contains { if case .taken(2, _) = $0 { true } else { false } } ? true : nil }
        // The second entry says that its events are of another epoch.
        try put(from: 10, by: one)
        #expect(try one.news.entries(3).map(\.position.sequence) == [1, 2, 3])
        _ = try server.ask("SCRIPT", "FLUSH")
        try put(from: 20, by: one)
        #expect(try one.news.entries(4).map(\.position.sequence) == [1, 2, 3, 4])
    }

    @Test func `a master that Sentinels name no more is left, though it takes entries as before`() throws {
        // It can't be told that it is the master no longer.
        let master = try RedisServer(["rename-command SLAVEOF \"\"", "rename-command REPLICAOF \"\""])
        let replica = try RedisServer(["replicaof 127.0.0.1 \(master.port)"])
        try eventually("a replica") { try master.ask("INFO", "replication").contains("state=online") }
        let watcher = try RedisServer(["sentinel monitor main 127.0.0.1 \(master.port) 1"], isSentinel: true)
        let place = try RedisAddress("redis://127.0.0.1:\(watcher.port)?name=board&sentinel=main")
        let one = try open("a", at: place)
        defer { one.log.close() }
        one.log.append([try draft(1)], session: 0)
        _ = try one.news.entries(1)
        let head = { (server: RedisServer) in try server.ask("HGET", "{board}:head", "seq") }
        try eventually("a copy") { try head(replica) == "1" }
        try eventually("a failover") { try watcher.ask("SENTINEL", "FAILOVER", "main") == "OK" }
        // Whoever begins there says that events are of another epoch. A Sentinel that was held up does nothing for 30 s.
        // Who asks the promoted server just then has his connection closed by the Sentinel.
        try eventually("an entry on the promoted server", within: 120) { (try? head(replica)) == "2" }
        #expect(try head(master) == "1" && master.ask("ROLE").hasPrefix("master"))
        try put(from: 2, by: one)
        try eventually("the next one") { (try? head(replica)) == "3" }
        #expect(try head(master) == "1")
    }

    /// Appends an entry until one has come. A machine under load may lose the connection once more.
    private func put(from name: UInt64, by one: (log: any SharedLog, board: LoadedBoard, news: News)) throws {
        var name = name
        repeat {
            name += 1
            one.log.append([try draft(name)], session: one.news.session)
        } while try !one.news.hasCome(name)
    }

    @Test func `a server with another replication history makes events begin a new epoch`() throws {
        let one = try open("a")
        one.log.append([try draft(1)], session: 0)
        _ = try one.news.entries(1)
        one.log.close()
        // As after a promotion; the same history changes nothing.
        let history = try server.ask("HGET", "{board}:head", "history")
        #expect(history.count == 40)
        let same = try open("b")
        #expect(same.board.follower.position.sequence == 1 && same.board.machine.epoch == "e-a")
        same.log.close()
        _ = try server.ask("HSET", "{board}:head", "history", "another")
        let late = try open("c")
        defer { late.log.close() }
        #expect(late.board.follower.position.sequence == 2 && late.board.machine.epoch != "e-a")
        #expect(try server.ask("HGET", "{board}:head", "history") == history)
    }

    @Test func `a snapshot replaces the entries before it, and a late replica loads the same board`() throws {
        let one = try open("a", snapshotEntries: DivergenceDetector.interval)
        defer { one.log.close() }
        var checkpoints: [DigestCheckpoint] = []
        for round in 1...3 {
            one.log.append(try (0..<600).map { try draft(UInt64(round * 1_000 + $0)) }, session: 0)
            _ = try one.news.entries(round * 600)
            checkpoints = try one.news.wait { all in
                var found: [DigestCheckpoint] = []
                for case .snapshot(let checkpoint) in all { found.append(checkpoint) }
                return (found.last?.sequence ?? 0) > UInt64((round - 1) * 600) ? found : nil
            }
        }
        let length = try #require(Int(try server.ask("XLEN", "{board}:log")))
        #expect(length < 1_800)
        // Whoever comes now reads the snapshot and what is behind it.
        let late = try open("b")
        defer { late.log.close() }
        #expect(late.board.follower.position.sequence == 1_800)
        #expect(late.board.machine.engine.track(ResourceName(.ticker, "t"))?.revision == 1_800)
        // And comes to what following the log comes to.
        var machine = LogMachines.empty("e-a")
        var follower = Follower(period: 16_666_666)
        for entry in try one.news.entries(1_800) {
            try follower.apply(entry, by: &machine) { _, _ in }
            guard let known = checkpoints.first(where: { $0.sequence == entry.position.sequence }) else { continue }
            #expect(known.digest == follower.digest.value)
        }
        #expect(follower.digest == late.board.follower.digest)
    }

    @Test func `an overtaken snapshot writer leaves the newer snapshot intact and no keys behind`() throws {
        let one = try open("a")
        defer { one.log.close() }
        one.log.append(try (0..<600).map { try draft(UInt64($0)) }, session: 0)
        _ = try one.news.entries(600)
        let parts = RedisLog.Parts(
            server: RedisLocator(address), wait: 0, snapshotEntries: SnapshotPlan.usualEntries,
            needs: needs("b", News()))
        let session = try LogSession(parts, mayMake: false)
        let (connection, loader) = (session.connection, BoardLoader(parts))
        let late = try loader.load(by: connection, upTo: 256)
        try SnapshotWriter.write(
            try loader.load(by: connection, upTo: 512), mark: 0, session.number, by: connection, parts)
        #expect(throws: RedisError.self) {
            try SnapshotWriter.write(late, mark: 0, session.number, by: connection, parts)
        }
        #expect(try loader.load(by: connection).follower.position.sequence == 600)
        let store = SnapshotStore(address: address)
        let manifest = try #require(try store.manifest(by: connection))
        #expect(manifest.position.sequence == 512)
        // Nothing is left of the late one; what counts has no end.
        let keys = try connection.call("KEYS", "{board}:snapshot:*").elements ?? []
        #expect(keys.count == manifest.pieces)
        for key in keys { #expect(try connection.call("TTL", try #require(key.text)).integer == -1) }
        // Where a piece is gone, the connection is as good as before.
        #expect(manifest.pieces > 1)
        _ = try connection.call("DEL", store.stem(manifest.slot) + "0")
        let failure = #expect(throws: RedisError.self) { try loader.load(by: connection) }
        #expect(failure?.code == .loading)
        connection.close()
    }

    @Test func `a board refuses a replica with another tick rate`() throws {
        try open("a").log.close()
        #expect(throws: LogFailure.self) { try open("b", period: 1_000_000_000 / 30) }
    }

    @Test(arguments: [
        "", "1", "1 2 3", "x 1 - -", "1 2 - - 5", "-9223372036854775808 1 - -", "9300000000000000 1 - -",
    ]) func `a malformed replica report is ignored`(text: String) {
        #expect(ReportText.report(of: "a", text) == nil)
    }

    @Test func `a replica report reads back as it was written`() {
        var report = ReplicaReport(name: "a")
        report.sequence = 7
        #expect(ReportText.report(of: "a", "5 " + ReportText.text(of: report))?.1 == report)
        report.checkpoint = DigestCheckpoint(sequence: 256, digest: .max)
        #expect(ReportText.report(of: "a", "5 " + ReportText.text(of: report))?.1 == report)
    }
}
