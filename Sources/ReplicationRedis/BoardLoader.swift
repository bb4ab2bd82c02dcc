// From what the server keeps of a board to a machine that can follow the log.

import Machine
import Primitives
import RedisLink
import Replication

/// Loads a board.
struct BoardLoader {
    private let parts: RedisLog.Parts
    /// Entries that are read at a time.
    private static let portion = 1_000

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    /// - Throws: Also where the log holds what can't be followed.
    func load(by connection: RedisConnection) throws(RedisError) -> LoadedBoard {
        let head = try connection.call(
            ["HMGET".utf8, "period".utf8, "epoch".utf8].enumerated().flatMap { index, word in
                index == 0 ? [Array(word), parts.locator.address.key("head")] : [Array(word)]
            })
        guard let fields = head.elements, fields.count == 2, let period = fields[0].integer, let epoch = fields[1].text
        else { throw RedisError(.failed, "GONE the board is not here") }
        var recorder = parts.needs.recorder()
        var machine = parts.needs.machine(epoch)
        var follower = Follower(period: period)
        while let entries = try portion(behind: follower.position.sequence, by: connection) {
            for entry in entries { try take(entry, &follower, &machine, &recorder) }
        }
        return LoadedBoard(machine: machine, follower: follower, events: recorder.kept)
    }

    private func portion(
        behind sequence: UInt64, by connection: RedisConnection
    ) throws(RedisError) -> [RawEntry]? {
        let reply = try connection.call([
            Array("XRANGE".utf8), parts.locator.address.key("log"), Array("(\(sequence)-0".utf8), Array("+".utf8),
            Array("COUNT".utf8), Array(String(Self.portion).utf8),
        ])
        guard let entries = reply.elements, !entries.isEmpty else { return nil }
        var raw: [RawEntry] = []
        for entry in entries { raw.append(try EntryReader.raw(entry)) }
        return raw
    }

    private func take(
        _ raw: RawEntry, _ follower: inout Follower, _ machine: inout Machine, _ recorder: inout any EventRecording
    ) throws(RedisError) {
        do throws(UnreadableEntry) {
            let entry = try EntryReader(rules: parts.needs.rules).entry(raw)
            parts.needs.prepare(entry)
            do throws(LogBreak) {
                try follower.take(entry, by: &machine) { outcome, machine in
                    recorder.record(outcome, epoch: machine.epoch)
                }
            } catch {
                throw UnreadableEntry.damaged
            }
        } catch {
            throw RedisError(.failed, "entry \(raw.position.sequence) of the log can't be followed: \(error)")
        }
    }
}
