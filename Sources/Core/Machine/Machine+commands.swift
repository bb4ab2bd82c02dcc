// Commands: applied at once, but for changes of all schedules, which wait for each other; and answered with the commit that contains them.

import Base
package import Board
package import Tween
import Wire

extension Machine {
    mutating func apply(_ request: CommandRequest, at now: Instant, _ outcome: inout Outcome) {
        outcome.counts.commands += 1
        if let retry = request.retry, settle(retry, request.waiter, at: now, &outcome) { return }
        if request.command.isSweep, engine.isSweeping || sweeps.current != nil { return enqueue(request, &outcome) }
        let before = lastEventID
        let acceptance: Acceptance
        do throws(CommandError) {
            acceptance = try engine.apply(request.command, at: now, expecting: request.precondition)
        } catch {
            collectEvents(into: &outcome)
            answer(request.waiter, .problem(Problem(error)), &outcome)
            return
        }
        outcome.counts.accepted += 1
        collectEvents(into: &outcome)
        if request.form == .stream, let name = request.name {
            let goal = goal(of: acceptance, on: name)
            let start = StreamStart(
                name: name, after: before, until: goal, track: engine.track(name), isAgain: false, at: now)
            if let retry = request.retry {
                let kept = KeptAnswer(status: 200, content: .stream(name, after: before, until: goal))
                outcome.retries.append(retries.remember(kept, to: retry, at: now))
            }
            answer(request.waiter, .stream(start), &outcome)
            return
        }
        guard !request.command.isSweep || !engine.isSweeping else {
            sweeps.current = (request, acceptance)
            return
        }
        complete(request, acceptance, at: now, &outcome)
    }

    /// Returns what the stream that answers a change ends with.
    private func goal(of acceptance: Acceptance, on name: ResourceName) -> StreamGoal {
        name.kind == .schedule ? .firing : acceptance.animation.map { StreamGoal.motion($0) } ?? .rest
    }

    /// Answers a command that was executed.
    mutating func complete(
        _ request: CommandRequest, _ acceptance: Acceptance, at now: Instant, _ outcome: inout Outcome
    ) {
        // No client waits for the answer, and none is kept.
        guard request.waiter != nil || request.retry != nil else { return }
        let answer = answer(to: request, acceptance, at: now)
        if let retry = request.retry {
            outcome.retries.append(retries.remember(KeptAnswer(answer, showing: request.name), to: retry, at: now))
        }
        self.answer(request.waiter, answer, &outcome)
    }

    func answer(_ waiter: WaiterID?, _ answer: Answer, _ outcome: inout Outcome) {
        if let waiter { outcome.answers.append((waiter, answer)) }
    }

    private func answer(to request: CommandRequest, _ acceptance: Acceptance, at now: Instant) -> Answer {
        switch request.form {
        case .noContent, .stream: return .noContent
        case .schedules: return .schedules(isPaused: engine.schedulesPaused, count: engine.pendingSchedules)
        case .resource(let status, let created):
            guard let name = request.name, var state = state(of: name, preview: request.preview, at: now) else {
                return .noContent
            }
            state.isLate = acceptance.isLate
            return .resource(state, status: acceptance.created ? created : status, isNew: acceptance.created)
        }
    }

    /// Returns a resource's current state.
    /// - Parameter preview: The number of a schedule's next instants to include.
    package func state(of name: ResourceName, preview: Int = 0, at now: Instant) -> ResourceState? {
        if name.kind == .schedule {
            return engine.schedule(name).map {
                ResourceState(
                    content: .schedule($0, isHeld: engine.isHeld($0), preview: preview), instant: now)
            }
        }
        return engine.track(name).map { ResourceState(content: .track($0), instant: now) }
    }

    // MARK: - Retries

    /// Answers a request that was answered before with the same key, or whose answer can't be kept.
    /// - Returns: false if the request must be executed.
    private mutating func settle(
        _ retry: RetryKey, _ waiter: WaiterID?, at now: Instant, _ outcome: inout Outcome
    ) -> Bool {
        let finding = retries.finding(for: retry, at: now)
        if case .unknown = finding, retries.admits(retry, at: now) { return false }
        answer(waiter, answer(finding, to: retry, at: now, &outcome), &outcome)
        return true
    }

    /// Returns the answer to a request whose key is known, or whose answer can't be kept.
    func answer(
        _ finding: RetryMemory.Finding, to retry: RetryKey, at now: Instant, _ outcome: inout Outcome
    ) -> Answer {
        switch finding {
        case .unknown: return .problem(noRoom(for: retry, at: now, &outcome))
        case .unfinished, .differs:
            return .problem(
                Problem(
                    422, "Unprocessable Content", "this Idempotency-Key was used for a different request; use a new one"
                ))
        case .answered(let kept):
            switch kept.content {
            case .body: return .again(kept, state: nil)
            case .resource(let name):
                return state(of: name, at: now).map { .again(kept, state: $0) } ?? Self.gone
            case .stream(let name, let event, let goal):
                guard engine.slot(of: name) != nil else { return Self.gone }
                return .stream(StreamStart(name: name, after: event, until: goal, isAgain: true, at: now))
            }
        }
    }

    private static let gone = Answer.problem(
        Problem(410, "Gone", "this request was carried out, but its resource has since been removed"))

    /// The answer to a request with a key when there is no room to keep its answer.
    private func noRoom(for retry: RetryKey, at now: Instant, _ outcome: inout Outcome) -> Problem {
        let seconds = retries.secondsUntilRoom(at: now)
        outcome.notes.append(.noRoomForRetry(client: retry.client, seconds: seconds))
        return Problem(
            503, "Service Unavailable",
            "there is no room to keep the answer for retries, so nothing was changed; try without Idempotency-Key",
            retryAfter: seconds)
    }
}
