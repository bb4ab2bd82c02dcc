// Snapshots on the server: pieces under their own keys, and a manifest that names the newest set of pieces. Each set has a
// unique name and expires, so a late writer does no harm; one atomic step makes it the newest and persistent.

import Base
import Machine
import Replication
import Tween

/// The manifest of the newest snapshot.
struct SnapshotManifest: Hashable, Sendable {
    /// The name of its set of pieces.
    var slot: String
    var position: LogPosition
    var digest: UInt64
    /// The number of pieces.
    var pieces: Int
    /// Bytes of all entries up to it, and of the snapshot itself.
    var mark: Int64
    var size: Int64
    /// Nanoseconds by which entries had set the log's clock.
    var clockShift: Int64

    /// - Returns: nil if there is none.
    init?(_ reply: RedisReply) throws(RedisError) {
        var fields: [String: RedisReply] = [:]
        for (name, value) in reply.pairs { fields[name] = value }
        guard let slot = fields["slot"]?.text else { return nil }
        self.slot = slot
        do throws(FieldDamage) {
            digest = try fields["digest", default: .null].bits("digest")
            pieces = Int(clamping: try fields["pieces", default: .null].count("pieces"))
            (mark, size) = (
                try fields["mark", default: .null].count("mark"), try fields["size", default: .null].count("size")
            )
            clockShift = try fields["set", default: .integer(0)].number("set") * 1_000
            position = LogPosition(
                sequence: UInt64(clamping: try fields["sequence", default: .null].count("sequence")),
                instant: try fields["instant", default: .null].instant("instant"),
                name: EntryName(rawValue: try fields["name", default: .null].bits("name")))
        } catch {
            throw error.error(in: "the snapshot")
        }
    }
}

/// Pieces that are not a snapshot yet.
struct SnapshotDraft: Sendable {
    var slot: String
    /// The number of pieces.
    var pieces: Int
    var bytes: Int64
}

/// A piece, with what distinguishes it from one of an older snapshot under the same key.
struct StoredPiece: Sendable {
    /// The kind of a piece that isn't a machine's: named events of the past.
    static let events: UInt8 = 100

    var sequence: UInt64
    /// A `SnapshotPiece`, or events.
    var kind: UInt8
    var content: [UInt8]

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.number(sequence)
        writer.byte(kind)
        return writer.bytes + content
    }

    init(sequence: UInt64, kind: UInt8, content: [UInt8]) {
        (self.sequence, self.kind, self.content) = (sequence, kind, content)
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Damage) {
        var reader = ByteReader(bytes)
        (sequence, kind) = (try reader.unsigned(), try reader.byte())
        content = reader.rest
    }
}

extension KeptEvents {
    func write(to writer: inout ByteWriter) {
        writer.text(epoch)
        writer.number(last)
        writer.number(instant.nanoseconds)
        writer.data(bytes)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (epoch, last, instant) = (try reader.text(), try reader.signed(), try reader.signed())
        self.init(
            epoch: epoch, last: last, instant: Instant(nanoseconds: instant), bytes: try reader.data())
    }
}

/// Writes and reads snapshots.
struct SnapshotStore {
    let address: RedisAddress
    /// Pieces per request.
    private static let window = 4
    /// More pieces than any snapshot has: a damaged number of pieces keeps no script running for long.
    static let mostPieces = 100_000
    /// Bytes at which a piece of events is complete.
    private static let eventBytes = 256 << 10
    /// Seconds until pieces expire, unless they become a snapshot.
    private static let lifetime = 3_600

    /// Returns the prefix of the keys of a set of pieces; the piece's number follows.
    func stem(_ slot: String) -> String { "\(place)\(slot):" }
    /// The prefix of the keys of all pieces.
    var place: String { address.key("snapshot:") }
    private func key(_ slot: String, _ index: Int) -> String { stem(slot) + String(index) }

    func manifest(by connection: any RedisLink) throws(RedisError) -> SnapshotManifest? {
        try SnapshotManifest(connection.call("HGETALL", address.key("snapshot")))
    }

    // MARK: - Reading

    /// Passes on all pieces, in order.
    /// - Returns: false if one of them belongs to another snapshot by now.
    func read(
        _ manifest: SnapshotManifest, by connection: any RedisLink,
        _ take: (StoredPiece) throws(ByteReader.Damage) -> Void
    ) throws(RedisError) -> Bool {
        for start in stride(from: 0, to: manifest.pieces, by: Self.window) {
            let end = min(start + Self.window, manifest.pieces)
            for index in start..<end { connection.append("GET", key(manifest.slot, index)) }
            var replies: [RedisReply] = []
            for _ in start..<end { replies.append(try connection.receive()) }
            for reply in replies {
                guard let bytes = try connection.value(of: reply).bytes else { return false }
                do throws(ByteReader.Damage) {
                    let piece = try StoredPiece(bytes)
                    guard piece.sequence == manifest.position.sequence else { return false }
                    try take(piece)
                } catch {
                    throw RedisError(.protocolError, "a piece of the snapshot is damaged")
                }
            }
        }
        return true
    }

    static func events(_ content: [UInt8]) throws(ByteReader.Damage) -> [KeptEvents] {
        var reader = ByteReader(content)
        var events: [KeptEvents] = []
        while !reader.isAtEnd { events.append(try KeptEvents(from: &reader)) }
        return events
    }

    // MARK: - Writing

    /// Returns a unique name for a set of pieces.
    static func newSlot(_ random: RandomSource) -> String { String(random.next(), radix: 36) }

    /// Writes the pieces of a board under unused keys.
    func write(
        _ board: LoadedBoard, to slot: String, by connection: any RedisLink
    ) throws(RedisError) -> SnapshotDraft {
        var draft = SnapshotDraft(slot: slot, pieces: 0, bytes: 0)
        let sequence = board.follower.position.sequence
        let lifetime = [[UInt8]](words: "EX", String(Self.lifetime))
        func put(_ kind: UInt8, _ content: [UInt8]) throws(RedisError) {
            let piece = StoredPiece(sequence: sequence, kind: kind, content: content).bytes
            _ = try connection.call([Array("SET".utf8), Array(key(slot, draft.pieces).utf8), piece] + lifetime)
            draft.pieces += 1
            draft.bytes += Int64(piece.count)
        }
        var writer = ByteWriter()
        for events in board.events {
            events.write(to: &writer)
            guard writer.bytes.count >= Self.eventBytes else { continue }
            try put(StoredPiece.events, writer.bytes)
            writer.removeAll()
        }
        if !writer.bytes.isEmpty { try put(StoredPiece.events, writer.bytes) }
        try board.machine.writeSnapshot { (kind, content) throws(RedisError) in try put(kind.rawValue, content) }
        return draft
    }

    /// Removes pieces that the server answered to have become no snapshot. If that fails, they expire.
    /// - Parameter connection: The one over which they were written. If it has failed, the answer is missing: they may have
    ///   become a snapshot, or still will, so they are left.
    func remove(_ slot: String, by connection: any RedisLink) {
        guard connection.failure == nil else { return }
        var index = 0
        while (try? connection.call("DEL", key(slot, index)))?.integer == 1 { index += 1 }
    }
}
