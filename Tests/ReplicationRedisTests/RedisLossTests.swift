// A server that has lost a board, or a part of it, or keeps what can't be: replicas say so, and one writes the board back.

import Base
import Board
import Machine
import Replication
import TestSupport
import Testing
import Tween

@testable import ReplicationRedis

@Suite struct RedisLossTests {
    private let server: RedisServer
    private let address: RedisAddress

    init() throws {
        server = try RedisServer()
        address = try RedisAddress("redis://127.0.0.1:\(server.port)?name=board")
    }

    /// A replica of which a test does what its node would do.
    private struct Replica {
        let name: String
        let log: any SharedLog
        let board: LoadedBoard
        let news: News

        var revision: UInt64? { board.machine.engine.track(ResourceName(.ticker, "t"))?.revision }

        func append(_ names: ClosedRange<UInt64>) throws -> [LogEntry] {
            log.append(try names.map { try LogMachines.draft($0) }, session: news.session)
            let entries = try news.entries(Int(names.upperBound))
            var report = ReplicaReport(name: name)
            (report.sequence, report.entry) =
                (entries.last?.position).map { ($0.sequence, $0.name) } ?? (0, report.entry)
            log.report(report)
            return entries
        }

        /// Waits for what is news behind the first so many.
        func wait<Result>(after count: Int = 0, _ find: (LogNotice) -> Result?) throws -> Result {
            try news.wait { $0.dropFirst(count).lazy.compactMap(find).first }
        }
    }

    private func open(
        _ name: String, wait: Int = 0, snapshotEntries: UInt64 = SnapshotPlan.usualEntries,
        whenEmpty: EmptyRedisPolicy = .refuse
    ) throws -> Replica {
        let news = News()
        let (log, board) = try RedisLogOpener(
            address, wait: wait, snapshotEntries: snapshotEntries, whenEmpty: whenEmpty, patience: LogMachines.patience
        ).open(LogMachines.needs(name, news))
        return Replica(name: name, log: log, board: board, news: news)
    }

    // MARK: - All of it

