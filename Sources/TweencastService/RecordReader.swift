// Reads stored records on every core: with a hundred thousand of them a start on one core would take a second longer.

import Board
import Storage
import Synchronization
import Threads
import Wire

/// Turns records into resources, in their order.
final class RecordReader: Sendable {
    /// Records that one thread takes at a time.
    private static let portion = 500

    private let records: [StoredRecord]
    private let planner: any Planner
    private let rules: any CalendarRules
    private let nextPortion = Atomic<Int>(0)
    private let portions: Mutex<[Int: [Engine.Resource]]> = Mutex([:])
    private let failure = Mutex<StoreError?>(nil)

    init(_ records: [StoredRecord], planner: any Planner, rules: any CalendarRules) {
        self.records = records
        self.planner = planner
        self.rules = rules
    }

    /// Hands the resources over in portions, in the order of their records, while others are still being read; what is no
    /// resource is left out.
    /// - Throws: A store error naming a record that can't be read.
    func read(into adopt: ([Engine.Resource]) -> Void) throws(StoreError) {
        let helpers = (1..<max(1, min(ProcessorCount.value, records.count / Self.portion + 1))).map { number in
            OwnedThread(name: "restore-\(number)") { [self] in while readPortion() {} }
        }
        let started = helpers.filter { $0.start() }
        var adopted = 0
        while adopted < records.count, failure.withLock({ $0 == nil }) {
            if let portion = portions.withLock({ $0.removeValue(forKey: adopted) }) {
                adopt(portion)
                adopted += Self.portion
            } else if !readPortion() {
                // The last portions are on their way.
                for helper in started { helper.join() }
            }
        }
        for helper in started { helper.join() }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// - Returns: false when there is none left, or one can't be read.
    private func readPortion() -> Bool {
        guard failure.withLock({ $0 == nil }) else { return false }
        let start = nextPortion.wrappingAdd(1, ordering: .relaxed).oldValue * Self.portion
        guard start < records.count else { return false }
        do throws(StoreError) {
            var portion: [Engine.Resource] = []
            portion.reserveCapacity(Self.portion)
            for record in records[start..<min(start + Self.portion, records.count)] {
                guard let resource = try Restoration.resource(record, planner: planner, rules: rules) else { continue }
                portion.append(resource)
            }
            portions.withLock { $0[start] = portion }
            return true
        } catch {
            failure.withLock { $0 = error }
            return false
        }
    }
}
