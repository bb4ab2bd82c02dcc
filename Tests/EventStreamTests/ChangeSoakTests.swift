// Random changes of what random streams hear, stalls and topics that come and go, against a model that knows who hears
// what: what a stream hears it is told, and nothing else.

import Base
import EventStream
import Foundation
import TestSupport
import Testing

@Suite struct ChangeSoakTests {
    /// Steps; more with TWEENCAST_SOAK.
    private static let steps = ProcessInfo.processInfo.environment["TWEENCAST_SOAK"].flatMap { Int($0) } ?? 6_000

    @Test(.tags(.random), arguments: Seeds.seeds([7]))
    func `random changes of subscriptions deliver each event and newest frame, and nothing else`(seed: UInt64) {
        var soak = ChangeSoak(seed: seed)
        for _ in 0..<Self.steps { soak.step() }
        soak.settle()
        #expect(soak.violations.isEmpty, "\(soak.violations.prefix(5))")
        #expect(soak.changes > Self.steps / 2 && soak.received > Self.steps)
    }
}

private struct ChangeSoak {
    private struct Heard: Hashable {
        var topic: String
        var form: UInt16
    }

    private struct Client {
        var slot: UInt32
        var parts = StreamParts([StreamPart]())
        var isStalled = false
        var wantsFill = false
        /// What it heard since it was last given anything, besides what it hears.
        var former: [StreamParts] = []
        /// Numbers of the events that it is to be told.
        var owed: [Int] = []
        var shown: [Heard: Int] = [:]
    }

