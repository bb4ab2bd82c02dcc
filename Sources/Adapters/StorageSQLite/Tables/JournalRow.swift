// The journal's rows as bytes. Stores contain this format, so changing it needs a new version of the schema.

import Storage

/// Reads the records of a row. Each has its kind, whether it was put or deleted, the lengths of its ID and body as four
/// bytes each, little-endian, and then the two.
struct JournalRow {
    private static let deleted: UInt8 = 0
    private static let put: UInt8 = 1

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: `corrupt` if the row can't be read.
    mutating func next() throws(StoreError) -> (name: RecordName, body: [UInt8]?)? {
        guard position < bytes.count else { return nil }
        let head = try read(2)
        guard let kind = head.first.flatMap(RecordKind.init), let form = head.last, form <= Self.put else {
            throw Self.damage
        }
        let (idLength, bodyLength) = (try length(), try length())
        let id = String(decoding: try read(idLength), as: UTF8.self)
        let body = try read(bodyLength)
        return (RecordName(kind, id), form == Self.put ? Array(body) : nil)
    }

    private mutating func length() throws(StoreError) -> Int {
        try read(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func read(_ count: Int) throws(StoreError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw Self.damage }
        defer { position += count }
        // proven: the count is not negative and at most what is left.
        return bytes[position..<(position + count)]
    }

    private static let damage = StoreError(.corrupt, "a row of the journal can't be read")

    /// Returns the row of a commit.
    /// - Parameter changes: Nil for deleted records.
    static func bytes(of changes: [RecordName: [UInt8]?]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(changes.reduce(0) { $0 + 26 + ($1.value?.count ?? 0) })
        for (name, body) in changes {
            bytes.append(name.kind.rawValue)
            bytes.append(body == nil ? deleted : put)
            append(length: name.id.utf8.count, to: &bytes)
            append(length: body?.count ?? 0, to: &bytes)
            bytes.append(contentsOf: name.id.utf8)
            bytes.append(contentsOf: body ?? [])
        }
        return bytes
    }

    private static func append(length: Int, to bytes: inout [UInt8]) {
        for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: length >> (8 * place))) }
    }
}
