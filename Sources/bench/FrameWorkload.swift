// One track and its frames.

import Board
import EventStream
import Labels
import Locales
import Tween
import Wire

/// A kind of frame that is measured.
struct FrameCase {
    var name: String
    var resource: ResourceName
    var json: String

    static let all = [
        FrameCase(name: "plain, linear", resource: ticker, json: #"{"to":1000000,"decimals":2,"duration":3600}"#),
        FrameCase(
            name: "plain, easeOut", resource: ticker,
            json: #"{"to":1000000,"decimals":2,"duration":3600,"easing":"easeOut"}"#),
        FrameCase(
            name: "spring", resource: ticker,
            json: #"{"to":1000000,"decimals":2,"duration":3600,"spring":{"dampingRatio":0.7}}"#),
        FrameCase(
            name: "currency", resource: ticker,
            json: #"{"to":1000000,"duration":3600,"format":{"locale":"de-DE","style":"currency","currency":"EUR"}}"#),
        FrameCase(
            name: "progress", resource: ResourceName(.progress, "bench"),
            json:
                #"{"current":1000000,"maximum":1000000,"duration":3600,"label":"{percent}% ({current} of {maximum})"}"#),
    ]

    private static let ticker = ResourceName(.ticker, "bench")
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
}

/// A track in motion, sampled again and again.
final class FrameWorkload {
    private let track: Track
    private let prefix: FramePrefix
    private let hub: Hub
    private let topic: TopicIndex
    private var text: [UInt8] = []
    private var sum = 0.0

    init(_ frame: FrameCase) {
        var engine = Engine(configuration: Engine.Configuration(planner: LocalePlans()))
        guard
            let update = try? UpdateDecoder.update(Array(frame.json.utf8), kind: frame.resource.kind, role: .update),
            (try? engine.apply(.update(frame.resource, update), at: Instant(nanoseconds: 0))) != nil,
            let track = engine.track(frame.resource)
        else { preconditionFailure("the case \(frame.name) is no update") }
        self.track = track
        prefix = FramePrefix(frame.resource)
        hub = Hub(inboxes: [], configuration: HubConfiguration(), epoch: "bench")
        topic = hub.topic(TopicName(kind: .ticker, id: "bench"))
    }

    private func instant(_ step: Int) -> Instant { Instant(nanoseconds: 1_000_000_000 + Int64(step) * 1_666_667) }

    func value(step: Int) { sum += track.position(at: instant(step)).double }

    func text(step: Int) {
        let now = instant(step)
        text.removeAll(keepingCapacity: true)
        track.appendText(track.position(at: now), at: now, escaped: true, to: &text)
    }

    func event(step: Int) {
        let now = instant(step)
        let position = track.position(at: now)
        text.removeAll(keepingCapacity: true)
        track.appendText(position, at: now, escaped: true, to: &text)
        hub.beginFrame(topic, .json)
        FrameEncoder.append(
            prefix, value: position, fraction: track.fraction(of: position), percent: track.percent(of: position),
            escapedText: text, stamp: nil, to: &hub.bytes)
        hub.endFrame()
        if step % 1_000 == 999 { hub.flush(now: Int64(step)) }
    }
}
