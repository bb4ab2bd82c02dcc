// Pauses, resumptions and removals of all schedules: worked off in portions, between which ticks and other requests have
// their turn; answered with the last portion. They come one after another.

import Board
package import Tween
package import Wire

/// Requests that concern all schedules.
package struct SweepRequests {
    /// The one that is being worked off.
    var current: (request: CommandRequest, acceptance: Acceptance)?
    /// Those that wait for its end.
    var waiting: [CommandRequest] = []
    /// The most that may wait.
    package static let maximumWaiting = 64
}

extension Command {
    /// Whether it concerns all schedules.
    var isSweep: Bool {
        switch self {
        case .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: true
        case .update, .define, .remove, .play, .schedule, .notify, .pauseSchedule, .resumeSchedule: false
        }
    }
}

extension Machine {
    /// Whether a change to all schedules is under way, not answered yet, or waits.
    package var isSweeping: Bool { engine.isSweeping || sweeps.current != nil || !sweeps.waiting.isEmpty }

    /// How many requests that concern all schedules wait.
    package var waitingSweeps: Int { sweeps.waiting.count }

    /// Has a request wait for its turn.
    mutating func enqueue(_ request: CommandRequest, _ outcome: inout Outcome) {
        guard sweeps.waiting.count < SweepRequests.maximumWaiting else {
            let problem = Problem(
                503, "Service Unavailable", "too many changes to all schedules are waiting; try again in a moment",
                retryAfter: 1)
            return answer(request.ticket, .problem(problem), &outcome)
        }
        sweeps.waiting.append(request)
    }

    /// Works off the next portion.
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

    /// Nothing can be stored. What was paused or resumed goes on being so for all as far as the store has it; what was not
    /// removed yet stays. Whoever waits is refused.
    package mutating func abandonSweeps(because problem: Problem, at now: Instant) -> Outcome {
        engine.cancelRemoval()
        let requests = (sweeps.current.map { [$0.request] } ?? []) + sweeps.waiting
        sweeps = SweepRequests()
        var outcome = Outcome(at: now)
        for request in requests { answer(request.ticket, .problem(problem), &outcome) }
        return outcome
    }
}
