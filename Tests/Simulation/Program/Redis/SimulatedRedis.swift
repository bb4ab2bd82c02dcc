// A Redis with its clock, and what may befall it: it fails over, forgets, fills up, is emptied, and tells another time.

import Base
import ReplicationRedis
import TweencastService
import Wire

/// The server that replicas share.
final class SimulatedRedis: @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// How far a copy is behind at least, and how many are kept.
    private static let copyAge: Int64 = .milliseconds(30)
    private static let mostCopies = 6

    let world: World
    let address: RedisAddress
    var state = RedisState()
    /// Nanoseconds by which its clock was set.
    var clockShift: Int64 = 0
    /// Whether it rejects what needs memory.
    var isFull = false
    /// How many of its replicas confirm.
    var confirming = 2
    /// Until when it loads its data, in the world's time.
    var loadsUntil: Int64 = 0
    /// Connections of earlier ones are broken: by restarts and promotions.
    private(set) var generation = 0
    /// States of its replica, which a promotion makes the server's.
    private var copies: [(time: Int64, state: RedisState)] = []
    private var interpreter: ScriptInterpreter?
    private var readers: [(reader: AnyObject, wake: () -> Void)] = []
    /// Whether there may be more behind what was read last.
    var hasMore = false
    /// How many of its replicas must have an entry before it is acknowledged, and entries between two snapshots.
    let wait: Int
    let snapshotEntries: UInt64
    /// The longest that a turn's requests or its notices take on their way. A tick waits for 2 ms.
    let latency: Int64
    /// The share of requests of a turn for which their process waits, while others act.
    let waiting: Double
    /// What befalls it between two requests of a turn.
    var strike: (() -> Void)?
    /// Called once, when the next entry has been added.
    private(set) var whenAdded: (() -> Void)?
    /// Called when replicas may show different frames for a while.
    var isDisturbed: () -> Void = {}

    init(_ world: World) throws {
        self.world = world
        address = try RedisAddress("redis://redis.test?name=board")
        wait = world.pick([0, 0, 1])
        snapshotEntries = world.pick([50, 300, 100_000])
        latency = world.pick([.microseconds(400), .milliseconds(3), .milliseconds(30)])
        waiting = world.pick([0, 0, 0.05, 0.3])
        interpreter = ScriptInterpreter { [unowned self] in carryOut($0) }
    }

    var now: Int64 { world.now }
    /// Unix nanoseconds.
    var wall: Int64 { SimulatedMachine.beginning + world.now + clockShift }

    // MARK: - Requests

    /// Carries out a request of a connection.
    func answer(_ words: [[UInt8]]) -> RedisReply {
        state.expire(at: now)
        switch String(decoding: words[0], as: UTF8.self) {
        case _ where now < loadsUntil: return .error("LOADING Redis is loading the dataset in memory")
        case "EVALSHA": return run(words[1], words)
        case "EVAL":
            guard let digest = interpreter?.load(words[1]) else { return .error("ERR compiling") }
            return run(digest, words)
        case "SCRIPT":
            return interpreter?.load(words[2]).map { .bytes($0) } ?? .error("ERR compiling")
        case "WAIT":
            // Whichever replica is promoted then has what was confirmed.
            if confirming >= wait { copies = [(now, state)] }
            return .integer(Int64(confirming))
        case "INFO":
            let lines = ["redis_version:7.0.15", "aof_enabled:1", "maxmemory:0", "master_replid:\(state.history)"]
            return .bytes(Array(lines.joined(separator: "\r\n").utf8))
        case "CONFIG": return .array([.bytes(Array("appendfsync".utf8)), .bytes(Array("always".utf8))])
        default: return carryOut(words)
        }
    }

    private func run(_ digest: [UInt8], _ words: [[UInt8]]) -> RedisReply {
        copy()
        let keys = Int(String(decoding: words[2], as: UTF8.self)) ?? 0
        return interpreter?.run(digest, keys: keys, Array(words.dropFirst(3))) ?? .null
    }

    /// Keeps the state for a promotion, now and then.
    private func copy() {
        guard state.exists(key("head")), now - (copies.last?.time ?? 0) >= Self.copyAge else { return }
        copies.append((now, state))
        if copies.count > Self.mostCopies { copies.removeFirst() }
    }

    // MARK: - Readers

    /// Has it called when there is an entry.
    func listen(_ reader: AnyObject, _ wake: @escaping () -> Void) { readers.append((reader, wake)) }
    func forget(_ reader: AnyObject) { readers.removeAll { $0.reader === reader } }
    func wakeReaders() { for reader in readers { reader.wake() } }

    // MARK: - Faults

    private func key(_ name: String) -> [UInt8] { Array(address.key(name).utf8) }

    /// - Parameter loss: What the history says of entries that are lost.
    private func befall(_ what: String, loss: String? = nil) {
        world.history.mark(what)
        world.history.write("redis", at: now) { $0.member("what", what) }
        if let loss { world.history.write(loss, at: now) { _ in } }
        isDisturbed()
    }

    /// A replica is promoted that lacks the last entries.
    func failOver() {
        guard let copy = copies.first else { return }
        befall("redis failed over", loss: wait > 0 ? "unconfirmed lost" : "suffix lost")
        let history = state.history
        state = copy.state
        state.history = history + 1
        restart()
    }

    /// It is restarted, with all that it had.
    func restart(loading time: Int64 = 0) {
        generation += 1
        (copies, whenAdded) = ([], nil)
        interpreter?.forget()
        loadsUntil = now + time
        wakeReaders()
    }

    /// It is restarted, with nothing.
    func empty() {
        befall("redis emptied", loss: "board lost")
        state.removeAll()
        state.history += 1
        restart()
    }

    /// Somebody deletes a key of the board, or memory is short and one goes.
    func lose() {
        let parts = state.keys.filter { $0 == key("log") || $0.starts(with: key("snapshot")) }
        guard !parts.isEmpty else { return }
        // Replicas that lag must load the board again.
        befall("redis lost a part", loss: "board lost")
        guard world.happens(0.5) else {
            state.remove(world.happens(0.5) ? key("log") : world.pick(parts))
            return
        }
        // Before anybody has read its last entry.
        whenAdded = { [self] in
            befall("redis lost an entry on its way", loss: "board lost")
            whenAdded = nil
            state.remove(key("log"))
        }
    }

    /// A number of the head is damaged for so long.
    func damage(for time: Int64) {
        let name = world.pick(["seq", "instant", "lead", "set", "seen"])
        guard state.exists(key("head")), let old = state.fields(key("head"))[Array(name.utf8)] else { return }
        befall("redis head damaged")
        set(name, Array("9300000000000000".utf8))
        world.after(time) { [self] in
            // What was written since is right.
            if let value = state.fields(key("head"))[Array(name.utf8)], value == Array("9300000000000000".utf8) {
                set(name, old)
            }
        }
    }

    private func set(_ name: String, _ value: [UInt8]) {
        var fields = state.fields(key("head"))
        fields[Array(name.utf8)] = value
        state.setFields(key("head"), fields)
    }

    /// No more befalls it.
    func calm() { (whenAdded, strike) = (nil, nil) }

    /// Lets something befall it between two requests of a turn, where turns last, or within a second.
    func strikeSoon(_ act: @escaping () -> Void) {
        guard waiting > 0, strike == nil, world.happens(0.5) else { return act() }
        strike = act
        world.after(.seconds(1)) { [self] in strike.take()?() }
    }

    func fill(for time: Int64) {
        befall("redis full")
        isFull = true
        world.after(time) { [self] in isFull = false }
    }

    func load(for time: Int64) {
        befall("redis loading")
        restart(loading: time)
    }

    func confirmTooLittle(for time: Int64) {
        befall("redis confirms too little")
        confirming = 0
        world.after(time) { [self] in confirming = 2 }
    }

    func setClock(by step: Int64) {
        befall("redis clock set")
        clockShift += step
    }
}
