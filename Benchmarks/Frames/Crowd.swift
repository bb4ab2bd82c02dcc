// Watched tracks in motion, each with a subscriber, and the work of ticks on them.

import Base
import Board
import EventStream
import Labels
import Locales
import Machine
import Publishing
import Tween
import Wire

/// A kind of frame to measure.
struct FrameCase {
    var name: String
    var kind = ResourceKind.ticker
    var json: String
    /// The subscribed form.
    var variant = Variant.json

    static let all = [
        FrameCase(name: "ticker frame", json: #"{"to":1000000,"decimals":2,"duration":3600}"#),
        FrameCase(
            name: "ticker, easeOut", json: #"{"to":1000000,"decimals":2,"duration":3600,"easing":"easeOut"}"#),
        FrameCase(
            name: "ticker, spring", json: #"{"to":1000000,"decimals":2,"duration":3600,"spring":{"dampingRatio":0.7}}"#),
        FrameCase(
            name: "ticker, currency",
            json: #"{"to":1000000,"duration":3600,"format":{"locale":"de-DE","style":"currency","currency":"EUR"}}"#),
        FrameCase(
            name: "progress frame", kind: .progress,
            json:
                #"{"from":250000,"current":1000000,"maximum":1000000,"duration":3600,"label":"{percent}% ({current} of {maximum})"}"#
        ),
        FrameCase(
            name: "frame with wheels", json: #"{"to":1000000,"decimals":2,"duration":3600}"#,
            variant: Variant(text: false, stamp: false, wheels: .odometer)),
        FrameCase(
            name: "frame with wheels up", json: #"{"to":1000000,"decimals":2,"duration":3600}"#,
            variant: Variant(text: false, stamp: false, wheels: .up)),
        FrameCase(
            name: "frame with display strings", json: #"{"to":1000000,"decimals":2,"duration":3600}"#,
            variant: Variant(text: false, stamp: false, display: .strings)),
        FrameCase(
            name: "frame of text alone", json: #"{"to":1000000,"decimals":2,"duration":3600}"#,
            variant: Variant(text: true, stamp: false)),
    ]
}

/// Compiles formats as the service does.
struct LocalePlans: Planner {
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        do throws(NumberFormatError) {
            return try NumberPlanCompiler.plan(for: format, decimals: decimals)
        } catch {
            throw .invalid(field: "format", reason: error.reason)
        }
    }

    func words(in locale: String) throws(CommandError) -> TimeWords {
        .words(in: locale, number: try plan(for: NumberFormat(locale: locale), decimals: 0))
    }
}

/// Tracks of one kind, and the path of their frames into the tick's batch, as in the service.
final class Crowd {
    private var machine: Machine
    private var engine: Engine { machine.engine }
    private let hub: Hub
    /// Receives what is published. It has no sockets.
    private var shard: Shard
    private var frames = FrameTable()
    private var pass = FramePass()
    private var extended = ExtendedFrames()
    private var text: [UInt8] = []
    private var samples: [Sample] = []
    private var label = FrameLabel.none
    private var scale: ProgressScale?
    let count: Int

    init(_ frame: FrameCase, count: Int) {
        self.count = count
        var configuration = HubConfiguration()
        configuration.maximumTopicsPerStream = count
        let inbox = ShardInbox()
        hub = Hub(inboxes: [inbox], configuration: configuration, epoch: "bench")
        shard = Shard(
            index: 0, inbox: inbox, configuration: ShardConfiguration(), closed: { _, _ in }, wantsGreeting: { _ in })
        let start = Instant(nanoseconds: 0)
        guard let update = try? UpdateDecoder.update(Array(frame.json.utf8), kind: frame.kind, role: .update) else {
            preconditionFailure("the case \(frame.name) is no update")
        }
        var engine = Engine(configuration: Engine.Configuration(planner: LocalePlans()))
        let kind = TopicKind.resource(frame.kind)
        let patterns = [TopicPattern(kind: kind, parsing: "*")].compactMap { $0 }
        let key = StreamID(loop: 0, slot: 0, generation: 1)
        hub.subscribe(
            Subscription(key: key, parts: StreamParts(TopicSelection(patterns), frame.variant)), hello: []
        ) { _, _, _ in .frame }
        for index in 0..<count {
            let name = ResourceName(frame.kind, "bench-\(index)")
            _ = try? engine.apply(.update(name, update), at: start)
            guard let slot = engine.slot(of: name) else { preconditionFailure("\(frame.name) made no track") }
            engine.setWatched(true, slot: slot)
            if let track = engine.tracks[slot] { (label, scale) = (FrameLabel(track) ?? .none, track.progressScale) }
            let topic = hub.topic(TopicName(kind: kind, id: name.id))
            if hub.bind(topic, to: slot) { frames.begin(topic, as: name) }
        }
        machine = Machine(
            engine: engine, retries: RetryMemory([], capacity: 0, at: start),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "bench", deliveries: "wh")
    }

    /// Returns the instant of a tick. Motions run during all of them.
    private func instant(_ step: Int) -> Instant { Instant(nanoseconds: 1_000_000_000 + Int64(step) * 16_666_667) }

    func values(step: Int) { machine.sample(at: instant(step), into: &samples) }

    func texts(step: Int) {
        values(step: step)
        // Read from the object once, as in a tick.
        var (label, text) = (label, text)
        let scale = scale
        defer { self.text = text }
        for sample in samples {
            text.removeAll(keepingCapacity: true)
            if let value = sample.value, let numbers = label.numbers(of: value, scale?.share(of: value)) {
                label.append(numbers, to: &text)
            } else if let track = engine.tracks[sample.slot] {
                let now = instant(step)
                track.appendText(track.position(at: now), at: now, escaped: true, to: &text)
            }
        }
    }

    /// Runs a whole tick, up to the shards.
    func tick(step: Int) {
        let now = instant(step)
        _ = machine.apply(Turn(at: now, tick: Int64(step)))
        let stamp = FrameStamp(unixNanoseconds: now.nanoseconds, tick: Int64(step))
        pass.run(&machine, &frames, hub, stamp)
        precondition(pass.left.isEmpty, "a frame is not made from its sample")
        extended.begin(pass.extended, stamp: stamp)
        while !extended.isEmpty {
            pass.run(&extended, of: machine.engine, &frames, hub) { track, _ in track }
            precondition(pass.left.isEmpty, "a frame is not made from its sample")
        }
        hub.flush(now: now.nanoseconds)
        shard.receive(now: now.nanoseconds)
    }
}
