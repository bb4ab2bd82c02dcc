// A machine that follows a log, and says what comes of each entry.

import Base
import Board
import Gateway
import Machine
import RecurrenceRules
import Replication
import Tween
import Wire

/// What a replica makes of a log, with the calendars and formats that replicas have.
struct FollowedMachine {
    /// Nanoseconds between ticks.
    private static let period: Int64 = 16_666_666
    /// Entries between two looks at the whole board.
    private static let look: UInt64 = 2_000

    private(set) var machine = Self.empty
    private var follower = Follower(period: Self.period)
    /// Of all that was said so far.
    private var text = Fingerprint()
    private var fired = 0
    private let rules = ZonedCalendar()
    private static let planner = LocalePlanner()

    private static var empty: Machine {
        Machine(
            engine: Engine(configuration: Engine.Configuration(planner: planner)),
            retries: RetryMemory([], capacity: 1_000, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh-e", sharesTurns: true)
    }

    var position: LogPosition { follower.position }
    var nextDue: Instant? { follower.nextDue(of: machine) }

    /// Carries an entry out, and says what it has come to.
    /// - Parameter waiter: Of who waits for a batch.
    mutating func take(_ raw: RawEntry, waiter: WaiterID? = nil) throws -> [Outcome] {
        var content = try LogContent(raw.payload, rules: rules)
        if let waiter, case .turn(var requests) = content {
            for index in requests.indices { if case .batch = requests[index] { requests[index].waiter = waiter } }
            content = .turn(requests)
        }
        var outcomes: [Outcome] = []
        var lines: [String] = []
        let entry = LogEntry(position: raw.position, previous: raw.previous, content: content)
        try follower.apply(entry, by: &machine) { consequence, machine in
            guard case .turn(let outcome) = consequence else { return }
            outcomes.append(outcome)
            lines += OutcomeText.lines(of: outcome, in: machine)
        }
        tell(lines)
        return outcomes
    }

    /// Events as they are; of the rest what tells it from anything else. Whoever asked is another replica's matter.
    private mutating func tell(_ lines: [String]) {
        for line in lines where !line.hasPrefix("answer ") && !line.hasPrefix("batch ") {
            text.add(line.utf8)
            if line.contains(" fired ") { fired += 1 }
            if line.hasPrefix("event ") { print(line) }
        }
        let (number, instant) = (position.sequence, position.instant.nanoseconds)
        print("entry \(number) at \(instant): \(String(follower.digest.value, radix: 16)) \(text.value)")
        if number % Self.look == 0 { tellBoard() }
    }

    /// The board, as a snapshot has it.
    private func tellBoard() {
        var whole = Fingerprint()
        for (piece, bytes) in MachineImage.pieces(of: machine) {
            whole.add("\(piece)".utf8)
            whole.add(bytes)
        }
        print("board \(whole.value)")
    }

    /// Goes on from a snapshot, as one does that comes later.
    mutating func restore() throws {
        machine = try MachineImage.restored(machine, in: Self.empty, planner: Self.planner, rules: rules)
        follower = Follower(at: follower.position, digest: follower.digest, period: Self.period)
    }

    func tellAll() {
        tellBoard()
        print("\(position.sequence) entries, \(machine.lastEvent) events, \(fired) firings")
    }
}
