// What waits for a stream, and when that is too much: then the stream is told that it is slow, and ended. Its client
// comes back with its last event's id, and is told the rest as it takes it.

import Conversions

extension Shard {
    func enqueue(_ slot: Int, _ piece: WaitingBytes) {
        guard !streams[slot].isEnding else { return }
        if piece.holders == 0 { waitingTotal += piece.cost }
        piece.holders += 1
        let isFirst = streams[slot].queue.isEmpty
        streams[slot].queue.append(piece)
        streams[slot].queuedBytes += piece.bytes.count
        if isFirst { beginWait(slot) }
        // One alone may be of any size.
        if streams[slot].queuedBytes > configuration.maximumWaitingBytes, !isFirst { cut(slot) }
    }

    func release(_ piece: WaitingBytes) {
        piece.holders -= 1
        if piece.holders == 0 { waitingTotal -= piece.cost }
    }

    func dropQueue(_ slot: Int) {
        for piece in streams[slot].queue { release(piece) }
        streams[slot].queue = []
        streams[slot].queuedBytes = 0
    }

    /// Ends a stream that doesn't take what it is sent: what waits for it is let go.
    private func cut(_ slot: Int) {
        dropQueue(slot)
        for link in streams[slot].dirty { streams[slot].links[Int(link)].isDirty = false }
        streams[slot].dirty = []
        streams[slot].hasMoreGreeting = false
        let payload = Array(#"{"reason":"slow"}"#.utf8)
        enqueue(slot, WaitingBytes(SSE.event("bye", retry: retryDelays.next(), payload: payload)))
        streams[slot].isEnding = true
        counters.countSlowStream()
        markReady(slot)
    }

    /// Makes room where too much waits for all: those that most waits for go first.
    func relieve() {
        let waiting = streams.indices.filter { !streams[$0].queue.isEmpty && !streams[$0].isEnding }
        let order = waiting.sorted { (streams[$1].queuedBytes, $0) < (streams[$0].queuedBytes, $1) }
        for slot in order {
            guard waitingTotal > configuration.maximumWaitingTotal / 4 * 3 else { return }
            cut(slot)
        }
    }

    private func beginWait(_ slot: Int) {
        streams[slot].waitingSince = now
        streams[slot].waitingFloor = streams[slot].queuedBytes
    }

    /// Looks at a stream for which something waits: one that takes less than it is sent never gets to the end.
    func judgeWait(_ slot: Int) {
        guard !streams[slot].queue.isEmpty, !streams[slot].isEnding,
            now - streams[slot].waitingSince >= Int64(saturating: configuration.maximumWaitingSeconds * 1e9)
        else { return }
        if streams[slot].queuedBytes > streams[slot].waitingFloor { cut(slot) } else { beginWait(slot) }
    }
}
