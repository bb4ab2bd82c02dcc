// From outcomes to the store: what has to be kept goes in one submission a turn, and what waits for it follows when it is
// there. When the store can't save changes, nothing is accepted and nothing falls due, and once a second it is tried
// anew. Owned by one thread; what the store answers on its own comes back as news.

import Base
package import Board
package import Machine
import OperatingSystem
package import Storage
package import Tween
import Wire

/// Takes what an operator should know of the store.
/// - Parameters:
///   - message: What it is, always in the same words.
///   - detail: What that says of this once; empty where there is no more to say.
package typealias StoreReport = @Sendable (_ message: String, _ detail: String) -> Void

/// What the store has to tell, from its thread.
package enum StoreNotice: Sendable {
    /// It could not take changes.
    case failed(StoreError)
    /// What is kept of what could not be stored.
    case recovered(Result<StoreRecovery, StoreError>)
    /// It takes changes again; so often it had refused before.
    case works(afterFailures: Int)
    /// It has answered a portion of something larger.
    case portionStored
    /// It has these webhooks: they may be called.
    case webhooksStored([String])
    /// It has what a turn told of milestones, or can't take it.
    case milestonesStored
}

/// What has to be done because of news.
package enum StoreEffect {
    case none
    /// Nothing can be kept for now: what is under way has to be given up.
    case abandon(StoreError)
    /// What could not be stored has to be set back to what is kept of it.
    case goBack(Machine.Kept)
    /// These webhooks are kept: they may be called.
    case call([String])
    /// What a turn told of milestones is kept, or can't be: what waited behind it may go out.
    case release
}

