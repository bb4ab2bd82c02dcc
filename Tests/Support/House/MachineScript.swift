// A machine driven by a test: it gives turns and gets outcomes.

package import Base
package import Board
package import Machine
package import Tween
package import Wire

/// A machine with a manual clock; seconds count from zero.
package struct MachineScript {
    package var machine: Machine
    package private(set) var time = 0.0

    package init(retryKeys: Int = 100, schedulesPerSweep: Int = 500, sharesTurns: Bool = false) {
        var board = Engine.Configuration(planner: NoFormats())
        board.maximumSchedulesPerSweep = schedulesPerSweep
        machine = Machine(
            engine: Engine(configuration: board),
            retries: RetryMemory([], capacity: retryKeys, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh",
            sharesTurns: sharesTurns)
    }

    package var now: Instant { Instant(nanoseconds: 0).advanced(bySeconds: time) }

    /// Returns a turn at the current instant.
    package func turn() -> Turn { Turn(at: now, tick: Int64(time * 60)) }

    package mutating func wait(_ seconds: Double) { time += seconds }

    @discardableResult
    package mutating func take(_ requests: [Request], portions: [WorkSlice] = [], isTick: Bool = false) -> Outcome {
        var turn = turn()
        turn.requests = requests
        turn.portions = portions
        turn.isTick = isTick
        return machine.apply(turn)
    }

    /// Returns an update of a ticker, or of a progress.
    package static func update(
        _ id: String, _ json: String, of kind: ResourceKind = .ticker, waiter: WaiterID? = 1, key: String? = nil
    ) throws(Problem) -> Request {
        let name = ResourceName(kind, id)
        let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
        var command = CommandRequest(.update(name, update), showing: name, as: .resource(status: 202, created: 201))
        command.waiter = waiter
        command.retry = key.map { RetryKey(key: $0, fingerprint: UInt64(json.utf8.count)) }
        return .command(command)
    }

    /// Decodes lines of a batch.
    package static func lines(_ lines: [String]) -> [Result<Command, Problem>] {
        lines.map { line in
            do throws(Problem) {
                return .success(try BatchDecoder.command(Array(line.utf8)[...]))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Outcome {
    /// The names of the events, with their numbers.
    package var told: [String] {
        events.map { event in
            switch event.content {
            case .one(let one): "\(event.number) \(EventEncoder.name(of: one) ?? "")"
            case .completions(_, let completions): "\(event.number) crowd of \(completions.count)"
            }
        }
    }

    /// The answers' statuses, by waiter.
    package var statuses: [WaiterID: Int] {
        Dictionary(answers.map { ($0.waiter, $0.answer.status) }, uniquingKeysWith: { first, _ in first })
    }
}
