// Copies a board from a store to a shared log, or back. The caller ensures that no server uses either place.

import Base
import Board
import EventStream
import Gateway
import Machine
import OperatingSystem
import Persistence
import RecurrenceRules
package import Replication
package import Storage
import Tween
import Wire

/// Copies a whole board: tracks, their motions, schedules, answers kept for retries, pending webhooks, and the recent named
/// events.
package struct BoardCopy {
    /// The number of copied items.
    package struct Counts: Hashable, Sendable {
        package var tickers = 0
        package var progressViews = 0
        package var schedules = 0
        /// Pending webhooks and those given up.
        package var webhooks = 0
        /// Answers kept for retries.
        package var answers = 0
        /// The number of the newest named event.
        package var lastEvent: Int64 = 0
    }

    /// Which of the two places failed.
    package enum Failure: Error, Hashable, Sendable {
        case source(ServiceError)
        case target(ServiceError)
    }

    /// The place to copy a board from.
    package enum Source {
        case store(any RecordSource)
        /// A log that replicas share.
        case shared(any LogOpener)
    }

    private let composition: Composition

    package init(_ configuration: ServiceConfiguration) {
        composition = Composition(
            configuration: configuration, planner: LocalePlanner(),
            rules: ZoneFolder.calendar(configuration.zoneFolder),
            clock: ServiceClock(tickRate: configuration.tickRate), post: { _ in })
    }

    /// Copies the board.
    /// - Parameter target: An empty store, or a log that doesn't exist yet. After a failure, a store may hold part of the
    ///   board.
    package func copy(from source: Source, to target: PersistenceBackend) throws(Failure) -> Counts {
        let board: LoadedBoard
        do throws(ServiceError) {
            board = composition.settled(try composition.board(in: source))
        } catch {
            throw .source(error)
        }
        do throws(ServiceError) {
            try write(board, to: target)
        } catch {
            throw .target(error)
        }
        return Counts(of: board.machine)
    }

    private func write(_ board: LoadedBoard, to target: PersistenceBackend) throws(ServiceError) {
        switch target {
        case .own(let store):
            do throws(StoreError) {
                try BoardWriting(to: store).write(board)
            } catch {
                throw .store(error)
            }
        case .shared(let opener):
            do throws(LogFailure) {
                try opener.create(board, composition.logContext(ofReplica: "copy", epoch: board.machine.epoch))
            } catch {
                throw .log(error)
            }
        }
    }
}

extension BoardCopy.Counts {
    fileprivate init(of machine: borrowing Machine) {
        tickers = machine.engine.names(of: .ticker).count
        progressViews = machine.engine.names(of: .progress).count
        schedules = machine.engine.names(of: .schedule).count
        webhooks = machine.outbox.pendingCount + machine.outbox.deadCount
        answers = machine.retries.count
        lastEvent = machine.lastEvent
    }
}

extension Composition {
    /// Loads a board to copy it.
    fileprivate func board(in source: BoardCopy.Source) throws(ServiceError) -> LoadedBoard {
        switch source {
        case .store(let store): return try board(of: store)
        case .shared(let opener):
            do throws(LogFailure) {
                return try opener.load(logContext(ofReplica: "copy"))
            } catch {
                throw .log(error)
            }
        }
    }

    /// Prepares a board as the start of a log: finishes sweeps, publishes pending events and removes all subscribers.
    /// What fell due is left to the servers. Events get a new epoch, as at every start with a store, because a source that
    /// is served again assigns the same numbers.
    fileprivate func settled(_ board: LoadedBoard) -> LoadedBoard {
        let position = board.follower.position
        var machine = board.machine
        var record = HistoryRecorder(configuration.hub)
        machine.begin(epoch: Self.epoch(max(position.instant, clock.now())))
        var requests = machine.listeningReplicas.map { Request.left($0) }
        repeat {
            var turn = Turn(at: position.instant, tick: clock.tick(of: position.instant))
            turn.advances = false
            turn.isTick = true
            turn.requests = requests
            if machine.isSweeping { turn.portions = [.sweep] }
            let outcome = machine.apply(turn)
            record.record(outcome, epoch: machine.epoch)
            requests.removeFirst(outcome.taken)
        } while machine.isSweeping || machine.hasCompletionGroups || !requests.isEmpty
        let start = LogPosition(sequence: 0, instant: position.instant, name: EntryName(rawValue: 0))
        return LoadedBoard(
            machine: machine, follower: Follower(at: start, period: board.follower.period),
            events: board.events + record.kept)
    }
}

/// Writes a board to a store in submissions that are made one at a time, as a large board should not be in memory twice.
private struct BoardWriting {
    private let store: any Store
    private var waiting: [StoreChange] = []
    private var bytes = 0

    /// The number of changes or bytes at which a submission is sent.
    private static let portion = 1_000
    private static let portionBytes = 4 << 20

    init(to store: any Store) { self.store = store }

    consuming func write(_ board: LoadedBoard) throws(StoreError) {
        let machine = board.machine
        for case let track? in machine.engine.tracks { try add(.put(Restoration.record(of: track))) }
        for case let schedule? in machine.engine.schedules { try add(.put(Restoration.record(of: schedule))) }
        for delivery in machine.outbox.all {
            try add(.put(StoredRecord(kind: .delivery, id: delivery.id, body: DeliveryRecord.body(of: delivery))))
        }
        try add(.put(Restoration.record(of: machine.engine.schedulePause)))
        let clock = StoreClock(
            boot: "", uptime: 0, instant: board.follower.position.instant, lastEvent: machine.lastEvent,
            shift: machine.shift)
        try add(.put(clock.record))
        try add(.put(CopyEnd(lastEvent: machine.lastEvent).record))
        for answer in machine.retries.stored { try add(.remember(answer, horizon: .min)) }
        for portion in board.events {
            // Portions are identified by number; the last event's serves as well as the first's.
            let events = StoredEvents(
                epoch: portion.epoch, first: portion.last, last: portion.last,
                time: portion.instant.nanoseconds.subtractingSaturated(machine.shift), bytes: portion.bytes)
            try add(.log(events, expired: -1))
        }
        try submit()
    }

    private mutating func add(_ change: StoreChange) throws(StoreError) {
        waiting.append(change)
        bytes += change.size
        if waiting.count >= Self.portion || bytes >= Self.portionBytes { try submit() }
    }

    private mutating func submit() throws(StoreError) {
        let done = Mailbox<Result<Void, StoreError>>(capacity: 1)
        store.submit(waiting) { _ = done.post($0) }
        guard let result = done.receiveFirst() else { throw StoreError(.closed, "the store was closed") }
        try result.get()
        waiting.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