/// Hands changes to the store, and knows what it has.
package final class CommitCoordinator {
    /// Runs on the store's thread, in the order of the turns.
    package typealias Follower = @Sendable (Result<Void, StoreError>) -> Void

    private let store: any Store
    private let reader: RecordReading
    private let post: @Sendable (StoreNotice) -> Void
    private let report: StoreReport
    /// What has been submitted and not answered.
    package let commits = CommitsInFlight()
    private var portions = PartsInFlight()
    private var outage: Outage?
    /// Failures after which the board has been set back.
    private var knownFailures = 0
    /// Whether all schedules are paused, as the store has it.
    private var storedPause: SchedulePause
    /// The last look at the clock that the store is to have.
    private var clock: StoreClock?
    private var hasNewClock = false
    /// Of the present turn.
    private var changes: [StoreChange] = []
    private var followers: [Follower] = []
    private var unstored: [String] = []
    /// The turn tells of milestones: nobody hears of them before the store has that.
    package private(set) var tellsMilestones = false
    /// Resources that a portion changed.
    private var portion: [ResourceName]?

    /// - Parameters:
    ///   - pause: Whether all schedules are paused, as the store has it.
    ///   - post: Takes news, from any thread.
    ///   - report: Takes what an operator should know.
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

    /// Why no change can be taken now; nil when it can.
    package var refusal: StoreError? {
        if let outage { return outage.error }
        return commits.isFull
            ? StoreError(.busy, "too many changes are waiting to be stored; try again in a moment") : nil
    }

    /// Whether the store takes nothing; what is under way to it still may.
    package var isOut: Bool { outage != nil }

    /// Whether a further portion of something larger may be worked off.
    package var admitsPortion: Bool { refusal == nil && !portions.isFull }

    package var health: StoreHealth { store.health }

    /// What changes are kept in, in a word.
    package var storeName: String { store.name }

    /// Asks for the bytes of the store's files; on any thread but one that others wait for.
    package var fileBytes: @Sendable () -> Int { { [store] in store.fileBytes() } }

    /// When the store is tried again; nil while it is well.
    package var nextDue: Instant? { outage?.nextAttempt }

    /// The wall clock was set.
    package func shift(to now: Instant) {
        if let known = outage, !known.isUnderWay { outage?.nextAttempt = now }
    }

    // MARK: - Turns

    /// Notes what a turn brought about, for its commit.
    package func record(_ outcome: Outcome, of machine: borrowing Machine) {
        for name in outcome.changed + outcome.passed { changes.append(Self.change(of: name, in: machine.engine)) }
        if outcome.isPortion { portion = (portion ?? []) + outcome.changed }
        for retry in outcome.retries { changes.append(Self.change(of: retry)) }
        for (id, delivery) in outcome.deliveries {
            changes.append(
                delivery.map { .put(StoredRecord(kind: .delivery, id: id, body: DeliveryRecord.body(of: $0))) }
                    ?? .delete(.delivery, id: id))
        }
        unstored += outcome.unstored
        if outcome.counts.milestones > 0 { tellsMilestones = true }
    }

    /// Notes by which clock the store is written from here on, for the next commit.
    package func record(_ clock: StoreClock) {
        self.clock = clock
        hasNewClock = true
    }

    /// Has something told what became of this turn's changes.
    package func afterCommit(_ follower: @escaping Follower) { followers.append(follower) }

    /// Hands this turn's changes to the store.
    /// - Parameters:
    ///   - pause: Whether all schedules are paused.
    ///   - log: Events that were told.
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
        if pause != storedPause {
            storedPause = pause
            changes.append(.put(Restoration.record(of: pause)))
        }
        if hasNewClock, let clock {
            hasNewClock = false
            changes.append(.put(clock.record))
        }
        if let log { changes.append(log) }
        submit()
    }

    private func submit() {
        let (following, webhooks) = (followers, unstored)
        followers.removeAll(keepingCapacity: true)
        unstored.removeAll(keepingCapacity: true)
        // An answer that changed nothing still rests on what others changed: it goes out behind that.
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
        changes.removeAll(keepingCapacity: true)
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

    private static func change(of retry: RetryRecord) -> StoreChange {
        .remember(
            StoredAnswer(
                key: retry.key, fingerprint: retry.fingerprint, status: retry.status, head: retry.head,
                body: retry.body, expires: retry.expires),
            horizon: retry.horizon)
    }

    // MARK: - Outage

    /// Takes in what the store tells.
    package func take(_ news: StoreNotice, at now: Instant) -> StoreEffect {
        switch news {
        case .failed(let error): return suspend(because: error, at: now)
        case .recovered(.failure(let error)): return suspend(because: error, at: now)
        case .recovered(.success(let recovery)): return .goBack(kept(of: recovery))
        case .works(let failures):
            // The board is what the store has.
            if outage != nil { report("the store saves changes again", "") }
            outage = nil
            knownFailures = failures
        case .portionStored: portions.endOldest()
        case .webhooksStored(let ids): return .call(ids)
        case .milestonesStored: return .release
        }
        return .none
    }

    /// The store refused changes that the board has made already.
    private func suspend(because error: StoreError, at now: Instant) -> StoreEffect {
        let isFirst = outage == nil
        if isFirst { report("the store can't save changes", "\(error)") }
        if let known = outage, !known.isUnderWay { return .none }
        // At once the first time: listeners should not see for long what is not kept.
        outage = Outage(error: error, nextAttempt: isFirst ? now : now.advanced(bySeconds: Outage.pause))
        return .abandon(error)
    }

    /// Asks the store what it has, when the time for that has come.
    package func attemptRecovery(at now: Instant) {
        guard let known = outage, known.nextAttempt <= now else { return }
        outage?.nextAttempt = Outage.underWay
        let post = post
        store.recover { post(.recovered($0)) }
    }

    /// The board has been set back: asks the store for a sign of life.
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
        for name in names {
            let record = recovery.records[name] ?? nil
            switch name.kind {
            case .delivery: kept.deliveries.append((name.id, record != nil))
            case .setting where name.id == Restoration.settingID: kept.pause = pause(record)
            case .setting: hasNewClock = clock != nil
            case .resource(let kind):
                do throws(StoreError) {
                    let resource = try record.map { record throws(StoreError) in try reader.resource(record) } ?? nil
                    kept.resources.append((ResourceName(kind, name.id), resource))
                } catch {
                    report("a record can't be read back", "\(kind) \(name.id): \(error)")
                }
            }
        }
        kept.lostAnswers = recovery.lostAnswers.sorted()
        return kept
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
