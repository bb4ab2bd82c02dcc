// A turn of the service in progress: what the machine has executed of it, and whether there is room for more.

import Machine

/// A turn in progress. The machine executes each request when it is submitted, so none is left over for the next turn.
struct RunningTurn {
    /// The machine's input besides requests.
    var turn: Turn
    /// The work that streams' topics had taken when the turn began.
    let subscriptionWork: Int
    /// Whether the turn holds as much as one may. Stored, since computing it would copy the outcome.
    private(set) var isFull = false
    /// Whether the result of all requests so far was taken.
    private(set) var isTaken = false
    /// The result since it was last taken.
    private var outcome: Outcome
    private var hasBegun = false
    private var commands = 0
    private var bytes = 0

    /// - Parameter requests: About how many requests will follow.
    init(_ turn: Turn, subscriptionWork: Int = 0, requests: Int = 0) {
        self.turn = turn
        self.subscriptionWork = subscriptionWork
        outcome = Outcome(at: turn.instant)
        outcome.events.reserveCapacity(requests)
        outcome.answers.reserveCapacity(requests)
    }

    /// Executes a request.
    mutating func execute(_ request: Request, by machine: inout Machine) {
        begin(machine: &machine)
        machine.take(request, at: turn.instant, &outcome)
        measure()
    }

    /// Executes the portions, and returns the result so far. What follows is a result of its own.
    mutating func takeOutcome(of machine: inout Machine) -> Outcome {
        begin(machine: &machine)
        machine.end(turn, &outcome)
        measure()
        let taken = outcome
        commands += taken.counts.commands
        bytes += taken.counts.bytes
        turn = Turn(at: turn.instant, tick: turn.tick)
        turn.advances = false
        outcome = Outcome(at: turn.instant)
        hasBegun = false
        isTaken = true
        return taken
    }

    private mutating func measure() {
        isFull =
            commands + outcome.counts.commands >= Machine.commandsPerTurn
            || bytes + outcome.counts.bytes >= Machine.bytesPerTurn
    }

    private mutating func begin(machine: inout Machine) {
        guard !hasBegun else { return }
        hasBegun = true
        isTaken = false
        machine.begin(turn, &outcome)
    }
}
