// Readers that lag are sent fewer frames, and told so; see ReaderPace.

import Conversions
package import Primitives

extension Shard {
    /// A stream's client began to lag behind what is sent to it, or has caught up.
    package func lagChanged(_ key: StreamID, isLagging: Bool, now: Int64) {
        guard isCurrent(key) else { return }
        let slot = Int(key.slot)
        let wasSettled = streams[slot].pace.isSettled
        streams[slot].pace.isLagging = isLagging
        guard wasSettled, !streams[slot].pace.isSettled else { return }
        paced.append(Int32(slot))
        paceDeadline = min(paceDeadline, now + ReaderPace.review)
    }

    func reviewPaces(now: Int64) {
        var waiting: [Int32] = []
        for slot in paced {
            let index = Int(slot)
            guard streams[index].isOpen, !streams[index].pace.isSettled else { continue }
            if streams[index].pace.review(leftOut: streams[index].statistics.leftOut) { setRate(index) }
            if !streams[index].pace.isSettled { waiting.append(slot) }
        }
        paced = waiting
        paceDeadline = waiting.isEmpty ? .max : now + ReaderPace.review
    }

    private func setRate(_ slot: Int) {
        let interval = streams[slot].askedInterval
        let asked = interval > 0 ? min(configuration.fullRate, 1e9 / Double(interval)) : configuration.fullRate
        let rate = streams[slot].pace.rate(asked: asked)
        streams[slot].interval = streams[slot].pace.level == 0 ? interval : Int64(saturating: 1e9 / rate)
        let event = SSE.event("rate", payload: Array("{\"fps\":\(Self.text(rate))}".utf8))
        enqueue(slot, WaitingBytes(event))
        markReady(slot)
    }

    /// Whole numbers without a point.
    private static func text(_ rate: Double) -> String {
        rate == rate.rounded() ? "\(Int(saturating: rate))" : "\(rate)"
    }
}
