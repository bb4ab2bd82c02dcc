// How much of what waits one turn takes.

import Machine

/// A turn that is being put together, and what its parts have come to so far.
struct TurnBuilder {
    /// What has been gathered for the machine.
    var turn: Turn
    /// Messages that were taken.
    var taken = 0
    /// Topics of all streams when it began.
    let links: Int
    private var commands = 0
    private var bytes = 0

    init(_ turn: Turn, links: Int) {
        self.turn = turn
        self.links = links
    }

    /// Whether it has come to as much as one turn takes.
    var isFull: Bool {
        max(commands, taken) >= Machine.commandsPerTurn || bytes >= Machine.bytesPerTurn
    }

    /// Counts what the machine has taken.
    mutating func count(_ outcome: Outcome) {
        taken += outcome.taken
        commands += outcome.counts.commands
        bytes += outcome.counts.bytes
    }

    /// Counts a message that was none of the machine's.
    mutating func countMessage() { taken += 1 }
}
