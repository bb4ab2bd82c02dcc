// Log lines for the notes that the machine's turns leave.

import Board
import Gateway
import Machine
import Persistence
import Wire

extension Log {
    /// Logs what a change of the clock has shifted.
    static func write(_ kind: LogKind, _ level: LogLevel, _ message: String, _ moved: TimelineShift) {
        write(
            kind, level, message,
            [
                "seconds": .real(Double(moved.nanoseconds) / 1e9), "motions": .whole(moved.motions),
                "intervals": .whole(moved.intervals), "dates": .whole(moved.dates), "webhooks": .whole(moved.webhooks),
            ])
    }

    /// Logs the store's failures, and that it works again.
    static let writeOfStore: StoreReport = { message, detail in
        write(.store, .error, message, detail.isEmpty ? [:] : ["detail": .text(detail)])
    }

    /// Logs that a token or an address exceeded a limit.
    static let writeOfLimit: @Sendable (OwnerLimits.Name, String) -> Void = { name, owner in
        write(.limit, .warning, "limit reached", ["name": .text(name.rawValue), "owner": .text(owner)])
    }

    /// Logs the notes of a turn.
    static func write(_ notes: [Outcome.Note]) {
        for record in notes {
            switch record {
            case .actionRefused(let name, let error):
                write(
                    .action, .warning, "an action was refused",
                    ["by": "\(name.kind)/\(name.id)", "reason": .text(Problem(error).detail)])
            case .webhookGivenUp(let delivery):
                write(
                    .webhook, .warning, "a webhook was given up",
                    [
                        "webhook": .text(delivery.id), "by": "\(delivery.by.kind)/\(delivery.by.id)",
                        "attempts": .whole(delivery.attempts), "reason": .text(delivery.failure ?? ""),
                    ])
            case .noRoomForRetry(let client, let seconds):
                write(
                    .limit, .warning, "no room for the answer to a request with an Idempotency-Key",
                    ["owner": .text(client ?? ""), "seconds": .whole(seconds)])
            }
        }
    }
}
