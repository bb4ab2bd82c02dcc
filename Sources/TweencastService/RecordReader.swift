// Reads stored records on every core: with a hundred thousand of them a start on one core would take a second longer.

import Board
import Storage
import Synchronization
import Threads
import Wire

/// Turns records into resources, in their order.
final class RecordReader: Sendable {
    /// Records that one thread takes at a time.
    private static let portion = 2_000

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

    /// - Returns: The resources in portions, in the order of their records; what is no resource is left out.
    /// - Throws: A store error naming a record that can't be read.
    func resources() throws(StoreError) -> [[Engine.Resource]] {
        let helpers = (1..<max(1, min(ProcessorCount.value, records.count / Self.portion + 1))).map { number in
            OwnedThread(name: "restore-\(number)") { [self] in read() }
        }
        let started = helpers.filter { $0.start() }
        read()
        for helper in started { helper.join() }
        if let error = failure.withLock({ $0 }) { throw error }
        return portions.withLock { portions in portions.keys.sorted().compactMap { portions[$0] } }
    }

    private func read() {
        while failure.withLock({ $0 == nil }) {
            let start = nextPortion.wrappingAdd(1, ordering: .relaxed).oldValue * Self.portion
            guard start < records.count else { return }
            do throws(StoreError) {
                var portion: [Engine.Resource] = []
                portion.reserveCapacity(Self.portion)
                for record in records[start..<min(start + Self.portion, records.count)] {
                    guard let resource = try Restoration.resource(record, planner: planner, rules: rules) else {
                        continue
                    }
                    portion.append(resource)
                }
                portions.withLock { $0[start] = portion }
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }
}
