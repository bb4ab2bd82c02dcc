// One topic in the locales of its readers: who gets which of a frame's and an event's forms.

import Base
import EventStream
import Testing

@Suite struct LocaleTests {
    private static let german = Variant.json.inLocale(1)
    private static let arabic = Variant(text: false, stamp: true, wheels: .strip, display: .strings).inLocale(64)

    private func complete(_ script: StreamScript, _ text: String) {
        script.hub.publish(
            event: "complete", number: script.hub.lastEventID.number + 1, on: TopicName(kind: .ticker, id: "a"),
            effect: .completion, size: text.utf8.count, payload: { Array(text.utf8) },
            localised: { Array("\(text) in \($0)".utf8) })
    }

    @Test(arguments: [german, arabic])
    func `a form in a locale keeps its wheels, display and stamp`(variant: Variant) {
        #expect(!variant.isPlain)
        #expect(
            variant.inLocale(0)
                == (variant == Self.german
                    ? .json
                    : Variant(
                        text: false, stamp: true, wheels: .strip, display: .strings)))
        #expect(variant.wheels == variant.inLocale(0).wheels)
        #expect(variant.hasDisplay == variant.inLocale(0).hasDisplay)
        #expect(variant.isStamped == variant.inLocale(0).isStamped)
    }

    @Test func `frames and completions go to each stream in its own locale`() {
        let script = StreamScript()
        let topic = script.topic("a")
        script.open(0, "a")
        script.open(1, "a") { $0.parts = $0.parts.with(Self.german) }
        script.open(2, "*") { $0.parts = $0.parts.with(Self.arabic) }
        script.open(3, "*") { $0.parts = $0.parts.with(Self.german) }
        _ = script.drain()
        #expect(script.hub.localised(watching: topic) == [Self.german, Self.arabic])
        #expect(Array(script.hub.variants(watching: topic)) == [.json])
        script.frame("a", "1")
        script.frame("a", "eins", variant: Self.german)
        script.event("paused", "a")
        complete(script, "done")
        script.tick()
        let sent = script.drain()
        #expect(sent[0] == "data: 1\n\nid: e-1\nevent: paused\ndata: {}\n\nid: e-2\nevent: complete\ndata: done\n\n")
        let german = "data: eins\n\nid: e-1\nevent: paused\ndata: {}\n\nid: e-2\nevent: complete\ndata: done in 1\n\n"
        #expect(sent[1] == german)
        #expect(sent[3] == german)
        #expect(sent[2] == "id: e-1\nevent: paused\ndata: {}\n\nid: e-2\nevent: complete\ndata: done in 64\n\n")
    }

    @Test func `a topic drops a locale with the last stream that reads in it`() {
        let script = StreamScript()
        let topic = script.topic("a")
        script.open(0, "a") { $0.parts = $0.parts.with(Self.german) }
        script.open(1, "a") { $0.parts = $0.parts.with(Self.arabic) }
        #expect(script.hub.variants(watching: topic).hasLocales && !script.hub.variants(watching: topic).isPlain)
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(script.hub.localised(watching: topic) == [Self.arabic])
        script.hub.unsubscribe(StreamScript.key(1))
        #expect(script.hub.variants(watching: topic).isEmpty)
        #expect(script.hub.localised(watching: topic).isEmpty)
        script.open(2, "a")
        #expect(script.hub.variants(watching: topic).isPlain)
    }

    @Test func `an event amid a localised stream's greeting is sent once`() {
        let script = StreamScript()
        script.open(0, "a*") { $0.parts = $0.parts.with(Self.german) }
        complete(script, "done")
        script.tick()
        let text = script.drainAll(0)
        #expect(text.split(separator: "event: complete").count == 2)
        #expect(text.contains("data: done in 1\n"))
    }

    @Test func `a replayed completion is rewritten in the reader's locale, other events are not`() {
        let script = StreamScript()
        _ = script.topic("a")
        complete(script, "first")
        script.event("paused", "a")
        script.tick()
        let key = StreamScript.key(0)
        script.shard.opened(key, now: 0)
        let selection = TopicSelection([TopicPattern(kind: .ticker, parsing: "a")].compactMap { $0 })
        let subscription = Subscription(key: key, parts: StreamParts(selection, Self.german), lastEventID: "e-0")
        script.hub.subscribe(
            subscription, hello: [],
            rewrite: { _, _, reader in
                reader.variant == Self.german ? Array("retold\n\n".utf8) : nil
            }
        ) { _, _, _ in .frame }
        let sent = script.drain()[0] ?? ""
        #expect(sent.contains("retold\n\nid: e-2\nevent: paused\ndata: {}\n\n"), "\(sent)")
    }
}
