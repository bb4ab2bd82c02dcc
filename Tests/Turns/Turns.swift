// Random turns and everything that follows from them, as text: two processes that are given the same seed must say the
// same, though they hash differently, and though one of them is written down and read back now and then.
// `turns SEED COUNT [EVERY]`

import Board
import Machine
import Primitives
import TestSupport
import Tween
import Wire

@main
enum Turns {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard (2...3).contains(arguments.count) else {
            print("usage: turns SEED COUNT [EVERY]")
            return
        }
        let every = arguments.count == 3 ? arguments[2] : .max
        // Differs from process to process; else nothing would be shown.
        print("hash \(ResourceName(.ticker, "a").hashValue)")
        var script = RandomTurns(seed: arguments[0])
        for number in 1...arguments[1] {
            script.take()
            if number % every == 0 { script.restore() }
        }
        script.tellAll()
    }
}

/// A machine that is given turns by a seed.
private struct RandomTurns {
    private var machine: Machine
    private var random: SeededRandom
    private var now = Instant(nanoseconds: 1_700_000_000_000_000_000)
    private var batch: BatchPart?
    private var keys = 0
    /// Webhooks to be called.
    private var calls: [WebhookCall] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        machine = Self.machine(at: now)
    }

    private static func machine(at now: Instant) -> Machine {
        var board = Engine.Configuration(planner: NoFormats())
        board.maximumSchedulesPerSweep = 3
        board.maximumStepsPerAdvance = 5
        return Machine(
            engine: Engine(configuration: board, tracks: 0, schedules: 0),
            retries: RetryMemory([], capacity: 1_000, at: now),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh", sharesTurns: true)
    }

    /// Goes on from a snapshot, which must be the same when it is written again.
    mutating func restore() {
        let pieces = snapshot()
        var restored = Self.machine(at: now)
        let faces = FaceShelf(planner: NoFormats())
        do throws(ByteReader.Damage) {
            for (piece, bytes) in pieces {
                switch piece {
                case .tracks, .schedules:
                    restored.seat(try Machine.resources(bytes, faces: faces, rules: NoCalendar()))
                default: try restored.read(piece, bytes, rules: NoCalendar())
                }
            }
        } catch {
            preconditionFailure("the snapshot can't be read")
        }
        machine = restored
        let again = snapshot()
        precondition(again.map(\.0) == pieces.map(\.0) && again.map(\.1) == pieces.map(\.1), "it is another one")
    }

    private func snapshot() -> [(SnapshotPiece, [UInt8])] {
        var pieces: [(SnapshotPiece, [UInt8])] = []
        machine.writeSnapshot { pieces.append(($0, $1)) }
        return pieces
    }

    mutating func take() {
        now = now.advanced(bySeconds: random.double(0...2))
        if random.chance(0.02) { setClock() }
        var turn = Turn(at: now, tick: now.nanoseconds / 16_666_667)
        turn.isTick = random.chance(0.3)
        turn.advances = !random.chance(0.1)
        turn.requests = (0..<random.int(0...12)).map { _ in request() }
        if machine.isSweeping { turn.portions.append(.sweep) }
        if let batch { turn.portions.append(.batch(batch)) }
        batch = nil
        let outcome = machine.take(turn)
        follow(outcome)
        print(OutcomeText.lines(of: outcome, in: machine).joined(separator: "\n"))
    }

    /// The whole board, as it would be stored.
    func tellAll() {
        for kind in ResourceKind.allCases {
            for name in machine.engine.names(of: kind, beginningWith: "", after: nil, limit: .max) {
                print("at the end", OutcomeText.record(of: name, in: machine))
            }
        }
        for (piece, bytes) in snapshot() { print("snapshot \(piece)", bytes) }
        print("\(machine.lastEvent) events, \(machine.retries.count) answers, \(machine.outbox.pendingCount) webhooks")
    }

    private mutating func setClock() {
        let shift = Int64(random.int(-7_200...7_200)) * 1_000_000_000
        now = now.advanced(byNanoseconds: shift)
        machine.shift(byNanoseconds: shift, at: now)
    }

    private mutating func follow(_ outcome: Outcome) {
        for (id, delivery) in outcome.deliveries {
            calls.removeAll { $0.id == id }
            if let delivery, !delivery.isDead { calls.append(WebhookCall(id: id, attempt: delivery.attempts + 1)) }
        }
        for result in outcome.batches {
            guard case .worked(let work) = result.result, let known = lastBatch, work.next < known.count else {
                continue
            }
            batch = BatchPart(
                known.lines.dropFirst(work.next), from: work.next, of: known.count, retry: known.retry,
                ticket: known.ticket)
        }
    }

    private var lastBatch: BatchPart?

    // MARK: - Requests

    private mutating func request() -> Request {
        switch random.int(0...19) {
        case 0: return batchRequest()
        case 1 where !calls.isEmpty:
            let call = calls.removeFirst()
            let status = random.pick([200, 404, 503])
            return .webhookEnded(
                call, .answered(status: status, retryAfter: nil), jitter: random.double(0...0.99))
        case 3:
            let name = ResourceName(.ticker, "t\(random.int(0...30))")
            let replica = random.pick(["a", "b", "c"])
            return random.chance(0.2) ? .left(replica) : .heard(name, random.chance(0.6), on: replica)
        case 2: return .deadLetter(id: "wh-\(random.int(1...40))", random.pick([.retry, .discard]), 9)
        default: return .command(command())
        }
    }

    private mutating func batchRequest() -> Request {
        // A feed that counts one number up, or all sorts of things.
        let counted = Command.update(ResourceName(.ticker, "t0"), update(#""by":1,"duration":0"#, of: .ticker))
        let isFeed = random.chance(0.3)
        let lines = (0..<random.int(1...150)).map { _ -> Result<Command, Problem> in
            random.chance(0.05) ? .failure(.notFound) : .success(isFeed ? counted : command().command)
        }
        let retry = random.chance(0.5) ? RetryKey(key: "b\(random.int(0...9))", fingerprint: 1) : nil
        let part = BatchPart(lines, retry: retry, ticket: 5)
        lastBatch = part
        return .batch(part)
    }

    private mutating func command() -> CommandRequest {
        let track = ResourceName(random.chance(0.7) ? .ticker : .progress, "t\(random.int(0...30))")
        let schedule = ResourceName(.schedule, "s\(random.int(0...15))")
        let shown = CommandRequest.Form.resource(status: 200, created: 201)
        var request =
            switch random.int(0...19) {
            case 0: CommandRequest(.remove(track), as: .noContent)
            case 1...2: CommandRequest(.play(track, operation()), showing: track, as: shown)
            case 3...4: CommandRequest(.schedule(schedule, definition()), showing: schedule, as: shown)
            case 5:
                CommandRequest(
                    random.chance(0.5) ? .pauseSchedule(schedule) : .resumeSchedule(schedule), as: .noContent)
            case 6: CommandRequest(random.chance(0.5) ? .pauseAllSchedules : .resumeAllSchedules, as: .schedules)
            case 7: CommandRequest(random.chance(0.2) ? .removeAllSchedules : .remove(schedule), as: .noContent)
            case 8:
                CommandRequest(
                    .define(track, update(#""duration":3"#, of: track.kind, .definition)), showing: track, as: shown)
            case 9: CommandRequest(.update(track, update(motion(), of: track.kind)), showing: track, as: .stream)
            default: CommandRequest(.update(track, update(motion(), of: track.kind)), showing: track, as: shown)
            }
        request.ticket = random.int(10...99)
        if random.chance(0.2) { request.expected = UInt64(random.int(1...9)) }
        if random.chance(0.3) {
            request.retry = RetryKey(key: "k\(random.int(0...60))", fingerprint: UInt64(random.int(0...2)))
        }
        return request
    }

    private mutating func operation() -> PlaybackOperation {
        random.pick([.pause, .resume, .cancel, .finish, .seekFraction(0.5), .rate(2)])
    }

    private mutating func motion() -> String {
        let goal = random.pick([#""to":\#(random.int(0...500))"#, #""by":\#(random.int(1...9))"#])
        let timing = random.pick([
            #""duration":0"#, #""duration":\#(random.int(1...5))"#, #""duration":2,"repeat":2,"autoreverse":true"#,
            #""spring":{"duration":0.5,"bounce":0.3}"#, #""duration":1,"interrupt":"queue""#,
        ])
        let extra = random.pick([
            "", #","milestones":[3,50]"#, #","label":"n 0""#, #","ttl":5"#, ",\"then\":[\(action())]",
            ",\"else\":[\(action())]", #","start":{"after":"ticker:t1","offset":0.5}"#,
        ])
        return goal + "," + timing + extra
    }

    private mutating func action() -> String {
        random.pick([
            #"{"notify":"n","data":{"a":1}}"#, #"{"webhook":"https://a.example/\#(random.int(0...3))"}"#,
            #"{"ticker":"t\#(random.int(0...30))","by":1,"duration":0}"#,
            #"{"progress":"t1","current":50,"duration":1}"#, #"{"notify":"n","delay":\#(random.int(0...3))}"#,
            #"{"op":"\#(random.pick(["pause", "resume", "cancel", "finish", "delete"]))","ticker":"t1"}"#,
            #"{"schedule":{"id":"s1","in":1,"do":[{"notify":"n"}]}}"#, #"{"ticker":"t2","label":"n 7"}"#,
        ])
    }

    private func update(
        _ members: String, of kind: ResourceKind, _ role: UpdateDecoder.Role = .update
    ) -> TrackUpdate {
        let body = kind == .progress ? members.replacing("\"to\"", with: "\"current\"") : members
        do throws(Problem) {
            return try UpdateDecoder.update(Array("{\(body)}".utf8), kind: kind, role: role)
        } catch {
            preconditionFailure("\(body): \(error.detail)")
        }
    }

    private mutating func definition() -> ScheduleDefinition {
        let timing = random.pick([#""every":\#(random.int(1...9))"#, #""in":\#(random.int(0...9))"#])
        do throws(Problem) {
            let body = Array(#"{\#(timing),"do":[\#(action())]}"#.utf8)
            return try ScheduleDecoder.definition(body, rules: NoCalendar()).definition
        } catch {
            preconditionFailure(error.detail)
        }
    }
}
