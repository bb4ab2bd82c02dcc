// Which parts of records are in the file, so that a change of a record writes those alone that are new. Pure.

import Storage

/// The parts of all records that have some, as they will be when the present transaction is committed.
struct StoredPartsIndex {
    /// What has to be written for a record.
    struct Difference: Equatable {
        /// Numbers of parts that are not in the file, or are others there.
        var written: [UInt64] = []
        /// Numbers of parts that go.
        var gone: [UInt64] = []
    }

    /// The bytes are shared with whoever made the records: nothing is copied, and parts that did not change are known by
    /// where they lie.
    private var kept: [RecordName: [UInt64: [UInt8]]] = [:]
    /// What records had before the present transaction.
    private var before: [RecordName: [UInt64: [UInt8]]] = [:]

    /// Takes in what a file holds.
    mutating func load(_ name: RecordName, number: UInt64, bytes: [UInt8]) {
        kept[name, default: [:]][number] = bytes
    }

    func parts(of name: RecordName) -> [UInt64: [UInt8]] {
        kept.isEmpty ? [:] : kept[name] ?? [:]
    }

    /// Has a record have these parts and no others.
    mutating func set(_ parts: [UInt64: [UInt8]], of name: RecordName) -> Difference {
        // Most boards have no parts at all, and most records none.
        if parts.isEmpty, kept.isEmpty { return Difference() }
        let old = kept[name] ?? [:]
        if parts.isEmpty, old.isEmpty { return Difference() }
        var difference = Difference()
        for (number, bytes) in parts where old[number] != bytes { difference.written.append(number) }
        for number in old.keys where parts[number] == nil { difference.gone.append(number) }
        if before[name] == nil { before[name] = old }
        kept[name] = parts.isEmpty ? nil : parts
        return difference
    }

    /// The transaction is in the file.
    mutating func commit() { before.removeAll() }

    /// The transaction never was.
    mutating func rollBack() {
        for (name, parts) in before { kept[name] = parts.isEmpty ? nil : parts }
        before.removeAll()
    }
}
