// The entries of an input log: in one order, each at an instant of the log's own clock, and executed alike by every replica.

import Base
package import Machine
package import RecurrenceRules
package import Tween

/// A position in a log.
package struct LogPosition: Hashable, Sendable {
    /// The number of the last entry; 0 before the first.
    package var sequence: UInt64
    /// Its instant. Instants rise by at least a microsecond from one entry to the next, unless the clock was set.
    package var instant: Instant
    /// Its name, which distinguishes it from another entry with the same number that replaced it.
    package var name: EntryName

    package init(sequence: UInt64, instant: Instant, name: EntryName) {
        self.sequence = sequence
        self.instant = instant
        self.name = name
    }

    package static let start = LogPosition(
        sequence: 0, instant: Instant(nanoseconds: 0), name: EntryName(rawValue: 0))
}

/// A random number, unique for each entry.
package struct EntryName: Hashable, Sendable, RawRepresentable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An entry as the log stores it.
package struct RawEntry: Hashable, Sendable {
    package var position: LogPosition
    /// The name of the entry before it.
    package var previous: EntryName
    package var payload: [UInt8]

    package init(position: LogPosition, previous: EntryName, payload: [UInt8]) {
        self.position = position
        self.previous = previous
        self.payload = payload
    }
}

/// A decoded entry. Its requests have no waiters.
package struct LogEntry: Sendable {
    package var position: LogPosition
    package var previous: EntryName
    package var content: LogContent

    package init(position: LogPosition, previous: EntryName, content: LogContent) {
        self.position = position
        self.previous = previous
        self.content = content
    }

    /// Nanoseconds by which it set the log's clock; nil if it did not.
    package var clockShift: Int64? {
        if case .clockSet(let nanoseconds) = content { nanoseconds } else { nil }
    }

    /// Its instant on the timeline of the entries before it.
    package var arrival: Instant { position.instant.advanced(byNanoseconds: -(clockShift ?? 0)) }
}

/// The content of an entry.
package enum LogContent: Sendable {
    /// Requests of a replica or its clients; empty if something fell due.
    case turn([Request])
    /// The log's clock was set: instants are shifted by this many nanoseconds from here on.
    case clockSet(Int64)
    /// Limits for all replicas.
    case settings(MachineSettings)
    /// The version of the time zone rules from here on; nil rules if this replica does not have the version.
    case zones(String, (any CalendarRules)?)
    /// Begins a new event log.
    /// - Parameter lossOf: The event log of which published events were lost; nil if no loss is known. If the machine doesn't know
    ///   that log any more, the entry does nothing: another replica has reported the loss.
    case epoch(String, lossOf: String?)
}

/// Why an entry can't be read.
package enum UnreadableEntry: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another version wrote it, in this format.
    case anotherFormat(UInt8)
    /// It needs time zone rules of this version, which aren't available.
    case zones(String)
    /// A field holds an invalid value.
    case field(String, entry: String, value: String)
    case damaged
    /// It doesn't continue the entries before it: some of the log, or its snapshot, is missing.
    case outOfPlace

    package var description: String {
        switch self {
        case .anotherFormat(let format): "it has format \(format), and this program reads \(LogContent.format)"
        case .zones(let version): "it needs the time zones of \(version)"
        case .field(let field, let entry, let value):
            "entry \(entry): field \(field) is not a valid number: \(value.prefix(40))"
        case .damaged: "it is damaged"
        case .outOfPlace: "the entries before it, or the snapshot, are missing"
        }
    }
}

extension LogContent {
    /// The format of entries. The meaning of an entry depends on the program, so this rises with every change of how a
    /// machine executes a request, or of what snapshots contain. Lower numbers are of builds before 1.0.0.
    package static let format: UInt8 = 6
    /// The most nanoseconds by which an entry may set the clock: some 146 years.
    private static let longestShift: Int64 = 1 << 62
    /// The maximum bytes of one entry.
    package static let maximumBytes = 8 << 20

    private enum Code: UInt8 {
        case turn = 0
        case clockSet = 1
        case settings = 2
        case epoch = 3
        case zones = 4
    }

    /// The payload.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.format)
        switch self {
        case .turn(let requests):
            writer.byte(Code.turn.rawValue)
            writer.list(requests) { $1.write(to: &$0) }
        case .clockSet(let nanoseconds):
            writer.byte(Code.clockSet.rawValue)
            writer.number(nanoseconds)
        case .settings(let settings):
            writer.byte(Code.settings.rawValue)
            settings.write(to: &writer)
        case .epoch(let epoch, let lost):
            writer.byte(Code.epoch.rawValue)
            writer.text(epoch)
            writer.optional(lost) { $0.text($1) }
        case .zones(let version, _):
            writer.byte(Code.zones.rawValue)
            writer.text(version)
        }
        return writer.bytes
    }

    /// Returns the payload of a turn whose requests are already encoded.
    static func turn(count: Int, requests: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.format)
        writer.byte(Code.turn.rawValue)
        writer.count(count)
        return writer.bytes + requests
    }

    /// - Parameter rules: Calendar rules for schedules, and the time zone rules that are available.
    package init(_ payload: [UInt8], rules: any CalendarRules) throws(UnreadableEntry) {
        var reader = ByteReader(payload)
        // Only the program that wrote another format can read it.
        if let format = payload.first, format != Self.format { throw .anotherFormat(format) }
        do throws(ByteReader.Damage) {
            _ = try reader.byte()
            self = try Self.content(&reader, rules)
            guard reader.isAtEnd else { throw ByteReader.Damage() }
        } catch {
            throw .damaged
        }
    }

    private static func content(
        _ reader: inout ByteReader, _ rules: any CalendarRules
    ) throws(ByteReader.Damage) -> LogContent {
        switch Code(rawValue: try reader.byte()) {
        case .turn:
            return .turn(
                try reader.list { (reader) throws(ByteReader.Damage) in try Request(from: &reader, rules: rules) })
        case .clockSet:
            let nanoseconds = try reader.signed()
            guard nanoseconds.magnitude <= Self.longestShift.magnitude else { throw ByteReader.Damage() }
            return .clockSet(nanoseconds)
        case .settings: return .settings(try MachineSettings(from: &reader))
        case .epoch:
            let epoch = try reader.text()
            let lost = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
            return .epoch(epoch, lossOf: lost)
        case .zones:
            let version = try reader.text()
            return .zones(version, rules.rules(version: version))
        case nil: throw ByteReader.Damage()
        }
    }
}
