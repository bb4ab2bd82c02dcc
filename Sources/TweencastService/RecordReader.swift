// Reads stored records on every core, while the store still hands over others: with a hundred thousand of them a start
// on one core would take a second longer.

import Board
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
    private let failure = Mutex<StoreError?>(nil)
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
    /// - Throws: A store error naming a record that can't be read.
    func finish(into adopt: ([Engine.Resource]) -> Void) throws(StoreError) {
        waiting.close()
        let faces = FaceShelf(planner: planner)
        var adopted = 0
        while adopted < added.load(ordering: .relaxed), failure.withLock({ $0 == nil }) {
            if let portion = read.withLock({ $0.removeValue(forKey: adopted) }) {
                adopt(portion)
                adopted += 1
            } else if !readPortion(faces) {
                // The last portions are on their way.
                stop()
            }
        }
        stop()
        if let error = failure.withLock({ $0 }) { throw error }
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

    /// - Returns: false when there is none left, or one can't be read.
    private func readPortion(_ faces: FaceShelf) -> Bool {
        guard failure.withLock({ $0 == nil }), let portion = waiting.takeFirst() else { return false }
        do throws(StoreError) {
            var resources: [Engine.Resource] = []
            resources.reserveCapacity(portion.records.count)
            for record in portion.records {
                guard let resource = try Restoration.resource(record, faces: faces, rules: rules) else { continue }
                resources.append(resource)
            }
            read.withLock { $0[portion.number] = resources }
            return true
        } catch {
            failure.withLock { $0 = error }
            return false
        }
    }
}
