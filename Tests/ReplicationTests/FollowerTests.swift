// Machines that follow one log: they come to the same, whatever else happens to each of them.

import Base
import Board
import Labels
import Machine
import RecurrenceRules
import TestSupport
import Testing
import Tween
import Wire

@testable import Replication

@Suite struct FollowerTests {
    private var log = LogScript()
    private var one = Replica()
    private var other = Replica()
    private let ticker = ResourceName(.ticker, "t")

    /// Both take what is new.
    private mutating func follow(_ raw: RawEntry) throws -> [Outcome] {
        let outcomes = try one.take(raw, waiters: [1, 2, 3])
        try other.take(raw)
        #expect(one.digest == other.digest && one.position == other.position)
        return outcomes
    }

    private mutating func post(_ json: String, key: String? = nil) throws -> [Outcome] {
        try follow(log.append([MachineScript.update("t", json, key: key)]))
    }

    @Test mutating func `an answer is given where it was asked for, and a retry elsewhere gets the same`() throws {
        let first = try post(#"{"to":5,"duration":2}"#, key: "k")
        #expect(first.flatMap(\.statuses).map(\.value) == [201])
        // Asked again of the other.
        let raw = log.append([try MachineScript.update("t", #"{"to":5,"duration":2}"#, key: "k")])
        let again = try other.take(raw, waiters: [7])
        #expect(again.flatMap(\.statuses).map(\.value) == [201])
        #expect(again.flatMap(\.changed).isEmpty)
    }

    @Test mutating func `due work waits for an entry, and stays due until one has come`() throws {
        _ = try post(#"{"to":5,"duration":2,"then":[{"notify":"n"}]}"#)
        let due = try #require(one.nextDue)
        #expect(due == other.nextDue && due.seconds(since: log.now) == 2)
        log.wait(2)
        let outcomes = try follow(log.append([]))
        #expect(outcomes.flatMap(\.told) == ["1 complete", "2 notification"])
        #expect(one.nextDue == nil)
    }

    @Test mutating func `work due at an entry's own instant waits for the next entry`() throws {
        let definition = try ScheduleDecoder.definition(
            Array(#"{"in":0,"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar()
        ).definition
        let request = CommandRequest(.schedule(ResourceName(.schedule, "s"), definition), as: .noContent)
        #expect(try follow(log.append([.command(request)])).flatMap(\.told) == ["1 scheduled"])
        #expect(one.nextDue == one.position.instant)
        #expect(try follow(log.append([])).flatMap(\.told) == ["2 fired", "3 notification", "4 removed"])
        #expect(one.nextDue == nil)
    }

    @Test mutating func `merged events are sent with the first entry of the next tick`() throws {
        let update = try MachineScript.update("t", #"{"by":1,"duration":0}"#, waiter: nil)
        #expect(try follow(log.append(Array(repeating: update, count: 40))).flatMap(\.told).count == 16)
        let due = try #require(one.nextDue)
        #expect(due.nanoseconds % LogScript.period == 0)
        // An entry of the same tick tells nothing yet.
        #expect(try follow(log.append([])).flatMap(\.told).isEmpty)
        log.wait(due.seconds(since: log.now) + 0.0001)
        #expect(try follow(log.append([])).flatMap(\.told) == ["17 crowd of 24"])
    }

    @Test mutating func `a milestone is reached between entries and sent once, with the next entry`() throws {
        _ = try post(#"{"to":100,"duration":2,"easing":"linear","milestones":[50]}"#)
        #expect(!one.reachesMilestone(at: log.now.advanced(bySeconds: 0.9)))
        #expect(one.reachesMilestone(at: log.now.advanced(bySeconds: 1.1)))
        log.wait(1.1)
        #expect(try follow(log.append([])).flatMap(\.told) == ["1 milestone"])
        #expect(!one.reachesMilestone(at: log.now))
    }

    @Test mutating func `many requests of one entry are taken whole`() throws {
        let updates = try (0..<200).map { try MachineScript.update("t\($0)", #"{"to":1,"duration":9}"#) }
        let outcomes = try follow(log.append(updates))
        #expect(outcomes.map(\.taken).reduce(0, +) == 200)
        #expect(one.machine.engine.trackCount == 200 && other.machine.engine.trackCount == 200)
    }

    @Test mutating func `remove-all schedules continues with each entry and is answered at its end`() throws {
        let definition = try ScheduleDecoder.definition(
            Array(#"{"in":3600,"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar()
        ).definition
        let schedules = (0..<1_200).map { number -> Request in
            let name = ResourceName(.schedule, "s\(number)")
            return .command(CommandRequest(.schedule(name, definition), as: .noContent))
        }
        _ = try follow(log.append(schedules))
        var removal = CommandRequest(.removeAllSchedules, as: .noContent)
        removal.waiter = 1
        #expect(try follow(log.append([.command(removal)])).flatMap(\.answers).isEmpty)
        #expect(one.nextDue == one.position.instant)
        var answers: [(waiter: WaiterID, answer: Answer)] = []
        while one.machine.isSweeping { answers += try follow(log.append([])).flatMap(\.answers) }
        #expect(answers.map(\.waiter) == [1] && one.machine.engine.pendingSchedules == 0)
    }

    @Test mutating func `a motion continues when an entry sets the log's clock`() throws {
        _ = try post(#"{"to":100,"duration":100,"easing":"linear"}"#)
        log.wait(50)
        _ = try follow(log.append([]))
        log.wait(3_600)
        _ = try follow(log.append(.clockSet(3_600_000_000_000)))
        let value = one.machine.engine.track(ticker)?.value(at: log.now) ?? 0
        #expect(abs(value - 50) < 0.001)
    }

    @Test mutating func `settings hold from their entry on, for all`() throws {
        var settings = MachineSettings()
        settings.boardBytes = 1
        settings.retryKeys = 0
        settings.webhooks.attempts = 3
        _ = try follow(log.append(.settings(settings)))
        #expect(one.machine.settings == settings && other.machine.settings == settings)
        #expect(try post(#"{"to":1}"#).flatMap(\.statuses).map(\.value) == [507])
        #expect(try post(#"{"to":1}"#, key: "k").flatMap(\.statuses).map(\.value) == [503])
    }

    @Test mutating func `time zone rules apply from their entry on, and a replica without them knows it`() throws {
        let (before, after) = (HandZones("a", hours: -8), HandZones("b", hours: -7))
        func entry(_ raw: RawEntry, _ rules: any CalendarRules) throws -> LogEntry {
            LogEntry(
                position: raw.position, previous: raw.previous, content: try LogContent(raw.payload, rules: rules))
        }
        try one.take(entry(log.append(.zones("a", nil)), before))
        #expect(one.machine.requiredZoneVersion == "a" && one.machine.missingZones == nil)
        let rule = try before.recurrence("nine", zone: "Here")
        var definition = ScheduleDefinition(
            actions: ActionList(actions: [.notify(name: "n", data: nil)], source: []), source: Array("{}".utf8))
        definition.plan.recurrence = .calendar(rule)
        let name = ResourceName(.schedule, "nine")
        var turn = Turn(at: log.now, tick: 0)
        turn.requests = [.command(CommandRequest(.schedule(name, definition), as: .noContent))]
        _ = one.machine.apply(turn)
        let due = try #require(one.machine.engine.schedule(name)?.due)
        try one.take(entry(log.append(.zones("b", nil)), after))
        #expect(one.machine.requiredZoneVersion == "b")
        #expect(one.machine.engine.schedule(name)?.due == due.advanced(bySeconds: -3_600))
        // Who has none of that version knows that, and which it should be.
        try one.take(entry(log.append(.zones("c", nil)), after))
        #expect(one.machine.requiredZoneVersion == "c" && one.machine.missingZones == "c")
    }

    @Test func `an entry of another format is refused, and an empty one is damaged`() {
        var payload = LogContent.epoch("f", lossOf: nil).bytes
        for format in [0, LogContent.format - 1, LogContent.format + 1] {
            payload[0] = format
            #expect(throws: UnreadableEntry.anotherFormat(format)) { try LogContent(payload, rules: NoCalendar()) }
        }
        #expect(throws: UnreadableEntry.damaged) { try LogContent([], rules: NoCalendar()) }
    }

    @Test mutating func `a new epoch gives webhooks new ids`() throws {
        let json = #"{"by":1,"duration":0,"then":[{"webhook":"https://a.example/x"}]}"#
        #expect(try post(json).flatMap(\.unstored) == ["wh-e-1"])
        _ = try follow(log.append(.epoch("f", lossOf: nil)))
        #expect(try post(json).flatMap(\.unstored) == ["wh-f-2"])
        #expect(one.machine.lastEventID == EventID(epoch: "f", number: 2))
    }

    @Test mutating func `work due when an epoch begins is sent with the new epoch's ids`() throws {
        _ = try post(#"{"to":5,"duration":2}"#)
        log.wait(3)
        #expect(try follow(log.append(.epoch("f", lossOf: nil))).flatMap(\.told) == ["1 complete"])
        #expect(one.ids == [EventID(epoch: "f", number: 1)])
        #expect(one.machine.pastEpochs == [EventID(epoch: "e", number: 0)])
    }

    @Test mutating func `a loss entry ends all past epochs, once`() throws {
        _ = try follow(log.append(.epoch("f", lossOf: nil)))
        _ = try follow(log.append(.epoch("g", lossOf: "e")))
        #expect(one.machine.epoch == "g" && one.machine.pastEpochs.isEmpty)
        for late in ["e", "f"] { _ = try follow(log.append(.epoch("h", lossOf: late))) }
        #expect(one.machine.epoch == "g" && other.machine.epoch == "g")
    }

    @Test mutating func `missing or forked entries are refused and change nothing`() throws {
        for _ in 0..<3 { log.append([try MachineScript.update("t", #"{"by":1,"duration":0}"#)]) }
        try one.take(log.entries[0])
        let before = one.digest
        #expect(throws: LogBreak.gap) { try one.take(log.entries[2]) }
        var fork = log.entries[1]
        fork.previous = EntryName(rawValue: 1)
        #expect(throws: LogBreak.forked) { try one.take(fork) }
        #expect(throws: LogBreak.forked) { try one.take(log.entries[0]) }
        #expect(one.digest == before && one.machine.engine.track(ticker)?.target.double == 1)
    }

    @Test mutating func `another state has another digest`() throws {
        _ = try post(#"{"to":5,"duration":2}"#)
        let raw = log.append([try MachineScript.update("t", #"{"to":6,"duration":2}"#)])
        var forged = raw
        forged.payload = LogContent.turn([try MachineScript.update("t", #"{"to":7,"duration":2}"#)]).bytes
        try one.take(raw)
        try other.take(forged)
        #expect(one.digest != other.digest)
    }
}
