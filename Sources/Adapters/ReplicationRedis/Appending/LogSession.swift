// A connection over which a replica appends. When it begins, the server rejects anything sent over the previous one.

import Base
import Machine
import RecurrenceRules
import Replication

/// A replica's connection for writing, used by one thread.
final class LogSession: @unchecked Sendable {
    // @unchecked because: one thread makes it and passes it to another, which alone uses it from then on.
    let connection: any RedisLink
    /// The number of the log's last entry when the session began.
    let head: UInt64
    /// The board's tick period in nanoseconds, and the epoch of its events.
    let period: Int64
    let epoch: String
    /// The number of sessions lost before it.
    var count: UInt64 = 0
    /// The last entry that may be on too few of the server's replicas; nil if there is none. Only for a log that waits for them.
    var unconfirmed: EntryName?
    /// How many of the server's replicas confirmed the last entry or heartbeat in time; nil if enough did.
    var confirming: Int64?
    /// Warnings about the server's settings.
    var warnings: [String] = []
    /// Microseconds by which the log's time is ahead of the server's.
    var lead: Int64 = 0
    /// The snapshot whose pieces this replica has all found, and monotonic nanoseconds until which that counts.
    var checked: (slot: String, until: Int64)?

    private let name: [UInt8]
    private let clock: LogClock
    /// The session's number, as an argument for scripts.
    let number: [UInt8]
    private let keys: [[UInt8]]

    /// Connects and begins a session.
    /// - Parameter mayMake: Create the board if it is missing. Not for a replica that already has one, which would lose it
    ///   to a store that was emptied or replaced.
    init(_ parts: RedisLog.Parts, mayMake: Bool) throws(RedisError) {
        connection = try parts.server.connect()
        keys = LogScript.keys(of: parts.server.address)
        name = Array(parts.needs.name.utf8)
        let history = try connection.history()
        let epoch = LogContent.epoch(String(parts.surroundings.random.next(), radix: 36), lossOf: nil)
        var arguments =
            [name]
            + [[UInt8]](words: String(parts.needs.period), parts.needs.epoch, mayMake ? "1" : "0", history)
            + [Self.text(parts.newName()), epoch.bytes]
            + [[UInt8]](words: BoardFormat.name)
        let zones = parts.needs.rules.zoneVersion
        arguments.append(zones.isEmpty ? [] : LogContent.zones(zones, nil).bytes)
        clock = parts.clock
        var began = parts.surroundings.monotonic()
        let reply: RedisReply
        do throws(RedisError) {
            reply = try LogScript.open.script.evaluate(
                on: connection, keys: keys, arguments: arguments + [clock.expected])
        } catch let error where Self.isStepped(error) {
            try clock.settle(by: connection, keys)
            began = parts.surroundings.monotonic()
            reply = try LogScript.open.script.evaluate(on: connection, keys: keys, arguments: arguments + [[]])
        }
        if let fields = reply.elements, fields.count == 1, let found = fields[0].text {
            throw BoardFormat.refusal(found, of: parts.server.address)
        }
        guard let fields = reply.elements, fields.count == 5, let session = fields[0].text, let epoch = fields[4].text
        else { throw RedisError(.protocolError, "these keys are no board's") }
        number = Array(session.utf8)
        self.epoch = epoch
        let shown: Int64
        do throws(FieldDamage) {
            (head, shown) = (UInt64(clamping: try fields[1].count("seq")), try fields[2].number("set"))
            period = try fields[3].count("period")
        } catch {
            throw error.error(in: "the head")
        }
        // A replica must know the log's time before its first request; otherwise that would seem to have waited since 1970.
        if !clock.look(from: began, shown) { try settleClock() }
    }

    /// Samples the log's clock, which may have been set.
    func settleClock() throws(RedisError) { try clock.settle(by: connection, keys) }

    /// Returns the number of the last entry.
    func currentHead() throws(RedisError) -> UInt64 {
        // proven: `LogScript.keys` has a key for each of its names.
        let reply = try connection.call([Array("HGET".utf8), keys[0], Array("seq".utf8)])
        guard reply != .null else { throw RedisError(.failed, "GONE the board is not here") }
        do throws(FieldDamage) {
            return UInt64(clamping: try reply.count("seq"))
        } catch {
            throw error.error(in: "the head")
        }
    }

    /// The expected log time, as an argument for scripts.
    var expected: [UInt8] { clock.expected }

    /// Queues a script.
    /// - Parameter expected: The log time at which it may run; empty for any.
    func append(_ script: LogScript, _ arguments: [[UInt8]], at expected: [UInt8]) {
        script.script.append(to: connection, keys: keys, arguments: [name, number] + arguments + [expected])
    }

    /// Runs a script by itself, and once more if the log's clock was set or the request was late.
    @discardableResult
    func call(_ script: LogScript, _ arguments: [[UInt8]]) throws(RedisError) -> RedisReply {
        let arguments = [name, number] + arguments
        do throws(RedisError) {
            return try script.script.evaluate(on: connection, keys: keys, arguments: arguments + [expected])
        } catch let error where Self.isStepped(error) {
            try settleClock()
            return try script.script.evaluate(on: connection, keys: keys, arguments: arguments + [[]])
        }
    }

    /// Returns whether another session has begun, or the board is gone or damaged.
    static func isOver(_ error: RedisError) -> Bool {
        error.cause.contains("FENCED this session") || isGone(error) || isDamaged(error)
    }

    /// Returns whether nothing was done because the time differed from the expected one.
    static func isStepped(_ error: RedisError) -> Bool { error.cause.contains("STEPPED it is") }

    /// Returns whether the store has no such board.
    static func isGone(_ error: RedisError) -> Bool { error.cause.contains("GONE the board") }

    /// Returns whether a number of the board can't be right.
    static func isDamaged(_ error: RedisError) -> Bool { error.cause.contains("DAMAGED the field") }

    static func text(_ name: EntryName) -> [UInt8] { Array(String(name.rawValue).utf8) }
}

extension LogFailure {
    /// - Parameter whenEmpty: What cures the loss of the board; nil where nothing running has it.
    init(_ error: RedisError, whenEmpty: EmptyRedisPolicy? = nil) {
        let code: Code =
            switch error.code {
            case .outOfMemory: .full
            case .refused: .refused
            case .absent: .gone
            case .failed where LogSession.isGone(error): .gone
            case .failed where LogSession.isDamaged(error): .damaged
            case .unreachable, .readOnly, .loading, .noScript, .moved, .noReplicas, .unsuitable, .protocolError,
                .failed:
                .away
            }
        let mayPass =
            switch error.code {
            case .unreachable, .loading, .readOnly, .moved, .noReplicas, .outOfMemory, .absent: true
            case .refused, .noScript, .unsuitable, .protocolError, .failed: false
            }
        self.init(code, error.cause, mayPass: mayPass, cure: code == .gone ? whenEmpty?.cure : nil)
    }
}
