// Reads stored records on every core, while the store still hands over others: with a hundred thousand of them a start
// on one core would take a second longer.

import Board
import Recurrences
import Storage
import Synchronization
import Threads
import Wire

/// Turns records into resources, in their order. Its owner adds portions and then finishes, or stops.
final class RecordReader: Sendable {
    private struct Portion: Sendable {
        var number: Int
        var records: [StoredRecord]
    }

    private let planner: any Planner
    private let rules: any CalendarRules
    private let waiting = Mailbox<Portion>(capacity: .max)
    private let added = Atomic<Int>(0)
    private let read: Mutex<[Int: [Engine.Resource]]> = Mutex([:])
    private let unreadable: Mutex<[Restoration.Unreadable]> = Mutex([])
    private let helpers: Mutex<[OwnedThread]> = Mutex([])

    /// Starts its threads.
    init(planner: any Planner, rules: any CalendarRules) {
        self.planner = planner
        self.rules = rules
        let started = (1..<max(2, ProcessorCount.value)).map { number in
            OwnedThread(name: "restore-\(number)") { [self] in
                let faces = FaceShelf(planner: planner)
                while readPortion(faces) {}
            }
        }.filter { $0.start() }
        helpers.withLock { $0 = started }
    }

    /// Takes records in.
    func add(_ records: [StoredRecord]) {
        _ = waiting.post(Portion(number: added.wrappingAdd(1, ordering: .relaxed).oldValue, records: records))
    }

    /// Hands the resources over in portions, in the order of their records; what is no resource is left out.
    /// - Returns: The records that can't be read, in no order.
    func finish(into adopt: ([Engine.Resource]) -> Void) -> [Restoration.Unreadable] {
        waiting.close()
        let faces = FaceShelf(planner: planner)
        var adopted = 0
        while adopted < added.load(ordering: .relaxed) {
            if let portion = read.withLock({ $0.removeValue(forKey: adopted) }) {
                adopt(portion)
                adopted += 1
            } else if !readPortion(faces) {
                // The last portions are on their way.
                stop()
            }
        }
        stop()
        return unreadable.withLock { $0 }
    }

    /// Ends its threads.
    func stop() {
        waiting.close()
        let running = helpers.withLock { helpers in
            defer { helpers = [] }
            return helpers
        }
        for helper in running { helper.join() }
    }

    /// - Returns: false when there is none left.
    private func readPortion(_ faces: FaceShelf) -> Bool {
        guard let portion = waiting.takeFirst() else { return false }
        var resources: [Engine.Resource] = []
        resources.reserveCapacity(portion.records.count)
        for record in portion.records {
            do throws(StoreError) {
                guard let resource = try Restoration.resource(record, faces: faces, rules: rules) else { continue }
                resources.append(resource)
            } catch {
                let name = RecordName(record.kind, record.id)
                unreadable.withLock { $0.append(Restoration.Unreadable(name: name, reason: error.cause)) }
            }
        }
        read.withLock { $0[portion.number] = resources }
        return true
    }
}
