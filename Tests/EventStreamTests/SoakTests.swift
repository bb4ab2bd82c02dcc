// Random streams, stalls, drops, reconnects and topics that come and go, and a checker that reads what every stream was
// sent: ids rise, nothing comes twice, nothing that must arrive is lost, and nobody hears what is not his.

import Base
import EventStream
import Foundation
import TestSupport
import Testing

@Suite struct SoakTests {
    /// Published frames and events; ten million with TWEENCAST_SOAK=10000000.
    private static let size = ProcessInfo.processInfo.environment["TWEENCAST_SOAK"].flatMap { Int($0) } ?? 50_000

    @Test(.tags(.random), arguments: Seeds.seeds([20_261_121]))
    func `random streams, stalls and reconnects get every event once and each newest frame`(seed: UInt64) {
        var soak = Soak(seed: seed)
        while soak.published < Self.size { soak.step() }
        soak.settle()
        #expect(soak.violations.isEmpty, "\(soak.violations.prefix(5))")
        // It did what it is there for.
        #expect(soak.received > Self.size / 2)
        #expect(soak.reconnects > 20 && soak.leftOut > 100 && soak.latecomers > 20)
    }
}

/// The publisher, its subscribers, and what each of them may be told.
private struct Soak {
    /// One client over all its connections.
    private struct Client {
        var slot: UInt32
        var generation: UInt32 = 0
        var pattern: String
        var isOpen = false
        /// Subscribed, and its socket is still to come.
        var isGreeted = false
        var isStalled = false
        var wantsFill = false
        var lastID = ""
        /// Numbers of the events it must have been told, in order, and how many of them it has been.
        var owed: [Int64] = []
        var received = 0
        /// The newest frame it was shown, by topic; and the newest completion.
        var shown: [String: Int] = [:]
        var completed: [String: Int] = [:]
        /// What it has not parsed yet.
        var unread = ""
    }

