// Pauses, resumptions and removals of all schedules. Each is executed in portions, so that ticks and other requests can run
// in between, and answered with the last portion. One runs at a time.

import Board
package import Tween
package import Wire

/// Requests that affect all schedules.
package struct SweepRequests {
    /// The current request.
    var current: (request: CommandRequest, acceptance: Acceptance)?
    /// Requests that wait for the current one to end.
    var waiting: [CommandRequest] = []
    /// The maximum number of waiting requests.
    package static let maximumWaiting = 64
}

extension Command {
    /// Whether it affects all schedules.
    var isSweep: Bool {
        switch self {
        case .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: true
        case .update, .define, .remove, .play, .schedule, .notify, .pauseSchedule, .resumeSchedule: false
        }
    }
}

extension Machine {
    /// Whether a change of all schedules is running, unanswered or waiting.
    package var isSweeping: Bool { engine.isSweeping || sweeps.current != nil || !sweeps.waiting.isEmpty }

    /// The number of waiting requests that affect all schedules.
    package var waitingSweeps: Int { sweeps.waiting.count }

    /// Queues a request.
    mutating func enqueue(_ request: CommandRequest, _ outcome: inout Outcome) {
        guard sweeps.waiting.count < SweepRequests.maximumWaiting else {
            let problem = Problem(
                503, "Service Unavailable", "too many changes to all schedules are waiting; try again in a moment",
                retryAfter: 1)
            return answer(request.waiter, .problem(problem), &outcome)
        }
        sweeps.waiting.append(request)
    }

    /// Executes the next portion.
    mutating func continueSweep(at now: Instant, _ outcome: inout Outcome) {
        engine.continueSweep()
        outcome.isPortion = true
        collectEvents(into: &outcome)
        guard !engine.isSweeping else { return }
        if let (request, acceptance) = sweeps.current {
            sweeps.current = nil
            complete(request, acceptance, at: now, &outcome)
        }
        while !engine.isSweeping, !sweeps.waiting.isEmpty, outcome.counts.commands < Self.commandsPerTurn {
            apply(sweeps.waiting.removeFirst(), at: now, &outcome)
        }
    }

    /// Abandons all sweeps because nothing can be stored. A pause or resumption stays as far as the store has it; schedules
    /// that were not removed yet stay. Waiting requests are rejected.
    package mutating func abandonSweeps(because problem: Problem, at now: Instant) -> Outcome {
        engine.cancelRemoval()
        let requests = (sweeps.current.map { [$0.request] } ?? []) + sweeps.waiting
        sweeps = SweepRequests()
        var outcome = Outcome(at: now)
        for request in requests { answer(request.waiter, .problem(problem), &outcome) }
        return outcome
    }
}