    private static let forms = [
        Variant.json, Variant(text: false, stamp: true), Variant(text: false, stamp: false, wheels: .up),
        Variant(text: false, stamp: false, display: .strings),
    ]
    private let script = StreamScript(
        waitingBytes: 1 << 20,
        hub: {
            $0.topicsPerPortion = 3; $0.greetingPortion = 60
        },
        shard: {
            $0.heartbeatSeconds = 1e6; $0.maximumWaitingSeconds = 1e6
        })
    private var random: SeededRandom
    private var clients = (0..<12).map { Client(slot: UInt32($0)) }
    /// The newest value of each topic that there is.
    private var newest: [String: Int] = [:]
    private var published = 0
    private(set) var changes = 0
    private(set) var received = 0
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for index in clients.indices {
            clients[index].parts = someParts()
            let parts = clients[index].parts
            script.open(clients[index].slot) { $0.parts = parts }
        }
    }

    private mutating func someParts() -> StreamParts {
        let patterns = ["a*", "b*", "*"] + ["a", "b"].flatMap { letter in (0..<6).map { "\(letter)\($0)" } }
        return StreamParts(
            (0..<random.int(1...3)).map { _ in
                let names = (0..<random.int(1...4)).map { _ in random.pick(patterns) }
                return StreamPart(TopicSelection(names.compactMap { script.pattern($0) }), random.pick(Self.forms))
            })
    }

    private static func hears(_ parts: StreamParts, _ topic: String, _ form: UInt16? = nil) -> Bool {
        let name = TopicName(kind: .ticker, id: topic)
        return parts.list.contains { part in
            (form == nil || part.variant.rawValue == form) && part.selection.matches(name)
        }
    }

    // MARK: - What happens

    mutating func step() {
        script.now += 16_666_667
        for index in clients.indices where random.int(0...15) == 0 { change(index) }
        for index in clients.indices where random.int(0...20) == 0 {
            clients[index].isStalled.toggle()
            if !clients[index].isStalled, clients[index].wantsFill { fill(index) }
        }
        for _ in 0..<random.int(0...5) { publish() }
        script.tick()
        serve()
    }

    private mutating func change(_ index: Int) {
        changes += 1
        let parts = someParts()
        clients[index].former.append(clients[index].parts)
        clients[index].parts = parts
        // What is not heard any more may have changed by the time it is heard again.
        clients[index].shown = clients[index].shown.filter { Self.hears(parts, $0.key.topic, $0.key.form) }
        let states = states
        let isChanged = script.change(StreamScript.key(clients[index].slot), to: parts, StreamTerms(), state: states)
        if !isChanged { record("\(index) could not be changed") }
    }

    /// What a topic shows in a form.
    private var states: (TopicIndex, Variant) -> String {
        let names = Dictionary(uniqueKeysWithValues: newest.map { (script.topic($0.key), ($0.key, $0.value)) })
        return { topic, variant in names[topic].map { "\($0.0) \(variant.rawValue) \($0.1)" } ?? "" }
    }

    private mutating func publish() {
        let topic = random.pick(["a", "b"]) + "\(random.int(0...5))"
        published += 1
        switch random.int(0...9) {
        case 0: remove(topic)
        case 1, 2: event("milestone", topic)
        default:
            newest[topic] = published
            // As the publisher does: a frame for each form that somebody hears.
            for form in script.hub.variants(watching: script.topic(topic)) {
                script.frame(topic, "\(topic) \(form.rawValue) \(published)", variant: form)
            }
        }
    }

    private mutating func remove(_ topic: String) {
        event("removed", topic)
        newest[topic] = nil
        for index in clients.indices { clients[index].shown = clients[index].shown.filter { $0.key.topic != topic } }
        script.forget(topic)
    }

    private mutating func event(_ name: String, _ topic: String) {
        let number = Int(script.hub.lastEventID.number) + 1
        script.publish(name, on: TopicName(kind: .ticker, id: topic), payload: Array("\(topic)".utf8))
        for index in clients.indices where Self.hears(clients[index].parts, topic) {
            clients[index].owed.append(number)
        }
    }

    // MARK: - What is sent

    private mutating func serve() {
        let states = states
        repeat {
            script.shard.receive(now: script.now)
            while let ready = script.shard.nextReady(now: script.now) {
                let index = Int(ready.slot)
                if clients[index].isStalled { clients[index].wantsFill = true } else { fill(index) }
            }
        } while script.greet(states)
    }

    private mutating func fill(_ index: Int) {
        clients[index].wantsFill = false
        var bytes: [UInt8] = []
        if script.fill(StreamScript.key(clients[index].slot), now: script.now, into: &bytes) {
            record("\(index) ended")
        }
        for block in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") where !block.isEmpty {
            read(block, index)
        }
        // All that it was told before it changed has gone out.
        if script.shard.waitingEvents(of: StreamScript.key(clients[index].slot)) == 0 { clients[index].former = [] }
    }

    private mutating func read(_ block: String, _ index: Int) {
        guard !block.contains("event: hello") else { return }
        received += 1
        let data = block.split(separator: "\n").last?.dropFirst(6) ?? ""
        let words = data.split(separator: " ")
        if block.hasPrefix("id: ") {
            let id = block.prefix { $0 != "\n" }.dropFirst(6)
            guard let first = clients[index].owed.first, id == "\(first)" else {
                return record("\(index) was told \(id), not \(clients[index].owed.first ?? 0)")
            }
            clients[index].owed.removeFirst()
            return
        }
        guard words.count == 3, let form = UInt16(words[1]), let number = Int(words[2]) else {
            return record("\(index) got \(block)")
        }
        let heard = Heard(topic: String(words[0]), form: form)
        let known = [clients[index].parts] + clients[index].former
        guard known.contains(where: { Self.hears($0, heard.topic, form) }) else {
            return record("\(index) heard \(heard)")
        }
        guard Self.hears(clients[index].parts, heard.topic, form) else { return }
        if number < clients[index].shown[heard] ?? 0 { record("\(index) went back on \(heard)") }
        clients[index].shown[heard] = number
    }

    /// Everyone takes what there is.
    mutating func settle() {
        for index in clients.indices {
            clients[index].isStalled = false
            if clients[index].wantsFill { fill(index) }
        }
        script.tick()
        serve()
        for client in clients {
            if !client.owed.isEmpty { record("\(client.slot) was not told \(client.owed.count)") }
            for part in client.parts.list {
                for (topic, number) in newest where Self.hears(client.parts, topic, part.variant.rawValue) {
                    let shown = client.shown[Heard(topic: topic, form: part.variant.rawValue)]
                    if shown != number { record("\(client.slot) shows \(shown ?? 0) of \(topic), not \(number)") }
                }
            }
        }
    }

    private mutating func record(_ violation: String) {
        if violations.count < 100 { violations.append("\(published): \(violation)") }
    }
}
