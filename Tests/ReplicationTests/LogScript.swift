// A log in memory and machines that follow it.

import Base
import Board
import Machine
import RecurrenceRules
import TestSupport
import Tween
import Wire

@testable import Replication

/// Knows no dates.
private let rules = NoCalendar()

/// Entries, as a log keeps them.
struct LogScript {
    private(set) var entries: [RawEntry] = []
    private(set) var time = 0.0
    private var names = SeededRandom(seed: 3)

    static let period: Int64 = 16_666_666

    var now: Instant { Instant(nanoseconds: 1_700_000_000_000_000_000).advanced(bySeconds: time) }

    mutating func wait(_ seconds: Double) { time += seconds }

    @discardableResult
    mutating func append(_ content: LogContent) -> RawEntry {
        let last = entries.last?.position ?? .start
        let instant = max(now, last.instant.advanced(byNanoseconds: 1_000))
        let position = LogPosition(
            sequence: last.sequence + 1, instant: instant, name: EntryName(rawValue: names.next()))
        let entry = RawEntry(position: position, previous: last.name, payload: content.bytes)
        entries.append(entry)
        return entry
    }

    @discardableResult
    mutating func append(_ requests: [Request]) -> RawEntry { append(.turn(requests)) }

    static func machine(epoch: String = "e") -> Machine {
        Machine(
            engine: Engine(configuration: Engine.Configuration(planner: NoFormats())),
            retries: RetryMemory([], capacity: 1_000, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: epoch, deliveries: "wh-\(epoch)",
            sharesTurns: true)
    }

    /// An entry as a replica reads it.
    static func read(_ raw: RawEntry, waiters: [WaiterID?] = []) throws(UnreadableEntry) -> LogEntry {
        var content = try LogContent(raw.payload, rules: rules)
        if case .turn(var requests) = content {
            for (index, waiter) in zip(requests.indices, waiters) { requests[index].waiter = waiter }
            content = .turn(requests)
        }
        return LogEntry(position: raw.position, previous: raw.previous, content: content)
    }
}

/// A machine that follows a log.
struct Replica {
    var machine = LogScript.machine()
    private var follower = Follower(period: LogScript.period)

    /// Of all events that followed.
    private(set) var ids: [EventID] = []

    var digest: StateDigest { follower.digest }
    var position: LogPosition { follower.position }
    var nextDue: Instant? { follower.nextDue(of: machine) }

    func reachesMilestone(at now: Instant) -> Bool { follower.reachesMilestone(of: machine, at: now) }

    /// Takes an entry.
    /// - Returns: What followed.
    @discardableResult
    mutating func take(_ raw: RawEntry, waiters: [WaiterID?] = []) throws -> [Outcome] {
        try take(LogScript.read(raw, waiters: waiters))
    }

    /// Takes an entry that was read.
    /// - Returns: What followed.
    @discardableResult
    mutating func take(_ entry: LogEntry) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        try follower.apply(entry, by: &machine) { consequence, machine in
            guard case .turn(let outcome) = consequence else { return }
            outcomes.append(outcome)
            for event in outcome.events { ids.append(EventID(epoch: machine.epoch, number: event.number)) }
        }
        return outcomes
    }
}
