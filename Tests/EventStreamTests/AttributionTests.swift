// Events that name somebody: written once, and sent without the name to who may not read it.

import EventStream
import Foundation
import Testing

@Suite struct AttributionTests {
    private static let room = TopicName(kind: .schedule, id: "room-s")
    private static let by = #","by":{"schedule":"room-s"}"#

    private static func rights(_ text: String) -> TopicSelection {
        TopicSelection([TopicPattern(kind: .schedule, parsing: text)].compactMap { $0 })
    }

    private func publish(_ number: Int64, on script: StreamScript, writes: (() -> Void)? = nil) {
        script.hub.publish(
            event: "notification", number: number, on: TopicName(kind: .ticker, id: "a"),
            naming: EventAttribution(Self.room, length: Self.by.utf8.count), size: 60,
            payload: { Array(#"{"notification":"n"\#(Self.by)}"#.utf8) },
            localised: { _ in Array(#"{"notification":"n"\#(Self.by)}"#.utf8) })
    }

    @Test func `an event's origin is left out for streams that may not read the origin's topic`() {
        let script = StreamScript()
        let rights = [nil, Self.rights("*"), Self.rights("room-*"), Self.rights("shop-*"), Self.rights("room-x")]
        for (slot, readable) in rights.enumerated() {
            script.open(UInt32(slot), "a") { $0.terms = StreamTerms(readable: readable) }
        }
        _ = script.drain()
        publish(1, on: script)
        script.frame("a", "1")
        publish(2, on: script)
        script.event("paused", "a")
        script.tick()
        let sent = script.drain()
        for slot in rights.indices {
            let text = sent[UInt32(slot)] ?? ""
            let by = slot < 3 ? Self.by : ""
            for number in 1...2 {
                let event = "id: e-\(number)\nevent: notification\ndata: {\"notification\":\"n\"\(by)}\n\n"
                #expect(text.contains(event), "\(slot): \(text)")
            }
            #expect(text.contains("event: paused"))
        }
    }

    @Test func `a stream with a topic in two forms gets an event with a hidden origin once`() {
        let script = StreamScript()
        let selection = TopicSelection([TopicPattern(kind: .ticker, parsing: "a")].compactMap { $0 })
        script.open(0, "a") {
            $0.parts = StreamParts([
                StreamPart(selection, .json), StreamPart(selection, Variant(text: false, stamp: true)),
            ])
            $0.terms = StreamTerms(readable: Self.rights("shop-*"))
        }
        _ = script.drain()
        publish(1, on: script)
        script.tick()
        let sent = script.drain()[0] ?? ""
        #expect(sent.components(separatedBy: "event: notification").count == 2 && !sent.contains("room-s"), "\(sent)")
    }

    @Test func `a change of a stream's readable topics changes whose origins its events show`() {
        let script = StreamScript()
        script.open(0, "a") { $0.terms = StreamTerms(readable: Self.rights("shop-*")) }
        _ = script.drain()
        let selection = TopicSelection([TopicPattern(kind: .ticker, parsing: "a")].compactMap { $0 })
        for (number, rights, isTold) in [(1, Self.rights("room-s"), true), (2, Self.rights("shop-*"), false)] {
            let isChanged = script.hub.change(
                StreamScript.key(0), to: StreamParts(selection, .json), StreamTerms(readable: rights)
            ) { _, _, _ in .frame }
            #expect(isChanged)
            publish(Int64(number), on: script)
            script.tick()
            #expect((script.drain()[0] ?? "").contains("room-s") == isTold)
        }
    }
}
