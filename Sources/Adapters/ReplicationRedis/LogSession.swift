// A connection over which a replica appends: what it sent over the one before counts no more once this one has begun.

import Machine
import OperatingSystem
import Replication

/// A writing replica's connection. Used by one thread.
final class LogSession: @unchecked Sendable {
    // @unchecked because: it is made by one thread and handed to another, which alone has it from then on.
    let connection: RedisConnection
    /// The last entry of the log when it began.
    let head: UInt64
    /// The board's ticks, in nanoseconds, and what its log of events is called.
    let period: Int64
    let epoch: String
    /// It follows on one that was lost.
    var isNew = true
    /// How many have been lost before it.
    var count: UInt64 = 0
    /// The last entry that too few of the server's replicas have; 0 where there is none.
    var unconfirmed: UInt64 = 0
    /// By how many microseconds the log's time is ahead of the server's.
    var lead: Int64 = 0

    private let name: [UInt8]
    private let clock: LogClock
    /// The session, as scripts have it.
    let number: [UInt8]
    private let keys: [[UInt8]]

    /// Connects and begins.
    /// - Parameter mayMake: Where there is no board, one is made. Not for a replica that has one: what it shows would go with
    ///   a store that was emptied, or is another.
    init(_ parts: RedisLog.Parts, mayMake: Bool) throws(RedisError) {
        connection = try parts.locator.locate()
        keys = LogScript.keys(of: parts.locator.address)
        name = Array(parts.needs.name.utf8)
        let history = try connection.history()
        let epoch = LogContent.epoch(String(UInt64.random(in: .min ... .max), radix: 36), lossOf: nil)
        let arguments =
            [name]
            + [[UInt8]](words: String(parts.needs.period), parts.needs.epoch, mayMake ? "1" : "0", history)
            + [Self.text(EntryName(rawValue: .random(in: .min ... .max))), epoch.bytes]
            + [[UInt8]](words: BoardFormat.name)
        clock = parts.clock
        var began = SystemClock.monotonic()
        let reply: RedisReply
        do throws(RedisError) {
            reply = try LogScript.open.script.evaluate(
                on: connection, keys: keys, arguments: arguments + [clock.expected])
        } catch let error where Self.isStepped(error) {
            try clock.settle(by: connection, keys)
            began = SystemClock.monotonic()
            reply = try LogScript.open.script.evaluate(on: connection, keys: keys, arguments: arguments + [[]])
        }
        if let fields = reply.elements, fields.count == 1, let found = fields[0].text {
            throw BoardFormat.refusal(found, of: parts.locator.address)
        }
        guard let fields = reply.elements, fields.count == 5, let session = fields[0].text,
            let head = fields[1].integer, let shown = fields[2].integer, let period = fields[3].integer,
            let epoch = fields[4].text
        else { throw RedisError(.protocolError, "these keys are no board's") }
        number = Array(session.utf8)
        self.head = UInt64(clamping: head)
        self.period = period
        self.epoch = epoch
        // A replica knows the log's time before anybody asks it for something: who had asked before would have waited since
        // 1970.
        if !clock.look(from: began, shown) { try settleClock() }
    }

    /// Looks at the log's clock, which may have been set.
    func settleClock() throws(RedisError) { try clock.settle(by: connection, keys) }

    /// The number of the last entry now.
    func currentHead() throws(RedisError) -> UInt64 {
        // proven: there is a key for each of the names that `LogScript.keys` has.
        let reply = try connection.call([Array("HGET".utf8), keys[0], Array("seq".utf8)])
        guard let sequence = reply.integer ?? reply.text.flatMap({ Int64($0) }) else {
            throw RedisError(.failed, "GONE the board is not here")
        }
        return UInt64(clamping: sequence)
    }

    /// The log's time as scripts are to expect it.
    var expected: [UInt8] { clock.expected }

    /// Puts a script behind what waits to be sent.
    /// - Parameter expected: The log's time at which it is carried out; at any where there is none.
    func append(_ script: LogScript, _ arguments: [[UInt8]], at expected: [UInt8]) {
        script.script.append(to: connection, keys: keys, arguments: [name, number] + arguments + [expected])
    }

    /// Runs a script by itself; once more where the log's clock was set, or it came late.
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

    /// Whether another session has begun, or the board is gone.
    static func isOver(_ error: RedisError) -> Bool {
        error.cause.contains("FENCED this session") || isGone(error)
    }

    /// Whether nothing was done since it is another time than was expected.
    static func isStepped(_ error: RedisError) -> Bool { error.cause.contains("STEPPED it is") }

    /// Whether the store has no such board.
    static func isGone(_ error: RedisError) -> Bool { error.cause.contains("GONE the board") }

    static func text(_ name: EntryName) -> [UInt8] { Array(String(name.rawValue).utf8) }
}

extension LogFailure {
    init(_ error: RedisError) {
        let code: Code =
            switch error.code {
            case .outOfMemory: .full
            case .refused: .refused
            case .failed where LogSession.isGone(error): .gone
            default: .away
            }
        let mayPass =
            switch error.code {
            case .unreachable, .loading, .readOnly, .moved, .noReplicas, .outOfMemory: true
            case .refused, .noScript, .unsuitable, .protocolError, .failed: false
            }
        self.init(code, error.cause, mayPass: mayPass)
    }
}
