// What waits for the store and what follows from its answers, by values and a store that commits when it is told.

import Base
import Board
import Labels
import Machine
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Persistence

@Suite struct LedgerTests {
    /// Takes note of what is told on the store's thread.
    private final class Notes<Value: Sendable>: Sendable {
        private let values = Mutex<[Value]>([])
        func add(_ value: Value) { values.withLock { $0.append(value) } }
        func take() -> [Value] {
            values.withLock { values in
                defer { values = [] }
                return values
            }
        }
    }

    private var script = MachineScript()
    private let store = HandStore()
    private let news = Notes<StoreNotice>()
    private let told = Notes<Bool>()
    private let commits: CommitCoordinator
    private let full = StoreError(.full, "no room")

    init() {
        commits = CommitCoordinator(
            store, reader: RecordReading(planner: NoFormats(), rules: NoCalendar()), pause: SchedulePause(),
            post: { [news] in news.add($0) }, report: { _, _ in })
    }

    /// A turn, committed; whether it was kept is told.
    private mutating func turn(_ requests: [Request] = [], portions: [WorkSlice] = []) {
        let outcome = script.take(requests, portions: portions)
        commits.record(outcome, of: script.machine)
        commits.afterCommit { [told] result in
            if case .success = result { told.add(true) } else { told.add(false) }
        }
        commits.commit(script.machine.engine.schedulePause, log: nil)
    }

    /// Takes what the store has told.
    private func takeNews() -> [StoreEffect] { news.take().map { commits.handle($0, at: script.now) } }

    @Test mutating func `a turn's consequences wait for its commit`() throws {
        turn([try MachineScript.update("a", #"{"to":1}"#)])
        #expect(told.take().isEmpty && store.waiting == 1)
        store.settle()
        #expect(told.take() == [true])
    }

    @Test mutating func `a turn without changes waits only for commits already in flight`() throws {
        turn()
        #expect(told.take() == [true] && store.waiting == 0)
        turn([try MachineScript.update("a", #"{"to":1}"#)])
        turn()
        #expect(told.take().isEmpty && store.waiting == 2)
        store.settle()
        #expect(told.take() == [true, true])
    }

    @Test mutating func `a failing store is reported once, refuses changes, and is retried until it works`() throws {
        turn([try MachineScript.update("a", #"{"to":1}"#)])
        turn([try MachineScript.update("b", #"{"to":1}"#)])
        store.settle(failing: full)
        #expect(told.take() == [false, false])
        let consequences = takeNews()
        guard consequences.count == 2, case .abandon(full) = consequences[0], case .none = consequences[1] else {
            Issue.record("\(consequences)")
            return
        }
        #expect(commits.isOut && commits.refusal == full && !commits.admitsPortion)
        #expect(commits.nextDue == script.now)
        commits.attemptRecovery(at: script.now)
        commits.commit(SchedulePause(), log: nil)
        store.finishRecovery()
        guard case .goBack(let kept)? = takeNews().first else {
            Issue.record("nothing was recovered")
            return
        }
        #expect(kept.resources.map(\.name.id) == ["a", "b"] && kept.resources.allSatisfy { $0.resource == nil })
        #expect(commits.isOut, "the store has given no sign of life yet")
        commits.probe(SchedulePause())
        store.settle()
        _ = takeNews()
        #expect(!commits.isOut && commits.refusal == nil && commits.nextDue == nil)
    }

    @Test mutating func `a turn without changes is not acknowledged after an unreported store failure`() throws {
        turn([try MachineScript.update("a", #"{"to":1}"#)])
        store.settle(failing: full)
        // The news of it has not been taken, and this turn changes nothing.
        turn()
        #expect(told.take() == [false] && store.waiting == 1)
        store.settle()
        #expect(told.take() == [false])
    }

    @Test mutating func `a rollback restores a resource as it was last committed`() throws {
        turn([try MachineScript.update("a", #"{"to":1,"duration":9}"#)])
        store.settle()
        turn([try MachineScript.update("a", #"{"to":2,"duration":9}"#)])
        store.settle(failing: full)
        _ = takeNews()
        commits.attemptRecovery(at: script.now)
        commits.commit(SchedulePause(), log: nil)
        store.finishRecovery()
        guard case .goBack(let kept)? = takeNews().first, case .track(let track)?? = kept.resources.first?.resource
        else {
            Issue.record("nothing is kept")
            return
        }
        #expect(track.target.double == 1)
    }

    @Test mutating func `portions wait while the store has many of them`() throws {
        for number in 0..<PortionsInFlight.maximumCount {
            #expect(commits.admitsPortion)
            let lines = MachineScript.lines([#"{"ticker":"t\#(number)","to":1}"#])
            turn(portions: [.batch(BatchPart(lines, retry: nil, waiter: 1))])
        }
        #expect(!commits.admitsPortion)
        store.settle(1)
        _ = takeNews()
        #expect(commits.admitsPortion)
    }

    @Test(arguments: [true, false])
    mutating func `a webhook is released once it is stored, and not if its commit fails`(isStored: Bool) throws {
        let json = #"{"to":1,"duration":0,"then":[{"webhook":"https://a.example"}]}"#
        turn([try MachineScript.update("a", json)])
        #expect(news.take().isEmpty)
        store.settle(failing: isStored ? nil : full)
        let ids = news.take().flatMap { news -> [String] in
            if case .webhooksStored(let ids) = news { ids } else { [] }
        }
        #expect(ids == (isStored ? ["wh-1"] : []))
    }
}
