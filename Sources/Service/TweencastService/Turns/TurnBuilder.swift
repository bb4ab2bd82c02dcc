// Decides how much one turn handles.

import Machine

/// A turn in preparation, and how much it holds so far.
struct TurnBuilder {
    /// The machine's input.
    var turn: Turn
    /// The number of messages handled.
    var taken = 0
    /// The topics of all streams when the turn began.
    let links: Int
    private var commands = 0
    private var bytes = 0

    init(_ turn: Turn, links: Int) {
        self.turn = turn
        self.links = links
    }

    /// Whether the turn holds as much as one may.
    var isFull: Bool {
        max(commands, taken) >= Machine.commandsPerTurn || bytes >= Machine.bytesPerTurn
    }

    /// Counts what the machine has handled.
    mutating func count(_ outcome: Outcome) {
        taken += outcome.taken
        commands += outcome.counts.commands
        bytes += outcome.counts.bytes
    }

    /// Counts a message that did not go to the machine.
    mutating func countMessage() { taken += 1 }
}
