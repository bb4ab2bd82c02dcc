// When the store can't take changes: the board goes back to what is kept, nothing is accepted and nothing falls due, and
// once a second it is tried anew. Frames go on: they change nothing.

import Board
import EventStream
import Storage
import Tween
import Wire

/// A time in which the store takes nothing.
struct StoreOutage {
    /// Seconds between two attempts to go on.
    static let pause = 1.0

    var error: StoreError
    /// When to try again; the far future while an attempt is under way.
    var nextAttempt: Instant

    static let underWay = Instant(nanoseconds: .max)
}

extension Conductor {
    /// The store refused changes that the board has made already.
    func suspend(because error: StoreError, at now: Instant) {
        let isFirst = outage == nil
        if isFirst { Log.write(.store, "the store can't take changes: \(error)") }
        // At once the first time: listeners should not see for long what is not kept.
        let next = isFirst ? now : now.advanced(bySeconds: StoreOutage.pause)
        if let known = outage, known.nextAttempt != StoreOutage.underWay { return }
        outage = StoreOutage(error: error, nextAttempt: next)
        abandonBatches(because: error)
        abandonSweeps(because: error)
        attemptRecovery(at: now)
    }

    func attemptRecovery(at now: Instant) {
        guard let known = outage, known.nextAttempt <= now else { return }
        outage?.nextAttempt = StoreOutage.underWay
        let post = parts.post
        parts.store.recover { post(.storeRecovered($0)) }
    }

    /// Sets what could not be stored back to what is, and asks the store for a sign of life.
    func goBack(to result: Result<StoreRecovery, StoreError>, at now: Instant) {
        switch result {
        case .failure(let error):
            suspend(because: error, at: now)
        case .success(let recovery):
            for (name, record) in recovery.records { goBack(name, to: record, at: now) }
            for key in recovery.lostAnswers { retries.forget(key) }
            publishEvents(at: now)
            // What the board was set back to is in the store already.
            for name in engine.takeChanges() { show(name, at: now) }
            let (post, ledger) = (parts.post, ledger)
            ledger.begin(0)
            parts.store.submit([.put(Restoration.record(of: engine.schedulePause))]) { result in
                ledger.end(0, result)
                switch result {
                case .success: post(.storeWorks(afterFailures: ledger.failureCount))
                case .failure(let error): post(.storeFailed(error))
                }
            }
        }
    }

    private func goBack(_ name: RecordName, to record: StoredRecord?, at now: Instant) {
        if name.kind == .delivery {
            outbox.reconcile(name.id, isKept: record != nil)
            return
        }
        guard let kind = ResourceKind(name.kind) else {
            let pause = record.map(Restoration.pause) ?? SchedulePause()
            engine.restore(pause, at: now)
            noteStored(pause)
            return
        }
        let resource = ResourceName(kind, name.id)
        do throws(StoreError) {
            guard let record else { return engine.restore(resource, nil, at: now) }
            let faces = FaceShelf(planner: engine.configuration.planner)
            engine.restore(resource, try Restoration.resource(record, faces: faces, rules: parts.rules), at: now)
        } catch {
            Log.write(.store, "\(kind) \(name.id) can't be read back: \(error)")
        }
    }
}

extension ResourceKind {
    init?(_ kind: RecordKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        case .setting, .delivery: return nil
        }
    }
}