    @Test(arguments: [["FLUSHALL"], ["DEL", "{board}:head"]])
    func `a lost board is not started empty while a replica has it, which writes it back`(
        loss: [String]
    ) throws {
        let one = try open("a")
        defer { one.log.close() }
        let entries = try one.append(1...3)
        _ = try server.ask(loss)
        let failure = try one.wait { if case .lost(let failure) = $0 { failure } else { nil } }
        #expect(failure.code == .gone && failure.reason.contains("start one more replica with --redis-empty restore"))
        try eventually("a sign of it") { try server.ask("HEXISTS", "{board}:holders", "a") == "1" }
        let refusal = #expect(throws: LogFailure.self) { try open("b") }
        #expect(refusal?.code == .gone && refusal?.mayPass == true)
        #expect(
            refusal?.cause.contains("running replicas (1) have it: start one more replica with --redis-empty") == true)
        #expect(try server.ask("EXISTS", "{board}:head") == "0")
        let wish = #expect(throws: LogFailure.self) { try open("c", whenEmpty: .restore) }
        #expect(wish?.mayPass == true && wish?.cause.contains("(1) have it: the running replica that is") == true)
        _ = try one.wait { if case .boardWanted = $0 { true } else { nil } }
        one.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        let (head, session) = try one.wait {
            if case .taken(let head, let session) = $0 { (head, session) } else { nil }
        }
        #expect(head == 3 && session == 1)
        // The log goes on where it was.
        #expect(try one.append(4...4).last?.position.sequence == 4)
        let late = try open("d")
        defer { late.log.close() }
        #expect(late.revision == 4 && late.board.machine.epoch == one.board.machine.epoch)
        #expect(late.board.follower.position.sequence == 4)
    }

    @Test func `of two replicas with the board the one furthest in the log writes it back`() throws {
        let (one, other) = (try open("a", whenEmpty: .restore), try open("b", whenEmpty: .restore))
        defer {
            one.log.close()
            other.log.close()
        }
        _ = try one.append(1...3)
        var report = ReplicaReport(name: "b")
        report.sequence = 4
        other.log.report(report)
        _ = try server.ask("FLUSHALL")
        _ = try other.wait { if case .boardWanted = $0 { true } else { nil } }
        // After each loss `a` looks who should write the board back, and has done so before the next one.
        let known = one.news.count()
        let all = try one.news.wait { news -> [LogNotice]? in
            let losses = news.dropFirst(known).filter { if case .lost = $0 { true } else { false } }
            return losses.count < 2 ? nil : news
        }
        let wanted = all.contains { if case .boardWanted = $0 { true } else { false } }
        #expect(!wanted)
        other.log.store(nil)
        let reason = try one.wait { if case .lost(let failure) = $0 { failure.reason } else { nil } }
        #expect(reason.contains("furthest in the log writes it back") && !reason.contains("--redis-empty"))
    }

    @Test func `a copy is refused where the board exists or running replicas hold it`() throws {
        let create = {
            try RedisLogOpener(address).create(
                try LogMachines.board(of: [], epoch: "e"), LogMachines.needs("copy", News()))
        }
        _ = try server.ask("HSET", "{board}:holders", "a", "3 1")
        let held = #expect(throws: LogFailure.self) { try create() }
        #expect(held?.cause.contains("replicas of the board board run, which this Redis has lost: stop them") == true)
        _ = try server.ask("HSET", "{board}:head", "seq", "0")
        let taken = #expect(throws: LogFailure.self) { try create() }
        #expect(taken?.cause.contains("there is a board board already") == true)
    }

    @Test func `replicas long gone do not prevent a new board`() throws {
        _ = try server.ask("HSET", "{board}:holders", "gone", "7 1000000", "#", "1000000")
        let one = try open("a")
        defer { one.log.close() }
        #expect(one.board.follower.position.sequence == 0)
    }

    // MARK: - A part of it

    @Test(arguments: ["log", "snapshot", "snapshot:SLOT:0", "snapshot:SLOT:1"])
    func `a lost part of the log is written back by the steward from its board`(part: String) throws {
        let one = try open("a", snapshotEntries: DivergenceDetector.interval)
        defer { one.log.close() }
        // Only what is before a second snapshot has gone from the log.
        var entries: [LogEntry] = []
        for end in [600, 1_200] as [UInt64] {
            entries = try one.append(end - 599...end)
            _ = try one.wait {
                if case .snapshot(let checkpoint) = $0, checkpoint.sequence > end - 600 { true } else { nil }
            }
        }
        let slot = try server.ask("HGET", "{board}:snapshot", "slot")
        _ = try server.ask("DEL", "{board}:" + part.replacing("SLOT", with: slot))
        let missing = try one.wait { if case .members(let all) = $0 { all.missing } else { nil } }
        #expect(missing == (part.contains("SLOT") ? "the newest snapshot" : "entries of the log"))
        _ = try one.wait { if case .boardWanted = $0 { true } else { nil } }
        let known = try one.news.wait { $0.count }
        one.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        _ = try one.wait(after: known) {
            if case .members(let all) = $0, all.missing == nil { true } else { nil }
        }
        #expect(try one.append(1_201...1_201).last?.position.sequence == 1_201)
        let late = try open("b")
        defer { late.log.close() }
        #expect(late.revision == 1_201)
        let newest = try server.ask("HGET", "{board}:snapshot", "slot")
        #expect(newest != slot)
        // Nothing is left of the broken one, if its name is known.
        if part != "snapshot" { #expect(try server.ask("EXISTS", "{board}:snapshot:\(slot):1") == "0") }
    }

    @Test func `a start refuses a board whose last entries are lost`() throws {
        let one = try open("a", snapshotEntries: DivergenceDetector.interval)
        _ = try one.append(1...300)
        _ = try one.wait { if case .snapshot = $0 { true } else { nil } }
        one.log.close()
        _ = try server.ask("DEL", "{board}:log")
        let failure = #expect(throws: LogFailure.self) { try open("b") }
        #expect(failure?.cause.contains("has lost entries of the log between 257 and 300") == true)
    }

    @Test func `a board that is behind the log is not written back`() throws {
        let one = try open("a")
        defer { one.log.close() }
        let entries = try one.append(1...3)
        _ = try server.ask("DEL", "{board}:log")
        _ = try one.wait { if case .boardWanted = $0 { true } else { nil } }
        var known = try one.news.wait { $0.count }
        one.log.store(try LogMachines.board(of: Array(entries.dropLast()), epoch: one.board.machine.epoch))
        let failure = try one.wait { if case .snapshotFailed(let failure) = $0 { failure } else { nil } }
        #expect(failure.cause.contains("a replica may be further"))
        #expect(try server.ask("KEYS", "{board}:snapshot*").isEmpty)
        #expect(try server.ask("HGET", "{board}:head", "missing") == "entries of the log")
        _ = try one.wait(after: known) { if case .boardWanted = $0 { true } else { nil } }
        known = try one.news.wait { $0.count }
        one.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        _ = try one.wait(after: known) {
            if case .members(let all) = $0, all.missing == nil { true } else { nil }
        }
        #expect(try server.ask("HGET", "{board}:snapshot", "sequence") == "3")
    }

    /// The entry was read by none, so none can follow what is behind it.
    @Test(arguments: [true, false])
    func `a log that lost an unread entry goes on behind the board that all replicas have`(isLast: Bool) throws {
        let one = try open("a")
        defer { one.log.close() }
        let entries = try one.append(1...3)
        let instant = try #require(entries.last?.position.instant.nanoseconds)
        var report = ReplicaReport(name: one.name)
        (report.sequence, report.isFollowing) = (3, isLast)
        one.log.report(report)
        // Another has more than this one, and is here.
        let now = Int64(instant / 1_000 + 3_600_000_000)
        _ = try server.ask("HSET", "{board}:members", "other", "\(now) 4 - -")
        let known = try one.news.wait { $0.count }
        _ = try server.ask("HSET", "{board}:head", "seq", isLast ? "4" : "5")
        _ = try server.ask("DEL", "{board}:log")
        if !isLast {
            _ = try server.ask(
                "XADD", "{board}:log", "5-0", "t", "\(instant / 1_000 + 20)", "p", "4", "n", "5", "e", "")
        }
        let news = try one.news.wait { news -> [LogNotice]? in
            let seen = news.dropFirst(known).filter {
                if case .members(let all) = $0 { all.missing != nil } else { false }
            }
            return seen.count < 2 ? nil : news
        }
        #expect(!news.contains { if case .boardWanted = $0 { true } else { false } })
        _ = try server.ask("HDEL", "{board}:members", "other")
        _ = try one.wait(after: known) { if case .boardWanted = $0 { true } else { nil } }
        one.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        let end = try one.wait(after: known) { if case .taken(let end, _) = $0 { end } else { nil } }
        // The epoch's entry is behind the board.
        #expect(end == 4)
        #expect(try server.ask("HGET", "{board}:snapshot", "sequence") == "3")
        (report.sequence, report.isFollowing) = (4, true)
        one.log.report(report)
        _ = try one.wait(after: known) { if case .members(let all) = $0, all.missing == nil { true } else { nil } }
        let late = try open("b")
        defer { late.log.close() }
        #expect(late.revision == 3 && late.board.machine.epoch != one.board.machine.epoch)
    }

    @Test func `a replica that is further than the steward writes back what is missing`() throws {
        let one = try open("a")
        defer { one.log.close() }
        let entries = try one.append(1...3)
        _ = try one.wait { if case .members(let all) = $0, all.stewardUntil != nil { true } else { nil } }
        let other = try open("b")
        defer { other.log.close() }
        for (replica, sequence) in [(one, 2), (other, 3)] as [(Replica, UInt64)] {
            var report = ReplicaReport(name: replica.name)
            report.sequence = sequence
            replica.log.report(report)
            try eventually("a report") {
                try server.ask("HGET", "{board}:members", replica.name).contains(" \(sequence) ")
            }
        }
        _ = try server.ask("DEL", "{board}:log")
        _ = try other.wait { if case .boardWanted = $0 { true } else { nil } }
        let known = try one.news.wait { $0.count }
        other.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        _ = try one.wait(after: known) {
            if case .members(let all) = $0, all.missing == nil { true } else { nil }
        }
        let wanted = try one.news.wait { $0 }.contains { if case .boardWanted = $0 { true } else { false } }
        #expect(!wanted)
    }

    @Test func `a snapshot whose answer is late keeps its pieces`() throws {
        let one = try open("a")
        defer { one.log.close() }
        let board = try LogMachines.board(of: one.append(1...1), epoch: one.board.machine.epoch)
        let parts = RedisLog.Parts(
            server: RedisLocator(address), wait: 0, snapshotEntries: SnapshotPlan.usualEntries,
            needs: LogMachines.needs("b", News()))
        let session = try LogSession(parts, mayMake: false)
        defer { session.connection.close() }
        try eventually("a snapshot without an answer in time") {
            // To remove so many pieces takes longer than the answer may.
            _ = try server.ask("DEL", "{board}:snapshot")
            _ = try server.ask(
                "HSET", "{board}:snapshot", "keptSlot", "k", "keptPieces", "\(SnapshotStore.mostPieces)")
            guard let connection = try? server.connect(answerTimeout: .milliseconds(10)) else { return false }
            defer { connection.close() }
            let result = code {
                try SnapshotWriter.write(board, mark: 0, session.number, by: connection, parts)
            }
            return try result == .unreachable && !server.ask("HGET", "{board}:snapshot", "slot").isEmpty
        }
        let (slot, pieces) = (
            try server.ask("HGET", "{board}:snapshot", "slot"), try server.ask("HGET", "{board}:snapshot", "pieces")
        )
        for index in 0..<(try #require(Int(pieces))) {
            #expect(try server.ask("TTL", "{board}:snapshot:\(slot):\(index)") == "-1")
        }
    }

    /// A replica that has written a snapshot, and leads or waits.
    private func openWithSnapshot(leads: Bool) throws -> Replica {
        let one = try open("a", snapshotEntries: DivergenceDetector.interval)
        let last = try #require(try one.append(1...300).last).position
        _ = try one.wait { if case .snapshot = $0 { true } else { nil } }
        var report = ReplicaReport(name: one.name)
        (report.sequence, report.entry, report.isFollowing) = (last.sequence, last.name, leads)
        one.log.report(report)
        let known = one.news.count()
        _ = try one.wait(after: known) {
            if case .members(let all) = $0, (all.stewardUntil != nil) == leads { true } else { nil }
        }
        return one
    }

    @Test(arguments: [true, false])
    func `a snapshot check looks for its first piece each time, and for all only now and then`(
        leads: Bool
    ) throws {
        let one = try openWithSnapshot(leads: leads)
        defer { one.log.close() }
        let pieces = try #require(Int(try server.ask("HGET", "{board}:snapshot", "pieces")))
        try waitForBeats(4, of: one)
        _ = try server.ask("CONFIG", "RESETSTAT")
        try waitForBeats(8, of: one)
        let stats = try server.ask("INFO", "commandstats")
        func calls(_ command: String) throws -> Int {
            let line = stats.split(whereSeparator: \.isNewline).first { $0.hasPrefix("cmdstat_\(command):calls=") }
            let number = try #require(line).drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }
            return try #require(Int(number))
        }
        let (looks, beats) = (try calls("exists"), try calls("evalsha"))
        #expect(pieces > 1 && beats >= 7 && looks <= beats + pieces, "\(looks) of \(pieces) in \(beats)")
    }

    @Test func `a replica that found the snapshot a moment ago keeps another's note that it is missing`() throws {
        let one = try openWithSnapshot(leads: false)
        defer { one.log.close() }
        try waitForBeats(2, of: one)
        let slot = try server.ask("HGET", "{board}:snapshot", "slot")
        _ = try server.ask("DEL", "{board}:snapshot:\(slot):1")
        // As another replica does that finds it missing.
        _ = try server.ask("HSET", "{board}:head", "missing", "the newest snapshot", "missed", "1")
        try waitForBeats(2, of: one)
        #expect(try server.ask("HGET", "{board}:head", "missed") == "1")
    }

    @Test func `a piece that the next snapshot lacks is noted before the next check of all pieces`() throws {
        let one = try openWithSnapshot(leads: true)
        defer { one.log.close() }
        try waitForBeats(2, of: one)
        let slot = try server.ask("HGET", "{board}:snapshot", "slot")
        _ = try server.ask("DEL", "{board}:snapshot:\(slot):1")
        _ = try one.append(301...700)
        let failed = try one.news.wait { news in
            news.firstIndex { if case .snapshotFailed = $0 { true } else { false } }
        }
        try waitForBeats(3, of: one)
        let missing = try one.news.wait { $0.dropFirst(failed) }.contains {
            if case .members(let all) = $0 { all.missing == "the newest snapshot" } else { false }
        }
        #expect(missing)
    }

    private func waitForBeats(_ count: Int, of replica: Replica) throws {
        let known = try replica.news.wait { $0.count }
        _ = try replica.news.wait { news in
            let beats = news.dropFirst(known).filter { if case .members = $0 { true } else { false } }
            return beats.count >= count ? true : nil
        }
    }

    @Test func `a warning about too few confirming replicas lasts until enough confirm`() throws {
        let replica = try RedisServer(["replicaof 127.0.0.1 \(server.port)"])
        try eventually("a replica") { try server.ask("INFO", "replication").contains("state=online") }
        let one = try open("a", wait: 1)
        defer { one.log.close() }
        let name = try #require(try one.append(1...1).last).position.name
        _ = try one.wait { if case .safe(name) = $0 { true } else { nil } }
        // Without any change.
        replica.kill()
        let warning = try one.wait { news -> String? in
            if case .warnings(let all) = news { all.first { $0.contains("--redis-wait is 1") } } else { nil }
        }
        #expect(warning.contains("answered with 503, because 0 replicas"))
        let known = try one.news.wait { $0.count }
        try replica.start()
        _ = try one.wait(after: known) {
            if case .warnings(let all) = $0, !all.contains(warning) { true } else { nil }
        }
    }

    // MARK: - Numbers

    @Test(arguments: [
        ("instant", "9300000000000000"), ("instant", "9223372036854775807"), ("instant", "-1e30"),
        ("lead", "9300000000000000"), ("lead", "-9223372036854775808"), ("set", "-9300000000000000"),
        ("seen", "1e300"), ("seen", "nan"), ("seq", "9300000000000000"), ("seq", "x"),
    ])
    func `an invalid number in the head stops a replica, named by field, until it is corrected`(
        field: String, value: String
    ) throws {
        let one = try open("a")
        defer { one.log.close() }
        _ = try one.append(1...1)
        let right = try server.ask("HGET", "{board}:head", field)
        _ = try server.ask("HSET", "{board}:head", field, value)
        let failure = try one.wait { if case .lost(let failure) = $0 { failure } else { nil } }
        #expect(failure.code == .damaged && failure.cause.contains("the field \(field) of the head"))
        let refusal = #expect(throws: LogFailure.self) { try open("b") }
        #expect(refusal?.cause.contains("the field \(field) of the head has no valid number: \(value)") == true)
        _ = try server.ask(right.isEmpty ? ["HDEL", "{board}:head", field] : ["HSET", "{board}:head", field, right])
        _ = try one.wait { if case .taken = $0 { true } else { nil } }
        #expect(try one.append(2...2).count == 2)
    }

    @Test(arguments: [("t", "9300000000000000"), ("t", "-1"), ("p", "18446744073709551616"), ("n", "x"), ("id", "")])
    func `an invalid number in an entry stops a replica, named by field`(field: String, value: String) throws {
        let one = try open("a")
        defer { one.log.close() }
        let last = try one.append(1...1)[0].position
        var fields = ["t": "\(last.instant.nanoseconds / 1_000 + 1)", "p": "1", "n": "2", "e": "e"]
        if field != "id" { fields[field] = value }
        let id = field == "id" ? "9300000000000000-0" : "2-0"
        _ = try server.ask(
            ["XADD", "{board}:log", id] + fields.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
        let reason = try one.wait { if case .unreadable(let reason) = $0 { reason } else { nil } }
        #expect("\(reason)".contains("entry \(id): field \(field) is not a valid number"))
    }

    @Test(arguments: [
        ("sequence", "9300000000000000"), ("instant", "9300000000000000"), ("set", "-9300000000000000"),
        ("pieces", "-1"), ("mark", "x"), ("size", "-9223372036854775808"), ("name", "-1"), ("digest", "1e5"),
    ])
    func `an invalid number in a snapshot is named when the board is loaded`(field: String, value: String) throws {
        try open("a").log.close()
        var fields = ["slot": "s", "sequence": "1", "instant": "1", "name": "1", "digest": "1", "pieces": "1"]
        fields.merge(["mark": "0", "size": "0", "set": "0"]) { $1 }
        fields[field] = value
        for (name, text) in fields { _ = try server.ask("HSET", "{board}:snapshot", name, text) }
        let failure = #expect(throws: LogFailure.self) { try open("b") }
        #expect(failure?.cause.contains("the field \(field) of the snapshot has no valid number: \(value)") == true)
    }

    @Test(arguments: [
        ("sequence", "x"), ("sequence", "9007199254740992"), ("pieces", "x"), ("pieces", "1e300"), ("mark", "-1"),
        ("written", "nan"), ("set", "1.5"), ("digest", ""),
    ])
    func `a snapshot with an invalid number is written again`(field: String, value: String) throws {
        let one = try open("a", snapshotEntries: DivergenceDetector.interval)
        defer { one.log.close() }
        let entries = try one.append(1...300)
        _ = try one.wait { if case .snapshot = $0 { true } else { nil } }
        _ = try server.ask("HSET", "{board}:snapshot", field, value)
        _ = try one.wait { if case .boardWanted = $0 { true } else { nil } }
        let known = try one.news.wait { $0.count }
        one.log.store(try LogMachines.board(of: entries, epoch: one.board.machine.epoch))
        _ = try one.wait(after: known) {
            if case .members(let all) = $0, all.missing == nil { true } else { nil }
        }
        let late = try open("b")
        defer { late.log.close() }
        #expect(late.revision == 300)
    }

    @Test func `a board without a tick period is refused`() throws {
        try open("a").log.close()
        _ = try server.ask("HSET", "{board}:head", "period", "0")
        let failure = #expect(throws: LogFailure.self) {
            try RedisLogOpener(address).load(LogMachines.needs("b", News()))
        }
        #expect(failure?.cause.contains("the field period of the head has no valid number: 0") == true)
    }

    @Test func `a clock step out of range in an entry counts as damage`() {
        for nanoseconds in [Int64.min, .max] {
            #expect(throws: UnreadableEntry.damaged) {
                try LogContent(LogContent.clockSet(nanoseconds).bytes, rules: NoCalendar())
            }
        }
    }
}
