// A board from one keeper to another: from a store of its own to a log that replicas share, and back.

import Board
import Calendars
import Committing
import EventStream
import Gateway
import Machine
import Primitives
import Replication
import Storage
import Synchronization
import Threads
import Tween
import Wire

/// Copies a board, whole: what is on it, what runs, schedules, answers kept for retries, webhooks on their way, and the named
/// events of the recent past.
package struct BoardCopy {
    private let composition: Composition

    /// Changes of one submission to a store.
    private static let portion = 1_000

    package init(_ configuration: ServiceConfiguration) {
        composition = Composition(
            configuration: configuration, planner: LocalePlanner(), rules: ZonedCalendar(),
            clock: ServiceClock(tickRate: configuration.tickRate), post: { _ in })
    }

    /// - Returns: How many resources there are.
    /// - Throws: Also where there is something at the place to copy to.
    package func copy(from source: ChangeStore, to target: ChangeStore) throws(ServiceError) -> Int {
        let board: LoadedBoard
        switch source {
        case .own(let store): board = try composition.board(of: store)
        case .shared(let opener): board = try composition.board(by: opener)
        }
        switch target {
        case .own(let store): try write(board, to: store)
        case .shared(let opener):
            do throws(LogFailure) {
                try opener.create(board, composition.needs(named: "copy", epoch: board.machine.epoch))
            } catch {
                throw ServiceError.log(error)
            }
        }
        return board.machine.engine.trackCount + board.machine.engine.pendingSchedules
    }

    private func write(_ board: LoadedBoard, to store: any Store) throws(ServiceError) {
        do throws(StoreError) {
            var records = 0
            let contents = try store.load { records += $0.count }
            guard records == 0, contents.answers.isEmpty, contents.events.isEmpty else {
                throw StoreError(.locked, "there is a board already; name an empty folder")
            }
            var rest = changes(of: board)[...]
            while !rest.isEmpty {
                try submit(Array(rest.prefix(Self.portion)), to: store)
                rest = rest.dropFirst(Self.portion)
            }
        } catch {
            throw ServiceError.store(error)
        }
    }

    private func submit(_ changes: [StoreChange], to store: any Store) throws(StoreError) {
        let done = Mailbox<Result<Void, StoreError>>(capacity: 1)
        store.submit(changes) { _ = done.post($0) }
        guard let result = done.takeFirst() else { throw StoreError(.closed, "the store was closed") }
        try result.get()
    }

    /// Everything, as a store keeps it.
    private func changes(of board: LoadedBoard) -> [StoreChange] {
        let machine = board.machine
        let tracks = machine.engine.tracks.compactMap { $0.map { Restoration.record(of: $0) } }
        let schedules = machine.engine.schedules.compactMap { $0.map { Restoration.record(of: $0) } }
        let deliveries = machine.outbox.all.map { delivery in
            StoredRecord(kind: .delivery, id: delivery.id, body: DeliveryRecord.body(of: delivery))
        }
        let pause = [Restoration.record(of: machine.engine.schedulePause)]
        let answers = machine.retries.records.map { StoreChange.remember(StoredAnswer($0), horizon: .min) }
        let events = board.events.map { portion in
            StoreChange.log(
                StoredEvents(
                    epoch: portion.epoch, first: portion.last, last: portion.last,
                    time: portion.instant.nanoseconds, bytes: portion.bytes), expired: 0)
        }
        return (tracks + schedules + deliveries + pause).map { .put($0) } + answers + events
    }
}

extension StoredAnswer {
    fileprivate init(_ record: RetryRecord) {
        self.init(
            key: record.key, fingerprint: record.fingerprint, status: record.status, head: record.head,
            body: record.body, expires: record.expires)
    }
}
