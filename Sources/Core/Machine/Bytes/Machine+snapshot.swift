// A machine's snapshot between two turns; the restored machine behaves identically for the same turns. Written in pieces of
// limited size, so that the heavy ones can be read on all cores.

package import Base
package import Board
package import RecurrenceRules
import Tween
import Wire

/// The contents of a snapshot's piece; the raw values are in snapshots.
package enum SnapshotPiece: UInt8, Sendable {
    case tracks = 1
    case schedules = 2
    case answers = 3
    case deliveries = 4
    /// Everything else; the last piece.
    case books = 5
}

/// A resource of a snapshot.
package struct SnapshotResource: Sendable {
    package var resource: Engine.Resource
    package var slotEntry: SlotEntry
}

extension Machine {
    /// The size in bytes from which on a piece is complete.
    static let pieceSize = 256 << 10

    /// Writes everything, a piece at a time, in an order and form that depend only on its state.
    package func writeSnapshot<Failure: Error>(
        _ take: (SnapshotPiece, [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try write(.tracks, engine.tracks.indices, take) { slot, writer in
            guard let track = engine.tracks[slot] else { return }
            writer.slotEntry(engine.slotEntry(ofTrack: slot), track.name, TrackRecord.contents(of: track))
        }
        try write(.schedules, engine.schedules.indices, take) { slot, writer in
            guard let schedule = engine.schedules[slot] else { return }
            writer.slotEntry(engine.slotEntry(ofSchedule: slot), schedule.name, ScheduleRecord.contents(of: schedule))
        }
        try write(.answers, retries.keys, take) { retries.write($0, to: &$1) }
        try write(.deliveries, outbox.pending.map(\.id) + outbox.dead, take) { id, writer in
            guard let delivery = outbox.delivery(id) else { return }
            writer.text(id)
            writer.data(DeliveryRecord.body(of: delivery))
        }
        var writer = ByteWriter()
        writeBooks(to: &writer)
        try take(.books, writer.bytes)
    }

    private func write<Items: Collection, Failure: Error>(
        _ piece: SnapshotPiece, _ items: Items, _ take: (SnapshotPiece, [UInt8]) throws(Failure) -> Void,
        _ append: (Items.Element, inout ByteWriter) -> Void
    ) throws(Failure) {
        var writer = ByteWriter()
        for item in items {
            append(item, &writer)
            guard writer.bytes.count >= Self.pieceSize else { continue }
            try take(piece, writer.bytes)
            writer.removeAll()
        }
        if !writer.bytes.isEmpty { try take(piece, writer.bytes) }
    }

    private func writeBooks(to writer: inout ByteWriter) {
        writer.text(epoch)
        writer.number(lastEvent)
        writer.list(pastEpochs) { writer, id in
            writer.text(id.epoch)
            writer.number(id.number)
        }
        writer.flag(isCutShort)
        writer.number(cutShortTick)
        writer.text(deliveries.prefix)
        writer.number(deliveries.count)
        writer.list(subscribers.replicas.keys.sorted()) { writer, name in
            writer.name(name)
            writer.list(subscribers.replicas[name] ?? []) { $0.text($1) }
        }
        writer.list(completionGroups.counts.keys.sorted()) { writer, name in
            writer.name(name)
            writer.count(completionGroups.counts[name] ?? 0)
        }
        writer.list(completionGroups.inOrder) { writer, entry in
            writer.name(entry.name)
            entry.group.write(to: &writer)
        }
        writer.optional(sweeps.current) { writer, current in
            current.request.write(to: &writer)
            current.acceptance.write(to: &writer)
        }
        writer.list(sweeps.waiting) { $1.write(to: &$0) }
        settings.write(to: &writer)
        retries.writeHead(to: &writer)
        engine.writeBooks(to: &writer)
        tickets.write(to: &writer)
        writer.optional(requiredZoneVersion) { $0.text($1) }
    }

    // MARK: - Reading

    /// Reads a piece of tracks or schedules. Any thread may call this.
    /// - Parameter renderings: A cache for the renderings of tracks.
    package static func resources(
        _ piece: [UInt8], renderings: RenderingCache, rules: any CalendarRules
    ) throws(ByteReader.Damage) -> [SnapshotResource] {
        var reader = ByteReader(piece)
        var resources: [SnapshotResource] = []
        while !reader.isAtEnd {
            let (slotEntry, name, contents) = try reader.slotEntry()
            do throws(Problem) {
                let resource: Engine.Resource =
                    name.kind == .schedule
                    ? .schedule(try ScheduleRecord.schedule(name, contents, rules: rules))
                    : .track(try TrackRecord.track(name, contents, renderings: renderings, rules: rules))
                resources.append(SnapshotResource(resource: resource, slotEntry: slotEntry))
            } catch {
                throw ByteReader.Damage()
            }
        }
        return resources
    }

    /// Inserts resources at their slots; the machine must have no others.
    package mutating func insert(_ resources: [SnapshotResource]) {
        for entry in resources { engine.insert(entry.resource, at: entry.slotEntry) }
    }

    /// Restores a piece that has no resources; the books come last.
    package mutating func read(
        _ piece: SnapshotPiece, _ bytes: [UInt8], rules: any CalendarRules
    ) throws(ByteReader.Damage) {
        var reader = ByteReader(bytes)
        switch piece {
        case .tracks, .schedules: throw ByteReader.Damage()
        case .answers: while !reader.isAtEnd { try retries.read(from: &reader) }
        case .deliveries:
            while !reader.isAtEnd {
                let (id, body) = (try reader.text(), try reader.data())
                do throws(Problem) {
                    outbox.insert(try DeliveryRecord.delivery(id, body: body))
                } catch {
                    throw ByteReader.Damage()
                }
            }
        case .books: try readBooks(from: &reader, rules: rules)
        }
    }

    private mutating func readBooks(
        from reader: inout ByteReader, rules: any CalendarRules
    ) throws(ByteReader.Damage) {
        epoch = try reader.text()
        lastEvent = try reader.signed()
        pastEpochs = try reader.list { (reader) throws(ByteReader.Damage) in
            EventID(epoch: try reader.text(), number: try reader.signed())
        }
        isCutShort = try reader.flag()
        cutShortTick = try reader.signed()
        deliveries = DeliveryNames(prefix: try reader.text(), count: try reader.unsigned())
        for _ in 0..<(try reader.count()) {
            let name = try reader.name()
            subscribers.replicas[name] = try reader.list { (reader) throws(ByteReader.Damage) in try reader.text() }
        }
        for _ in 0..<(try reader.count()) {
            let name = try reader.name()
            completionGroups.counts[name] = try reader.count()
        }
        for _ in 0..<(try reader.count()) {
            let name = try reader.name()
            completionGroups.insert(try CompletionGroup(from: &reader), of: name)
        }
        // A snapshot is taken between turns.
        _ = completionGroups.assignNumbers()
        sweeps.current = try reader.optional { (reader) throws(ByteReader.Damage) in
            let request = try CommandRequest(from: &reader, rules: rules)
            return (request, try Acceptance(from: &reader))
        }
        sweeps.waiting = try reader.list { (reader) throws(ByteReader.Damage) in
            try CommandRequest(from: &reader, rules: rules)
        }
        let settings = try MachineSettings(from: &reader)
        try retries.readHead(from: &reader)
        try engine.readBooks(from: &reader)
        tickets = try TicketBook(from: &reader)
        set(settings)
        try readZones(from: &reader, rules: rules)
        guard reader.isAtEnd else { throw ByteReader.Damage() }
    }

    private mutating func readZones(
        from reader: inout ByteReader, rules: any CalendarRules
    ) throws(ByteReader.Damage) {
        let version = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
        guard let version else { return }
        if let known = rules.rules(version: version) { engine.compile(by: known) } else { missingZones = version }
    }
}

extension ByteWriter {
    fileprivate mutating func slotEntry(_ slotEntry: SlotEntry, _ name: ResourceName, _ contents: RecordContents) {
        count(slotEntry.slot)
        count(slotEntry.footprint)
        flag(slotEntry.hasSubscribers)
        self.name(name)
        data(contents.body)
        list(contents.parts.keys.sorted()) { writer, number in
            writer.number(number)
            writer.data(contents.parts[number] ?? [])
        }
    }
}

extension ByteReader {
    fileprivate mutating func slotEntry() throws(Damage) -> (SlotEntry, ResourceName, RecordContents) {
        let (slot, footprint) = (try count(), try count())
        let slotEntry = SlotEntry(slot: slot, footprint: footprint, hasSubscribers: try flag())
        // A damaged number must not allocate a huge board.
        guard slot <= Self.mostSlots else { throw Damage() }
        let name = try name()
        var contents = RecordContents(body: try data())
        for _ in 0..<(try count()) { contents.parts[try unsigned()] = try data() }
        return (slotEntry, name, contents)
    }

    /// More than any board ever has at a time, because slots are reused.
    private static let mostSlots = 1 << 21
}
