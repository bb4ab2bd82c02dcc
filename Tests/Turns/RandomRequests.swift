// Requests at random, of every kind that a machine knows.

import Base
import Board
import Machine
import RecurrenceRules
import TestSupport
import Tween
import Wire

/// What clients, and the service itself, might ask.
struct RandomRequests {
    var random: SeededRandom
    /// The next part of a batch that is under way.
    var batch: BatchPart?
    private var lastBatch: BatchPart?
    /// Webhooks to be called.
    private var calls: [(id: String, attempt: Int)] = []
    private let rules: any CalendarRules
    /// When schedules fire, as members of their definition.
    private let timings: [String]

    init(
        seed: UInt64, rules: any CalendarRules = NoCalendar(),
        timings: [String] = (1...9).flatMap { ["\"every\":\($0)", "\"in\":\($0 - 1)"] }
    ) {
        random = SeededRandom(seed: seed)
        (self.rules, self.timings) = (rules, timings)
    }

    /// Takes in what followed: webhooks are called, batches go on.
    mutating func follow(_ outcome: Outcome) {
        for (id, delivery) in outcome.deliveries {
            calls.removeAll { $0.id == id }
            if let delivery, !delivery.isDead { calls.append((id, delivery.attempts + 1)) }
        }
        for result in outcome.batches {
            guard case .worked(let work) = result.result, let known = lastBatch, work.next < known.count else {
                continue
            }
            batch = BatchPart(
                known.lines.dropFirst(work.next), from: work.next, of: known.count, retry: known.retry,
                waiter: known.waiter)
        }
    }

    mutating func request() -> Request {
        switch random.int(0...19) {
        case 0: return batchRequest()
        case 1 where !calls.isEmpty:
            let call = calls.removeFirst()
            let status = random.pick([200, 404, 503])
            return .webhookEnded(
                id: call.id, attempt: call.attempt, .answered(status: status, retryAfter: nil),
                jitter: random.double(0...0.99))
        case 3:
            let name = ResourceName(.ticker, "t\(random.int(0...30))")
            let replica = random.pick(["a", "b", "c"])
            return random.chance(0.2) ? .left(replica) : .heard(name, random.chance(0.6), on: replica)
        case 2 where random.chance(0.2): return .outageEnded
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
        let part = BatchPart(lines, retry: retry, waiter: 5)
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
                    .define(track, update(definitionOfTrack(), of: track.kind, .definition)), showing: track,
                    as: shown)
            case 9: CommandRequest(.update(track, update(motion(), of: track.kind)), showing: track, as: .stream)
            default: CommandRequest(.update(track, update(motion(), of: track.kind)), showing: track, as: shown)
            }
        request.command = request.command.posted(by: random.pick([nil, "a", "b"]))
        request.waiter = random.int(10...99)
        if random.chance(0.2) { request.precondition = .revision(UInt64(random.int(1...9))) }
        if random.chance(0.05) { request.precondition = .absent }
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
            "", #","milestones":[3,50]"#, #","milestones":[20,{"at":40,"do":[\#(action())]}]"#, #","label":"n 0""#,
            #","ttl":5"#, #","label":"١٢٣ ك""#,
            #","label":"Umsatz 1.234,50 €","format":{"locale":"de-DE"}"#, ",\"then\":[\(action())]",
            ",\"else\":[\(action())]", #","start":{"after":"ticker:t1","offset":0.5}"#,
        ])
        return goal + "," + timing + extra
    }

    private mutating func definitionOfTrack() -> String {
        random.pick([
            #""duration":3"#, #""then":[\#(action())]"#, #""milestones":[{"at":60,"do":[\#(action()),\#(action())]}]"#,
        ])
    }

    private mutating func action() -> String {
        random.pick([
            #"{"notify":"n","data":{"a":1}}"#, #"{"webhook":"https://a.example/\#(random.int(0...3))"}"#,
            #"{"ticker":"t\#(random.int(0...30))","by":1,"duration":0}"#,
            #"{"progress":"t1","current":50,"duration":1}"#, #"{"notify":"n","delay":\#(random.int(0...3))}"#,
            #"{"op":"\#(random.pick(["pause", "resume", "cancel", "finish", "delete"]))","ticker":"t1"}"#,
            #"{"schedule":{"id":"s1","in":1,"do":[{"notify":"n"}]}}"#, #"{"ticker":"t2","label":"n 7"}"#,
            #"{"schedule":{"id":"s2","in":1,"ended":"over","ttl":\#(random.int(0...3))}}"#,
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
        let timing = random.pick(timings)
        do throws(Problem) {
            let body = Array(#"{\#(timing),"do":[\#(action())]}"#.utf8)
            return try ScheduleDecoder.definition(body, rules: rules).definition
        } catch {
            preconditionFailure(error.detail)
        }
    }
}
