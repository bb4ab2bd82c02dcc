// What a store has written, which survives the process.

import Base
import Storage

/// The committed contents of a store.
final class SimulatedDisk {
    private(set) var records: [RecordName: StoredRecord] = [:]
    private var answers: [String: StoredAnswer] = [:]
    private var events: [StoredEvents] = []
    /// Records that a start could not read. None may be there.
    private(set) var quarantined: [String] = []
    /// Why nothing can be written; nil while all is well.
    var failure: StoreError?

    func record(_ name: RecordName) -> StoredRecord? { records[name] }

    var contents: StoreContents {
        var contents = StoreContents()
        contents.answers = answers.values.sorted { $0.key < $1.key }
        contents.events = events.sorted { $0.last < $1.last }
        return contents
    }

    var sortedRecords: [StoredRecord] {
        records.values.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    }

    func apply(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .put(let record): records[RecordName(record.kind, record.id)] = record
            case .putLater(let name, _, let make): records[name] = make()
            case .delete(let kind, let id): records[RecordName(kind, id)] = nil
            case .remember(let answer, let horizon):
                answers[answer.key] = answer
                answers = answers.filter { $0.value.expires >= horizon }
            case .log(let portion, let expired): add(portion, expired: expired)
            case .logLater(_, let expired, let make): add(make(), expired: expired)
            case .setAside(let name, let reason, _):
                records[name] = nil
                quarantined.append("\(name.kind) \(name.id): \(reason)")
            }
        }
    }

    private func add(_ portion: StoredEvents, expired: Int64) {
        events.removeAll { $0.last <= expired }
        events.append(portion)
    }
}
