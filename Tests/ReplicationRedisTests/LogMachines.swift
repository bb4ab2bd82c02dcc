// Boards that logs of tests begin with.

import Base
import Board
import Machine
import Replication
import TestSupport
import Tween

/// Keeps no events.
struct NoEvents: EventRecording {
    mutating func record(_ outcome: Outcome, epoch: String) {}
    mutating func restore(_ events: [KeptEvents]) {}
    mutating func shift(byNanoseconds nanoseconds: Int64) {}
    var kept: [KeptEvents] { [] }
}

enum LogMachines {
    static let empty: @Sendable (String) -> Machine = { epoch in
        Machine(
            engine: Engine(configuration: Engine.Configuration(planner: NoFormats())),
            retries: RetryMemory([], capacity: 100, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: epoch, deliveries: "wh", sharesTurns: true)
    }

    /// Nobody else has a test's board.
    static let patience: Int64 = 100_000_000

    static func needs(_ name: String, period: Int64 = 16_666_666, _ news: News) -> LogContext {
        LogContext(
            name: name, period: period, epoch: "e-\(name)", rules: NoCalendar(), planner: NoFormats(),
            post: { news.post($0) }, look: { _ in }, prepare: { _ in }, machine: empty, recorder: { NoEvents() })
    }

    /// An entry that counts one up.
    static func draft(_ number: UInt64, due: Instant? = nil) throws -> DraftEntry {
        let update = try MachineScript.update("t", #"{"by":1,"duration":0}"#)
        return DraftEntry(EntryName(rawValue: number), LogContent.turn([update]).bytes, due: due)
    }

    /// The board to which entries lead.
    static func board(of entries: [LogEntry], epoch: String) throws -> LoadedBoard {
        var (machine, follower) = (empty(epoch), Follower(period: 16_666_666))
        for entry in entries { try follower.apply(entry, by: &machine) { _, _ in } }
        return LoadedBoard(machine: machine, follower: follower, events: [])
    }
}
