// What stores and replicas hand back, damaged or not: it is read or refused, and what was read is written the same again.

import Base
import Board
import Machine
import RecurrenceRules
import Replication
import TestSupport
import Tween
import Wire

extension FuzzTarget {
    /// Records of tracks, schedules and deliveries.
    static let records = FuzzTarget("records", upTo: 2_048) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        switch input.choice([ResourceKind.ticker, .progress, .schedule, nil]) {
        case .schedule: try RecordProperties.checkSchedule(input.bytes)
        case .some(let kind): try RecordProperties.checkTrack(input.bytes, kind)
        case nil: try RecordProperties.checkDelivery(input.bytes)
        }
    }

    /// A machine that was written down: pieces, each behind its kind and its length in two bytes.
    static let snapshots = FuzzTarget("snapshots", upTo: 16_384) { bytes throws(Violation) in
        var pieces: [(SnapshotPiece, [UInt8])] = []
        var rest = bytes[...]
        while let kind = rest.popFirst().flatMap(SnapshotPiece.init), let high = rest.popFirst(),
            let low = rest.popFirst()
        {
            let piece = rest.prefix(Int(high) << 8 | Int(low))
            rest = rest.dropFirst(piece.count)
            pieces.append((kind, Array(piece)))
        }
        try SnapshotProperties.check(pieces)
    }

    /// Entries of the log that replicas share.
    static let entries = FuzzTarget("log-entries", upTo: 2_048) { bytes throws(Violation) in
        let content: LogContent
        do throws(UnreadableEntry) {
            content = try LogContent(bytes, rules: CalendarProperties.rules)
        } catch {
            return
        }
        let written = content.bytes
        guard let again = try? LogContent(written, rules: CalendarProperties.rules) else {
            throw Violation("an entry can't be read again")
        }
        try require(again.bytes == written, "an entry is another one when it has been read")
        guard case .turn(let requests) = content else { return }
        var machine = BoardProperties.machine(NoFormats())
        var turn = Turn(at: BoardProperties.start, tick: 1)
        turn.requests = requests
        _ = machine.apply(turn)
    }
}

enum RecordProperties {
    /// What was read is written as the same from then on, and a board goes on with it.
    static func checkTrack(_ body: [UInt8], _ kind: ResourceKind) throws(Violation) {
        let name = ResourceName(kind, "x")
        let renderings = RenderingCache(planner: NoFormats())
        guard let track = try? TrackRecord.track(name, RecordContents(body: body), renderings: renderings) else {
            return
        }
        let contents = TrackRecord.contents(of: track)
        guard let again = try? TrackRecord.track(name, contents, renderings: renderings) else {
            throw Violation("what was read can't be read again: \(contents.body)")
        }
        let third = TrackRecord.contents(of: again)
        try require(third == contents, "\(third.body) was \(contents.body)")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        engine.restore(name, .track(track), at: BoardProperties.start)
        advance(&engine)
    }

    static func checkSchedule(_ body: [UInt8]) throws(Violation) {
        let name = ResourceName(.schedule, "x")
        let rules = CalendarProperties.rules
        guard let schedule = try? ScheduleRecord.schedule(name, RecordContents(body: body), rules: rules) else {
            return
        }
        let contents = ScheduleRecord.contents(of: schedule)
        guard let again = try? ScheduleRecord.schedule(name, contents, rules: rules) else {
            throw Violation("what was read can't be read again: \(contents.body)")
        }
        try require(ScheduleRecord.contents(of: again) == contents, "a schedule is another one when it has been read")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        engine.restore(name, .schedule(schedule), at: BoardProperties.start)
        advance(&engine)
    }

    static func checkDelivery(_ body: [UInt8]) throws(Violation) {
        guard let delivery = try? DeliveryRecord.delivery("d", body: body) else { return }
        guard let again = try? DeliveryRecord.delivery("d", body: DeliveryRecord.body(of: delivery)) else {
            throw Violation("what was read can't be read again")
        }
        try require(again == delivery, "a delivery is another one when it has been read")
    }

    /// A few advances: what is overdue may take more than one.
    private static func advance(_ engine: inout Engine) {
        var now = BoardProperties.start
        for _ in 0..<4 {
            _ = engine.advance(to: now)
            now = now.advanced(bySeconds: 30)
        }
    }
}

enum SnapshotProperties {
    static func pieces(of machine: Machine) -> [(SnapshotPiece, [UInt8])] {
        var pieces: [(SnapshotPiece, [UInt8])] = []
        machine.writeSnapshot { pieces.append(($0, $1)) }
        return pieces
    }

    static func machine(
        from pieces: [(SnapshotPiece, [UInt8])], _ planner: any Planner
    ) throws(ByteReader.Damage) -> Machine {
        var machine = BoardProperties.machine(planner)
        let renderings = RenderingCache(planner: planner)
        for (piece, bytes) in pieces {
            switch piece {
            case .tracks, .schedules:
                machine.insert(try Machine.resources(bytes, renderings: renderings, rules: CalendarProperties.rules))
            default: try machine.read(piece, bytes, rules: CalendarProperties.rules)
            }
        }
        return machine
    }

    /// What is read is written, and read, as the same; the machine takes turns.
    static func check(_ pieces: [(SnapshotPiece, [UInt8])]) throws(Violation) {
        // The books are the last piece: without them it is no machine yet.
        guard pieces.last?.0 == .books, pieces.filter({ $0.0 == .books }).count == 1,
            var machine = try? machine(from: pieces, NoFormats())
        else { return }
        let written = self.pieces(of: machine)
        guard let again = try? self.machine(from: written, NoFormats()) else {
            throw Violation("a snapshot can't be read again")
        }
        try require(
            self.pieces(of: again).map(\.1) == written.map(\.1), "a snapshot is another one when it has been read")
        var turn = Turn(at: BoardProperties.start, tick: 1)
        turn.isTick = true
        _ = machine.apply(turn)
    }
}
