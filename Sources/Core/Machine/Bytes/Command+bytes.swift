// A command as bytes: what its client sent, and what the gateway added.

import Base
import Board
import RecurrenceRules
import Wire

extension Command {
    /// The raw values are in logs and snapshots.
    private enum Code: UInt8 {
        case oldUpdate = 0
        case oldDefinition = 1
        case remove = 2
        case play = 3
        case oldSchedule = 4
        case pauseSchedule = 5
        case resumeSchedule = 6
        case pauseAllSchedules = 7
        case resumeAllSchedules = 8
        case removeAllSchedules = 9
        case notify = 10
        case update = 11
        case define = 12
        case schedule = 13

        /// Whether the JSON has the names of `StoredTemplates`.
        var hasOldTemplates: Bool { self == .oldUpdate || self == .oldDefinition || self == .oldSchedule }
    }

    private var code: Code {
        switch self {
        case .update: .update
        case .define: .define
        case .remove: .remove
        case .play: .play
        case .schedule: .schedule
        case .pauseSchedule: .pauseSchedule
        case .resumeSchedule: .resumeSchedule
        case .pauseAllSchedules: .pauseAllSchedules
        case .resumeAllSchedules: .resumeAllSchedules
        case .removeAllSchedules: .removeAllSchedules
        case .notify: .notify
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.byte(code.rawValue)
        switch self {
        case .update(let name, let update), .define(let name, let update):
            writer.name(name)
            writer.data(update.source)
            writer.optional(update.timeToLive) { $0.double($1) }
            writer.optional(update.lead == 0 ? nil : update.lead) { $0.double($1) }
            writer.optional(update.owner) { $0.text($1) }
        case .remove(let name), .pauseSchedule(let name), .resumeSchedule(let name): writer.name(name)
        case .play(let name, let operation):
            writer.name(name)
            operation.write(to: &writer)
        case .schedule(let name, let definition):
            writer.name(name)
            writer.data(definition.source)
            writer.optional(definition.actions.owner) { $0.text($1) }
        case .notify(let name, let data):
            writer.text(name)
            writer.optional(data) { $0.data($1) }
        case .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: break
        }
    }

    init(from reader: inout ByteReader, rules: any CalendarRules) throws(ByteReader.Damage) {
        guard let code = Code(rawValue: try reader.byte()) else { throw ByteReader.Damage() }
        switch code {
        case .update, .define, .oldUpdate, .oldDefinition:
            let name = try reader.name()
            let isUpdate = code == .update || code == .oldUpdate
            let source = try Self.source(of: code, name.kind, from: &reader)
            let update = try Self.update(source, name.kind, isUpdate ? .update : .definition, from: &reader, rules)
            self = isUpdate ? .update(name, update) : .define(name, update)
        case .remove: self = .remove(try reader.name())
        case .play:
            let name = try reader.name()
            self = .play(name, try PlaybackOperation(from: &reader))
        case .schedule, .oldSchedule:
            let name = try reader.name()
            let definition = try Self.definition(ofSource: try Self.source(of: code, nil, from: &reader), rules)
            self = .schedule(name, definition.posted(by: try reader.owner()))
        case .pauseSchedule: self = .pauseSchedule(try reader.name())
        case .resumeSchedule: self = .resumeSchedule(try reader.name())
        case .pauseAllSchedules: self = .pauseAllSchedules
        case .resumeAllSchedules: self = .resumeAllSchedules
        case .removeAllSchedules: self = .removeAllSchedules
        case .notify:
            let name = try reader.text()
            let data = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.data() }
            self = .notify(name: name, data: data)
        }
    }

    /// Reads a client's JSON.
    /// - Parameter kind: What it describes; nil for a schedule.
    private static func source(
        of code: Code, _ kind: ResourceKind?, from reader: inout ByteReader
    ) throws(ByteReader.Damage) -> [UInt8] {
        let source = try reader.data()
        guard code.hasOldTemplates else { return source }
        do throws(Problem) {
            return try StoredTemplates.renewed(source, of: kind)
        } catch {
            throw ByteReader.Damage()
        }
    }

    private static func update(
        _ source: [UInt8], _ kind: ResourceKind, _ role: UpdateDecoder.Role, from reader: inout ByteReader,
        _ rules: any CalendarRules
    ) throws(ByteReader.Damage) -> TrackUpdate {
        let timeToLive = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.double() }
        let lead = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.double() }
        let owner = try reader.owner()
        do throws(Problem) {
            var update = try UpdateDecoder.update(ofSource: source, kind: kind, role: role, rules: rules)
            // The only fields that the gateway sets after decoding; a further one must be written here.
            update.timeToLive = timeToLive
            update.lead = lead ?? 0
            return update.posted(by: owner)
        } catch {
            throw ByteReader.Damage()
        }
    }

    private static func definition(
        ofSource source: [UInt8], _ rules: any CalendarRules
    ) throws(ByteReader.Damage) -> ScheduleDefinition {
        do throws(Problem) {
            return try ScheduleDecoder.definition(ofSource: source, rules: rules)
        } catch {
            throw ByteReader.Damage()
        }
    }
}

extension ByteReader {
    /// Reads the owner of a command's actions.
    fileprivate mutating func owner() throws(Damage) -> String? {
        try optional { (reader) throws(Damage) in try reader.text() }
    }
}

extension PlaybackOperation {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .pause: writer.byte(0)
        case .resume: writer.byte(1)
        case .cancel: writer.byte(2)
        case .finish: writer.byte(3)
        case .seekFraction(let share):
            writer.byte(4)
            writer.double(share)
        case .seekSeconds(let seconds):
            writer.byte(5)
            writer.double(seconds)
        case .rate(let rate):
            writer.byte(6)
            writer.double(rate)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        switch try reader.byte() {
        case 0: self = .pause
        case 1: self = .resume
        case 2: self = .cancel
        case 3: self = .finish
        case 4: self = .seekFraction(try reader.double())
        case 5: self = .seekSeconds(try reader.double())
        case 6: self = .rate(try reader.double())
        default: throw ByteReader.Damage()
        }
    }
}
