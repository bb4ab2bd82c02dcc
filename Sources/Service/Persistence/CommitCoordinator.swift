// Writes each turn's changes to the store, in one submission a turn. Answers and events that depend on the changes follow
// once they are stored. While the store can't save changes, requests are rejected, nothing falls due, and the store is
// retried once a second. Owned by one thread. The store reports back with notices.

import Base
package import Board
package import Machine
import OperatingSystem
package import Storage
package import Tween
import Wire

/// Receives what an operator should know about the store.
/// - Parameters:
///   - message: The message; its wording is fixed.
///   - detail: The details of this occurrence; empty if there are none.
package typealias StoreReport = @Sendable (_ message: String, _ detail: String) -> Void

/// A notice from the store, posted on its thread.
package enum StoreNotice: Sendable {
    /// The store could not save changes.
    case failed(StoreError)
    /// What the store still holds of the records it could not save.
    case recovered(Result<StoreRecovery, StoreError>)
    /// The store saves changes again. Carries the number of its failures so far.
    case works(afterFailures: Int)
    /// A portion of a larger change was stored, or failed.
    case portionStored
    /// These webhooks are stored and may be called.
    case webhooksStored([String])
    /// A turn's milestones are stored, or can't be.
    case milestonesStored
}

/// What the owner must do about a notice.
package enum StoreEffect {
    case none
    /// Nothing can be stored for now: abandon the work in progress.
    case abandon(StoreError)
    /// Restore what could not be stored to the state the store holds.
    case goBack(Machine.Kept)
    /// These webhooks are stored: call them.
    case call([String])
    /// A turn's milestones are stored, or can't be: send what waited for them.
    case release
}