    private(set) var published = 0
    private(set) var received = 0
    private(set) var reconnects = 0
    private(set) var leftOut = 0
    /// Streams that were subscribed before they had a socket.
    private(set) var latecomers = 0
    private(set) var violations: [String] = []
    private let script = StreamScript(history: 5_000, waitingBytes: 1 << 17, hub: { $0.topicsPerPortion = 3 })
    private var random: SeededRandom
    private var clients: [Client]
    private var newest: [String: Int] = [:]
    private var lastNumber: Int64 = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let patterns = ["a1", "a2", "a*", "b*", "*", "b7", "a1", "*"]
        clients = (0..<24).map { Client(slot: UInt32($0), pattern: patterns[$0 % patterns.count]) }
    }

    private func key(_ client: Client) -> StreamID { StreamScript.key(client.slot, generation: client.generation) }

    private static func matches(_ pattern: String, _ topic: String) -> Bool {
        pattern.hasSuffix("*") ? topic.hasPrefix(pattern.dropLast()) : pattern == topic
    }

    // MARK: - What happens

    mutating func step() {
        script.now += 16_666_667
        greet()
        for index in clients.indices where clients[index].isGreeted && random.int(0...2) == 0 { takeSocket(index) }
        for index in clients.indices where random.int(0...39) == 0 { change(index) }
        for _ in 0..<random.int(0...11) { publish() }
        script.tick()
        serve()
    }

    private mutating func publish() {
        let topic = (random.int(0...1) == 0 ? "a" : "b") + "\(random.int(0...8))"
        published += 1
        switch random.int(0...19) {
        case 0...12:
            newest[topic] = published
            script.frame(topic, "\(topic) \(published)")
        case 13...15:
            // A motion's end: its last frame, then its completion.
            newest[topic] = published
            script.frame(topic, "\(topic) \(published)", isFinal: true)
            event("complete", topic, .completion)
        case 16...18: event("milestone", topic, .none)
        default:
            event("removed", topic, .removal)
            newest[topic] = nil
            for index in clients.indices { clients[index].shown[topic] = nil }
            script.hub.release(script.topic(topic))
        }
    }

    private mutating func event(_ name: String, _ topic: String, _ effect: Hub.EventEffect) {
        lastNumber += 1
        script.hub.publish(
            event: name, number: lastNumber, on: TopicName(kind: .ticker, id: topic), effect: effect,
            payload: Array("\(topic) \(published)".utf8))
        for index in clients.indices where Self.matches(clients[index].pattern, topic) {
            // Who has never been connected has nothing to come back to.
            if clients[index].isOpen || !clients[index].lastID.isEmpty { clients[index].owed.append(lastNumber) }
        }
    }

    private mutating func change(_ index: Int) {
        switch (clients[index].isOpen, random.int(0...2)) {
        case (false, _): open(index)
        case (true, 0):
            clients[index].isStalled.toggle()
            if !clients[index].isStalled, clients[index].wantsFill { fill(index) }
        case (true, 1): drop(index)
        default: break
        }
    }

    private mutating func open(_ index: Int) {
        clients[index].generation += 1
        clients[index].isOpen = true
        clients[index].isStalled = false
        clients[index].wantsFill = false
        clients[index].unread = ""
        let client = clients[index]
        if client.lastID.isEmpty { clients[index].owed = [] } else { reconnects += 1 }
        let newest = newest
        clients[index].isGreeted = random.int(0...1) == 0
        if !clients[index].isGreeted { script.shard.opened(key(client), now: script.now) }
        guard let pattern = script.pattern(client.pattern) else { return }
        let selection = TopicSelection([pattern])
        var subscription = Subscription(key: key(client), parts: StreamParts(selection, .json), retryMilliseconds: 9)
        subscription.lastEventID = client.lastID.isEmpty ? nil : client.lastID
        subscription.isGreeted = clients[index].isGreeted
        let names = Dictionary(uniqueKeysWithValues: newest.keys.map { (script.topic($0), $0) })
        script.hub.subscribe(subscription, hello: Array("{}".utf8), existing: script.existing) { topic, _, bytes in
            if let name = names[topic], let number = newest[name] { bytes += Array("\(name) \(number)".utf8) }
            return .frame
        }
        if client.lastID.isEmpty { clients[index].lastID = "e-\(lastNumber)" }
    }

    /// Those that have taken a portion of what they missed get the next.
    private func greet() {
        let names = Dictionary(uniqueKeysWithValues: newest.keys.map { (script.topic($0), $0) })
        for key in script.takeRequests() {
            script.hub.continueGreeting(key, existing: script.existing) { [newest] topic, _, bytes in
                if let name = names[topic], let number = newest[name] { bytes += Array("\(name) \(number)".utf8) }
                return .frame
            }
        }
    }

    /// As its loop does: after the shard has taken in what it received of the stream.
    private mutating func takeSocket(_ index: Int) {
        clients[index].isGreeted = false
        latecomers += 1
        script.shard.receive(now: script.now)
        script.shard.opened(key(clients[index]), now: script.now)
    }

    private mutating func drop(_ index: Int) {
        clients[index].isOpen = false
        if clients[index].isGreeted { script.shard.receive(now: script.now) }
        clients[index].isGreeted = false
        script.shard.closed(key(clients[index]))
        script.hub.unsubscribe(key(clients[index]))
    }

    // MARK: - What is sent

    private mutating func serve() {
        script.shard.receive(now: script.now)
        while let ready = script.shard.nextReady(now: script.now) {
            guard let index = clients.firstIndex(where: { key($0) == ready }) else { continue }
            if clients[index].isGreeted { record("\(ready.slot) was served before it had a socket") }
            if clients[index].isStalled { clients[index].wantsFill = true } else { fill(index) }
        }
    }

    private mutating func fill(_ index: Int) {
        clients[index].wantsFill = false
        var bytes: [UInt8] = []
        let isOver = script.fill(key(clients[index]), now: script.now, into: &bytes)
        leftOut += Int(script.shard.statistics(of: key(clients[index]))?.leftOut ?? 0) > 0 ? 1 : 0
        read(String(decoding: bytes, as: UTF8.self), index)
        // Cut off because too much waited: it comes back for it.
        if isOver { drop(index) }
    }

    /// Everyone takes what there is, and comes back for what was missed: then all is told.
    mutating func settle() {
        for index in clients.indices {
            if !clients[index].isOpen { open(index) }
            if clients[index].isGreeted { takeSocket(index) }
            clients[index].isStalled = false
            if clients[index].wantsFill { fill(index) }
        }
        for _ in 0..<100 {
            script.tick()
            serve()
            greet()
            for index in clients.indices where !clients[index].isOpen { open(index) }
            for index in clients.indices where clients[index].isGreeted { takeSocket(index) }
        }
        for client in clients {
            if client.received != client.owed.count {
                record("\(client.slot) received \(client.received) of \(client.owed.count)")
            }
            for (topic, number) in newest where Self.matches(client.pattern, topic) && client.shown[topic] != number {
                record("\(client.slot) shows \(client.shown[topic] ?? 0) of \(topic), not \(number)")
            }
        }
    }

    // MARK: - What is read

    private mutating func read(_ text: String, _ index: Int) {
        for block in text.components(separatedBy: "\n\n") where !block.isEmpty {
            var (name, id, data) = ("message", "", "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            take(name, id, data, index)
        }
    }

    private mutating func take(_ name: String, _ id: String, _ data: String, _ index: Int) {
        let client = clients[index]
        if name == "reset" {
            // Too long away: it is told so, and what it missed is not owed any more.
            clients[index].received = client.owed.count
            return
        }
        guard !["hello", "heartbeat", "bye"].contains(name) else { return }
        received += 1
        let words = data.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else { return record("\(client.slot) got \(data)") }
        let topic = String(words[0])
        if !Self.matches(client.pattern, topic) { record("\(client.slot) heard of \(topic)") }
        guard name != "message" else {
            // The state at a stream's beginning may be what was shown before.
            if number < client.shown[topic] ?? 0 { record("\(client.slot) went back on \(topic): \(number)") }
            if number < client.completed[topic] ?? 0 { record("\(client.slot) got a frame of what was over: \(data)") }
            clients[index].shown[topic] = number
            return
        }
        if name == "complete" { clients[index].completed[topic] = number }
        guard let event = Int64(id.dropFirst(2)) else { return record("\(name) has no id") }
        clients[index].lastID = id
        guard client.received < client.owed.count, client.owed[client.received] == event else {
            let expected = client.received < client.owed.count ? client.owed[client.received] : 0
            return record("\(client.slot) received \(event), not \(expected)")
        }
        clients[index].received += 1
    }

    private mutating func record(_ violation: String) {
        if violations.count < 100 { violations.append("\(published): \(violation)") }
    }
}
