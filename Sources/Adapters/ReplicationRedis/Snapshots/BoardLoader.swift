// Loads a board from the server into a machine that can follow the log: the newest snapshot, decoded on every core, and the
// entries after it.

import Base
import Board
import Machine
import OperatingSystem
import RecurrenceRules
import Replication
import Tween
import Wire

/// Loads a board.
struct BoardLoader {
    /// The board's head.
    struct Head: Sendable {
        var sequence: UInt64
        /// Bytes of all entries so far.
        var bytes: Int64
        /// Nanoseconds between ticks.
        var period: Int64
        var epoch: String
    }

    private typealias Pieces = OrderedWork<[UInt8], Result<[SnapshotResource], ByteReader.Damage>>

    let parts: RedisLog.Parts
    /// The key of the replicas' heartbeats.
    var members: String { parts.server.address.key("members") }
    /// Entries per read.
    private static let portion = 1_000
    /// Attempts if the snapshot is replaced while it is read.
    private static let attempts = 5

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    func head(by connection: any RedisLink) throws(RedisError) -> Head {
        let address = parts.server.address
        let reply = try connection.call("HMGET", address.key("head"), "seq", "bytes", "period", "epoch", "format")
        guard let fields = reply.elements, fields.count == 5, fields[0] != .null, let epoch = fields[3].text
        else { throw RedisError(.failed, "GONE the board is not here") }
        let format = fields[4].text ?? "0"
        guard format == BoardFormat.name else { throw BoardFormat.refusal(format, of: address) }
        do throws(FieldDamage) {
            let period = try fields[2].count("period")
            guard (1...Self.longestPeriod).contains(period) else { throw FieldDamage("period", fields[2]) }
            return Head(
                sequence: UInt64(clamping: try fields[0].count("seq")), bytes: try fields[1].count("bytes"),
                period: period,
                epoch: epoch)
        } catch {
            throw error.error(in: "the head")
        }
    }

    /// Nanoseconds between ticks at the lowest rate, one a second.
    private static let longestPeriod: Int64 = 1_000_000_000

    /// Returns the microseconds by which the log's even time, which heartbeats use, is ahead of the server's clock.
    func evenLead(by connection: any RedisLink) throws(RedisError) -> Int64 {
        let reply = try connection.call("HMGET", parts.server.address.key("head"), "lead", "set")
        let fields = reply.elements ?? []
        guard fields.count == 2 else { return 0 }
        let numbers = zip(["lead", "set"], fields).map { name, field in (name, field == .null ? .integer(0) : field) }
        do throws(FieldDamage) {
            return try numbers[0].1.number(numbers[0].0) - numbers[1].1.number(numbers[1].0)
        } catch {
            throw error.error(in: "the head")
        }
    }

    /// Loads the board.
    /// - Parameters:
    ///   - end: The last entry to apply; nil for the current last one. Over a slow connection, the end of a log in use is
    ///     never reached.
    ///   - mayLackZones: Whether the board may use time zones of another version than this machine's; it then uses this
    ///     machine's.
    /// - Throws: Also if the log contains what can't be followed.
    func load(
        by connection: any RedisLink, upTo end: UInt64? = nil, mayLackZones: Bool = false
    ) throws(RedisError) -> LoadedBoard {
        let head = try head(by: connection)
        let end = end ?? head.sequence
        for _ in 0..<Self.attempts {
            guard var board = try snapshot(head, by: connection) else { continue }
            while board.follower.position.sequence < end,
                let entries = try portion(behind: board.follower.position.sequence, by: connection)
            {
                for entry in entries.prefix(while: { $0.position.sequence <= end }) { try board.apply(entry, parts) }
            }
            let reached = board.follower.position.sequence
            guard reached >= end else { throw Self.loss(from: reached + 1, to: end) }
            if !mayLackZones, let version = board.machine.missingZones {
                let own = parts.needs.rules.zoneVersion
                throw RedisError(
                    .failed,
                    "the board uses the time zones of \(version) and this machine has those of \(own); "
                        + "replicas that go by others run")
            }
            return LoadedBoard(machine: board.machine, follower: board.follower, events: board.recorder.kept)
        }
        throw RedisError(.loading, "the snapshot is replaced faster than it can be read")
    }

    /// A board being brought from a snapshot to the log's end.
    private struct Loading {
        var machine: Machine
        var follower: Follower
        var recorder: any EventRecording

        mutating func apply(_ raw: RawEntry, _ parts: RedisLog.Parts) throws(RedisError) {
            do throws(UnreadableEntry) {
                let entry = try EntryReader(rules: parts.needs.rules).entry(raw)
                parts.needs.prepare(entry)
                var told: [(Consequence, epoch: String)] = []
                do throws(LogBreak) {
                    try follower.apply(entry, by: &machine) { told.append(($0, $1.epoch)) }
                } catch {
                    throw UnreadableEntry.outOfPlace
                }
                for (consequence, epoch) in told { recorder.record(consequence, epoch: epoch) }
            } catch {
                throw BoardLoader.damage(raw.position.sequence, error)
            }
        }
    }