/// Submits changes to the store and tracks what it has stored.
package final class CommitCoordinator {
    /// Runs on the store's thread, in the order of the turns.
    package typealias Follower = @Sendable (Result<Void, StoreError>) -> Void

    /// How far the store has been asked what it holds.
    private enum Recovery {
        case none
        /// It is asked once the present turn is submitted.
        case due
        /// It has not answered. It accepts changes from here on, but until the board is restored they would follow changes that
        /// it does not have.
        case underWay
    }

    private let store: any Store
    private let reader: RecordReading
    private let post: @Sendable (StoreNotice) -> Void
    private let report: StoreReport
    /// Submissions that the store has not answered.
    package let commits = CommitsInFlight()
    private var portions = PortionsInFlight()
    private var outage: Outage?
    /// The failure count at which the board was last restored.
    private var knownFailures = 0
    /// Whether all schedules are paused, according to the store.
    private var storedPause: SchedulePause
    /// The latest clock reading to store.
    private var clock: StoreClock?
    private var hasNewClock = false
    /// How much the clock had been set in all by the last reading that was submitted.
    private var submittedShift: Int64?
    private var recovery = Recovery.none
    /// The changes of the present turn, and those held back while the store recovers.
    private var changes: [StoreChange] = []
    private var followers: [Follower] = []
    /// Webhooks added in the present turn.
    private var newWebhooks: [String] = []
    /// Webhooks that the store doesn't have yet, so that they must not be called. The outbox limits their number.
    package private(set) var unstoredWebhooks: Set<String> = []
    /// Whether the turn publishes milestones. Subscribers receive them only after the store has them.
    package private(set) var tellsMilestones = false
    /// Resources changed by the present portion.
    private var portion: [ResourceName]?

    /// - Parameters:
    ///   - pause: Whether all schedules are paused, according to the store.
    ///   - post: Receives notices, on any thread.
    ///   - report: Receives what an operator should know.
    package init(
        _ store: any Store, reader: RecordReading, pause: SchedulePause,
        post: @escaping @Sendable (StoreNotice) -> Void,
        report: @escaping StoreReport
    ) {
        self.store = store
        self.reader = reader
        storedPause = pause
        self.post = post
        self.report = report
    }

    /// Why changes are rejected now; nil if they are accepted.
    package var refusal: StoreError? {
        if let outage { return outage.error }
        return commits.isFull
            ? StoreError(.busy, "too many changes are waiting to be stored; try again in a moment") : nil
    }

    /// Whether the store is failing. Submissions in flight may still succeed.
    package var isOut: Bool { outage != nil }

    /// Whether another portion of a larger change may start.
    package var admitsPortion: Bool { refusal == nil && !portions.isFull }

    package var health: StoreHealth { store.health }

    /// The store's kind, in one word.
    package var storeName: String { store.name }

    /// Returns the size of the store's files in bytes. May block: don't call it on a thread that others wait for.
    package var fileBytes: @Sendable () -> Int { { [store] in store.fileBytes() } }

    /// When the store is retried; nil while it works.
    package var nextDue: Instant? { outage?.nextAttempt }

    /// Retries at once after the wall clock was set.
    package func shift(to now: Instant) {
        if let known = outage, !known.isUnderWay { outage?.nextAttempt = now }
    }

    // MARK: - Turns

    /// Collects a turn's changes for its commit.
    package func record(_ outcome: Outcome, of machine: borrowing Machine) {
        for name in outcome.changed + outcome.passed { changes.append(Self.change(of: name, in: machine.engine)) }
        if outcome.isPortion { portion = (portion ?? []) + outcome.changed }
        for retry in outcome.retries { changes.append(.remember(retry, horizon: outcome.horizon)) }
        for (id, delivery) in outcome.deliveries {
            changes.append(
                delivery.map { .put(StoredRecord(kind: .delivery, id: id, body: DeliveryRecord.body(of: $0))) }
                    ?? .delete(.delivery, id: id))
        }
        newWebhooks += outcome.unstored
        unstoredWebhooks.formUnion(outcome.unstored)
        if outcome.counts.milestones > 0 { tellsMilestones = true }
    }

    /// Adds the clock reading to the next commit.
    package func record(_ clock: StoreClock) {
        self.clock = clock
        hasNewClock = true
    }

    /// Adds a change that is no outcome's.
    package func record(_ change: StoreChange) { changes.append(change) }

    /// Calls a follower with the result of this turn's commit.
    package func afterCommit(_ follower: @escaping Follower) { followers.append(follower) }

    /// Submits this turn's changes to the store.
    /// - Parameters:
    ///   - pause: Whether all schedules are paused.
    ///   - log: Events that were published.
    package func commit(_ pause: SchedulePause, log: StoreChange?) {
        if let names = portion {
            portion = nil
            portions.begin(names)
            let post = post
            afterCommit { _ in post(.portionStored) }
        }
        if tellsMilestones {
            tellsMilestones = false
            let post = post
            afterCommit { _ in post(.milestonesStored) }
        }
        // A turn that heard of the failure may have changes of its own: they are lost together with the earlier ones.
        defer { if recovery == .due { recover() } }
        // Published events remain, whatever becomes of the board.
        guard recovery != .underWay else { return submit(log.map { [$0] } ?? []) }
        if pause != storedPause {
            storedPause = pause
            changes.append(.put(Restoration.record(of: pause)))
        }
        if hasNewClock, let clock {
            hasNewClock = false
            submittedShift = clock.shift
            changes.append(.put(clock.record))
        }
        if let log { changes.append(log) }
        submit(changes)
        changes.removeAll(keepingCapacity: true)
    }

    private func submit(_ changes: [StoreChange]) {
        let (following, webhooks) = (followers, newWebhooks)
        followers.removeAll(keepingCapacity: true)
        newWebhooks.removeAll(keepingCapacity: true)
        // Even an answer that changed nothing may show others' unsaved changes, so it waits until those are stored.
        guard !changes.isEmpty || (!following.isEmpty && !commits.isSettled(afterFailures: knownFailures)) else {
            for follower in following { follower(.success(())) }
            return
        }
        let (post, commits) = (post, commits)
        let size = changes.reduce(0) { $0 + $1.size }
        let begun = SystemClock.monotonic()
        commits.begin(size)
        store.submit(changes) { result in
            commits.end(size, result)
            commits.times.observe(nanoseconds: SystemClock.monotonic() - begun)
            if case .failure(let error) = result { post(.failed(error)) }
            for follower in following { follower(result) }
            if !webhooks.isEmpty, case .success = result { post(.webhooksStored(webhooks)) }
        }
    }

    private static func change(of name: ResourceName, in engine: borrowing Engine) -> StoreChange {
        let record = RecordName(.resource(name.kind), name.id)
        if let track = engine.track(name) {
            return .putLater(record, size: track.footprint) { StoredRecord(record, TrackRecord.contents(of: track)) }
        }
        if let schedule = engine.schedule(name) {
            return .putLater(record, size: schedule.footprint) {
                StoredRecord(record, ScheduleRecord.contents(of: schedule))
            }
        }
        return .delete(record.kind, id: record.id)
    }

    // MARK: - Outage

    /// Handles a notice from the store.
    package func handle(_ news: StoreNotice, at now: Instant) -> StoreEffect {
        switch news {
        case .failed(let error): return suspend(because: error, at: now)
        case .recovered(.failure(let error)):
            recovery = .none
            return suspend(because: error, at: now)
        case .recovered(.success(let held)):
            recovery = .none
            // What the store has is stored once more; the rest is gone.
            changes.removeAll { $0.recordName.map { held.records.keys.contains($0) } ?? false }
            unstoredWebhooks.removeAll()
            return .goBack(kept(of: held))
        case .works(let failures):
            // The board matches the store.
            if outage != nil { report("the store saves changes again", "") }
            outage = nil
            knownFailures = failures
        case .portionStored: portions.endOldest()
        case .webhooksStored(let ids):
            unstoredWebhooks.subtract(ids)
            return .call(ids)
        case .milestonesStored: return .release
        }
        return .none
    }

    /// Starts or prolongs an outage. The store rejected changes that the board already shows.
    private func suspend(because error: StoreError, at now: Instant) -> StoreEffect {
        let isFirst = outage == nil
        if isFirst { report("the store can't save changes", "\(error)") }
        // What failed before the store was asked is part of its answer.
        if let known = outage, !known.isUnderWay || recovery != .none { return .none }
        // The first attempt is immediate: subscribers should not see unsaved state for long.
        outage = Outage(error: error, nextAttempt: isFirst ? now : now.advanced(bySeconds: Outage.pause))
        return .abandon(error)
    }

    /// Asks the store what it holds with the turn's commit, if a retry is due.
    package func attemptRecovery(at now: Instant) {
        guard let known = outage, known.nextAttempt <= now else { return }
        outage?.nextAttempt = Outage.underWay
        recovery = .due
    }

    private func recover() {
        recovery = .underWay
        let post = post
        store.recover { post(.recovered($0)) }
    }

    /// Tests with a small write whether the store works. Call it when the board has been restored.
    package func probe(_ pause: SchedulePause) {
        storedPause = pause
        let (post, commits) = (post, commits)
        commits.begin(0)
        store.submit([.put(Restoration.record(of: pause))]) { result in
            commits.end(0, result)
            switch result {
            case .success: post(.works(afterFailures: commits.failureCount))
            case .failure(let error): post(.failed(error))
            }
        }
    }

    private func kept(of recovery: StoreRecovery) -> Machine.Kept {
        var kept = Machine.Kept()
        let names = recovery.records.keys.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
        var storedShift = submittedShift
        for name in names {
            let record = recovery.records[name] ?? nil
            switch name.kind {
            case .delivery: kept.deliveries.append((name.id, record != nil))
            case .setting where name.id == Restoration.settingID: kept.pause = pause(record)
            case .setting:
                hasNewClock = clock != nil
                if name.id == StoreClock.settingID { storedShift = shift(in: record) }
            case .resource(let kind):
                do throws(StoreError) {
                    let resource = try record.map { record throws(StoreError) in try reader.resource(record) } ?? nil
                    kept.resources.append((ResourceName(kind, name.id), resource))
                } catch {
                    report("a record can't be read back", "\(kind) \(name.id): \(error)")
                }
            }
        }
        kept.clockStep = clockStep(since: storedShift)
        kept.lostAnswers = recovery.lostAnswers.sorted()
        return kept
    }

    /// Returns how the clock was set since what the store has; nil if it was not. A start reads what the store has by its
    /// last reading of the clock, and whatever moves with the clock is stored together with a new reading.
    private func clockStep(since stored: Int64?) -> ClockStep? {
        guard let clock, let stored, clock.shift != stored else { return nil }
        return ClockStep(nanoseconds: clock.shift.subtractingSaturated(stored), at: clock.instant)
    }

    /// As a start reads it: without a reading, the clock was never set.
    private func shift(in record: StoredRecord?) -> Int64 {
        record.flatMap { try? StoreClock.read($0) }?.shift ?? 0
    }

    private func pause(_ record: StoredRecord?) -> SchedulePause {
        do throws(StoreError) {
            return try record.map { record throws(StoreError) in try Restoration.pause(record) } ?? SchedulePause()
        } catch {
            report("a record can't be read back", "setting: \(error)")
            return SchedulePause()
        }
    }
}
