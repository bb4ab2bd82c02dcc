// Pauses, resumptions and removals of all schedules: worked off in portions, between which ticks and other requests have
// their turn; answered when the last portion is committed. They come one after another.

import Board
import Storage
import Tween
import Wire

/// Requests that concern all schedules.
struct SweepRequests {
    /// The one that is being worked off.
    var current: (request: CommandRequest, acceptance: Acceptance)?
    /// Those that wait for its end.
    var waiting: [CommandRequest] = []
    /// The most that may wait.
    static let maximumWaiting = 64
}

extension Command {
    /// Whether it concerns all schedules.
    var isSweep: Bool {
        switch self {
        case .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: true
        case .update, .define, .remove, .play, .schedule, .pauseSchedule, .resumeSchedule: false
        }
    }
}

extension Conductor {
    /// Whether a change to all schedules is under way, not answered yet, or waits.
    var isSweeping: Bool { engine.isSweeping || sweeps.current != nil || !sweeps.waiting.isEmpty }

    /// Whether there is a portion that can be worked off now.
    var hasSweepToContinue: Bool { isSweeping && admitsPortion }

    /// Has a request wait for its turn.
    func enqueue(_ request: CommandRequest) {
        guard sweeps.waiting.count < SweepRequests.maximumWaiting else {
            let problem = Problem(
                503, "Service Unavailable", "too many changes to all schedules are waiting; try again in a moment",
                retryAfter: 1)
            request.exchange?.send(.problem(problem))
            return
        }
        sweeps.waiting.append(request)
    }

    /// Works off the next portion of what concerns all schedules.
    func continueSweep(at now: Instant) {
        guard hasSweepToContinue else { return }
        workOnSweep(at: now)
    }

    /// Works off everything, for a server that ends.
    func finishSweeps(_ now: () -> Instant) {
        while outage == nil, isSweeping {
            let now = now()
            workOnSweep(at: now)
            commit(at: now)
        }
        abandonSweeps(because: StoreError(.closed, "the server ends"))
    }

    /// The store takes nothing. What was paused or resumed goes on being so for all as far as the store has it; what was
    /// not removed yet stays.
    func abandonSweeps(because error: StoreError) {
        engine.cancelRemoval()
        let requests = (sweeps.current.map { [$0.request] } ?? []) + sweeps.waiting
        sweeps = SweepRequests()
        for request in requests { request.exchange?.send(.problem(Problem(error))) }
    }

    private func workOnSweep(at now: Instant) {
        engine.continueSweep()
        notePortion()
        publishEvents(at: now)
        guard !engine.isSweeping else { return }
        if let (request, acceptance) = sweeps.current {
            sweeps.current = nil
            complete(request, acceptance, at: now)
        }
        while !engine.isSweeping, !sweeps.waiting.isEmpty, turnCommands < Self.commandsPerTurn {
            apply(sweeps.waiting.removeFirst(), at: now)
        }
    }
}
