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
    var kept: [KeptEvents] { [] }
}

enum LogMachines {
    static let empty: @Sendable (String) -> Machine = { epoch in
        Machine(
            engine: Engine(configuration: Engine.Configuration(planner: NoFormats())),
            retries: RetryMemory([], capacity: 100, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: epoch, deliveries: "wh", sharesTurns: true)
    }
}
