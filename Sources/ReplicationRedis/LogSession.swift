// A connection over which a replica appends: what it sent over the one before counts no more once this one has begun.

import Machine
import RedisLink
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
    /// By how many microseconds the log's time is ahead of the server's.
    var lead: Int64 = 0

    private let name: [UInt8]
    private let number: [UInt8]
    private let keys: [[UInt8]]
    private let hashes: [[UInt8]]

    /// Connects, and makes the board where there is none.
    init(_ parts: RedisLog.Parts) throws(RedisError) {
        connection = try parts.locator.connect()
        hashes = try LogScript.load(by: connection)
        keys = LogScript.keys(of: parts.locator.address)
        name = Array(parts.needs.name.utf8)
        let reply = try connection.call(
            Self.command(
                hashes[LogScript.Kind.open.rawValue], keys,
                [name, Array(String(parts.needs.period).utf8), Array(parts.needs.epoch.utf8)]))
        guard let fields = reply.elements, fields.count == 6, let session = fields[0].text,
            let head = fields[1].integer, let period = fields[3].integer, let epoch = fields[4].text
        else { throw RedisError(.confused, "these keys are no board's") }
        number = Array(session.utf8)
        self.head = UInt64(clamping: head)
        self.period = period
        self.epoch = epoch
    }

    private static func command(_ hash: [UInt8], _ keys: [[UInt8]], _ arguments: [[UInt8]]) -> [[UInt8]] {
        [Array("EVALSHA".utf8), hash, Array(String(keys.count).utf8)] + keys + arguments
    }

    /// Puts a script behind what waits to be sent.
    func append(_ kind: LogScript.Kind, _ arguments: [[UInt8]]) {
        connection.append(Self.command(hashes[kind.rawValue], keys, [name, number] + arguments))
    }

    @discardableResult
    func call(_ kind: LogScript.Kind, _ arguments: [[UInt8]]) throws(RedisError) -> RedisReply {
        append(kind, arguments)
        let reply = try connection.receive()
        if case .error(let error) = reply { throw error }
        return reply
    }

    /// Whether another session has begun, or the board is gone.
    static func isOver(_ error: RedisError) -> Bool {
        error.cause.hasPrefix("FENCED") || error.cause.hasPrefix("GONE")
    }

    static func text(_ name: EntryName) -> [UInt8] { Array(String(name.rawValue).utf8) }
}

extension LogFailure {
    init(_ error: RedisError) {
        let code: Code =
            switch error.code {
            case .outOfMemory: .full
            case .refused: .refused
            case .failed where error.cause.hasPrefix("GONE"): .gone
            default: .away
            }
        self.init(code, error.cause)
    }
}
