// Tracks which parts of records are in the file, so that a change only writes new ones. Pure.

import Storage

/// The parts of all records that have some, as of the end of the current transaction.
struct StoredPartsIndex {
    /// The parts to write and delete for a record.
    struct Difference: Equatable {
        /// Numbers of parts that are missing or different in the file.
        var written: [UInt64] = []
        /// Numbers of parts to delete.
        var gone: [UInt64] = []
    }

    /// The bytes are shared with the records: nothing is copied, and unchanged parts are recognised by their address.
    private var kept: [RecordName: [UInt64: [UInt8]]] = [:]
    /// The records' parts before the current transaction.
    private var before: [RecordName: [UInt64: [UInt8]]] = [:]

    /// Adds a part read from a file.
    mutating func load(_ name: RecordName, number: UInt64, bytes: [UInt8]) {
        kept[name, default: [:]][number] = bytes
    }

    func parts(of name: RecordName) -> [UInt64: [UInt8]] {
        kept.isEmpty ? [:] : kept[name] ?? [:]
    }

    /// Replaces all parts of a record.
    mutating func set(_ parts: [UInt64: [UInt8]], of name: RecordName) -> Difference {
        // Most boards have no parts at all, and neither have most records.
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

    /// Keeps the changes of a committed transaction.
    mutating func commit() { before.removeAll() }

    /// Undoes the changes of a transaction that was rolled back.
    mutating func rollBack() {
        for (name, parts) in before { kept[name] = parts.isEmpty ? nil : parts }
        before.removeAll()
    }
}