    // MARK: - The snapshot

    /// Returns the board of the newest snapshot, or an empty one.
    /// - Returns: nil if the snapshot was replaced meanwhile.
    private func snapshot(_ head: Head, by connection: any RedisLink) throws(RedisError) -> Loading? {
        let machine = parts.needs.machine(head.epoch)
        let store = SnapshotStore(address: parts.server.address)
        guard let manifest = try store.manifest(by: connection) else {
            return Loading(
                machine: machine, follower: Follower(period: head.period), recorder: parts.needs.recorder())
        }
        let follower = Follower(
            at: manifest.position, digest: StateDigest(manifest.digest), period: head.period,
            clockShift: manifest.clockShift)
        var loading = Loading(machine: machine, follower: follower, recorder: parts.needs.recorder())
        return try read(manifest, of: store, into: &loading, by: connection) ? loading : nil
    }

    private func read(
        _ manifest: SnapshotManifest, of store: SnapshotStore, into loading: inout Loading,
        by connection: any RedisLink
    ) throws(RedisError) -> Bool {
        let work = Pieces(name: "restore") { [parts] in
            let renderings = RenderingCache(planner: parts.needs.planner)
            return { bytes in
                do throws(ByteReader.Damage) {
                    return .success(try Machine.resources(bytes, renderings: renderings, rules: parts.needs.rules))
                } catch {
                    return .failure(error)
                }
            }
        }
        defer { work.stop() }
        var others: [(SnapshotPiece, [UInt8])] = []
        var events: [KeptEvents] = []
        let isWhole = try store.read(manifest, by: connection) { piece throws(ByteReader.Damage) in
            switch SnapshotPiece(rawValue: piece.kind) {
            case .tracks, .schedules: work.add(piece.content)
            case .answers: others.append((.answers, piece.content))
            case .deliveries: others.append((.deliveries, piece.content))
            case .books: others.append((.books, piece.content))
            case nil:
                guard piece.kind == StoredPiece.events else { throw ByteReader.Damage() }
                events += try SnapshotStore.events(piece.content)
            }
        }
        guard isWhole else { return false }
        var machine = loading.machine
        var damage: ByteReader.Damage?
        work.finish { result in
            switch result {
            case .success(let resources): machine.insert(resources)
            case .failure(let error): damage = error
            }
        }
        do throws(ByteReader.Damage) {
            if let damage { throw damage }
            for (piece, bytes) in others { try machine.read(piece, bytes, rules: parts.needs.rules) }
        } catch {
            throw RedisError(.protocolError, "the snapshot is damaged")
        }
        loading.machine = machine
        loading.recorder.restore(events)
        return true
    }

    // MARK: - The log

    /// Lost entries count as in flight, so that no replica had applied them, if there are at most this many, or if the first
    /// entry after them follows the board within this many nanoseconds.
    private static let mostOnTheirWay: UInt64 = 10
    private static let longestWay: Int64 = 5_000_000_000

    /// Returns whether the log ends with a board or goes on behind it, so that it may be the snapshot; false if the log must be
    /// rewound to it.
    /// - Throws: If entries behind it are lost, and the log may not be rewound.
    func goesOn(
        behind position: LogPosition, in head: Head, mayRewind: Bool, by connection: any RedisLink
    ) throws(RedisError) -> Bool {
        guard position.sequence < head.sequence else { return true }
        let next = try portion(behind: position.sequence, by: connection)?.first?.position
        if next?.sequence == position.sequence + 1 { return true }
        let lost = (next?.sequence).map { $0 - position.sequence - 1 } ?? head.sequence - position.sequence
        let way = next.map { $0.instant.nanoseconds.subtractingSaturated(position.instant.nanoseconds) } ?? .max
        guard mayRewind, lost <= Self.mostOnTheirWay || way <= Self.longestWay else {
            throw Self.loss(from: position.sequence + 1, to: head.sequence)
        }
        return false
    }

    private func portion(
        behind sequence: UInt64, by connection: any RedisLink
    ) throws(RedisError) -> [RawEntry]? {
        let reply = try connection.call(
            "XRANGE", parts.server.address.key("log"), "\(sequence + 1)-0", "+", "COUNT", String(Self.portion))
        guard let entries = reply.elements, !entries.isEmpty else { return nil }
        var raw: [RawEntry] = []
        for entry in entries {
            do throws(UnreadableEntry) {
                raw.append(try EntryReader.raw(entry))
            } catch {
                throw Self.damage(sequence + UInt64(raw.count) + 1, error)
            }
        }
        return raw
    }

    private static func loss(from first: UInt64, to last: UInt64) -> RedisError {
        RedisError(
            .failed,
            "the Redis has lost entries of the log between \(first) and \(last): a running replica that has them writes the "
                + "board back; if none has, restore the Redis' own copy")
    }

    private static func damage(_ sequence: UInt64, _ error: UnreadableEntry) -> RedisError {
        RedisError(.failed, "entry \(sequence) of the log can't be followed: \(error)")
    }
}
