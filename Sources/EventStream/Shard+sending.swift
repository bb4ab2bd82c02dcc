// What goes out next: which stream, and which bytes.

import Conversions
package import Primitives

extension Shard {
    /// The next stream with something to send now; each is given once until `fill` takes it.
    package func nextReady(now: Int64) -> StreamID? {
        self.now = now
        if now >= gateDeadline { openGates(now: now) }
        if now >= nextSweep { sweep(now: now) }
        if now >= paceDeadline { reviewPaces(now: now) }
        while readyStart < ready.count {
            let slot = Int(ready[readyStart])
            readyStart += 1
            guard streams[slot].isReady else { continue }
            streams[slot].isReady = false
            guard streams[slot].isOpen else { continue }
            return StreamID(loop: index, slot: UInt32(slot), generation: streams[slot].generation)
        }
        ready.removeAll(keepingCapacity: true)
        readyStart = 0
        return nil
    }

    /// Appends what a stream should get now, in one piece: what everyone gets, then the newest frames. What is more than a
    /// socket is given at a time makes it ready again.
    /// - Returns: Whether the stream ends after these bytes.
    package func fill(_ key: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
        guard isCurrent(key) else { return false }
        self.now = now
        let slot = Int(key.slot)
        streams[slot].isReady = false
        if !streams[slot].queue.isEmpty { appendQueue(slot, to: &buffer) }
        guard streams[slot].queue.isEmpty else {
            markReady(slot)
            streams[slot].lastSent = now
            return false
        }
        let isEnding = streams[slot].isEnding
        if streams[slot].hasMoreGreeting, !isEnding {
            streams[slot].hasMoreGreeting = false
            wantsGreeting(key)
        }
        if !isEnding, !streams[slot].dirty.isEmpty {
            if streams[slot].interval == 0 || now >= streams[slot].nextFrame {
                appendFrames(slot, now: now, to: &buffer)
            }
        }
        if buffer.isEmpty, !isEnding, now - streams[slot].lastSent >= heartbeatInterval {
            buffer.append(contentsOf: SSE.heartbeat)
        }
        if !buffer.isEmpty { streams[slot].lastSent = now }
        return isEnding
    }

    /// When something is due that no message brings: a frame held back for its rate, a heartbeat.
    package var nextDeadline: Int64 { min(gateDeadline, nextSweep, paceDeadline) }

    private var heartbeatInterval: Int64 { Int64(saturating: configuration.heartbeatSeconds * 1e9) }

    private func appendQueue(_ slot: Int, to buffer: inout [UInt8]) {
        var taken = 0
        for queued in streams[slot].queue {
            guard buffer.count < configuration.maximumFill else { break }
            buffer.append(contentsOf: queued.bytes)
            streams[slot].queuedBytes -= queued.bytes.count
            release(queued)
            taken += 1
        }
        if taken == streams[slot].queue.count {
            streams[slot].queue.removeAll()
        } else {
            streams[slot].queue.removeFirst(taken)
        }
    }

    private func appendFrames(_ slot: Int, now: Int64, to buffer: inout [UInt8]) {
        let variant = streams[slot].variant
        var taken = 0
        for position in streams[slot].dirty.indices {
            guard buffer.count < configuration.maximumFill else { break }
            taken += 1
            let link = Int(streams[slot].dirty[position])
            guard streams[slot].links[link].isDirty else { continue }
            streams[slot].links[link].isDirty = false
            let topic = Int(streams[slot].links[link].topic)
            for group in topics[topic].indices where topics[topic][group].variant == variant {
                buffer.append(contentsOf: topics[topic][group].latest)
                streams[slot].statistics.frames += 1
            }
        }
        guard taken == streams[slot].dirty.count else {
            streams[slot].dirty.removeFirst(taken)
            markReady(slot)
            return
        }
        streams[slot].dirty.removeAll(keepingCapacity: true)
        let interval = streams[slot].interval
        guard interval > 0 else { return }
        // On its own timetable, so that a rate is kept on average; a stream that fell behind begins anew.
        let next = streams[slot].nextFrame + interval
        streams[slot].nextFrame = next > now ? next : now + interval
    }

    private func openGates(now: Int64) {
        gateDeadline = .max
        var waiting: [Int32] = []
        for slot in gated {
            let index = Int(slot)
            guard streams[index].isOpen, streams[index].isGated else { continue }
            if streams[index].nextFrame <= now {
                streams[index].isGated = false
                markReady(index)
            } else {
                waiting.append(slot)
                gateDeadline = min(gateDeadline, streams[index].nextFrame)
            }
        }
        gated = waiting
    }

    /// Looks for streams that were silent for a heartbeat's time; now and then, since a heartbeat needs no precision.
    private func sweep(now: Int64) {
        nextSweep = openCount == 0 ? .max : now + sweepInterval
        for slot in streams.indices where streams[slot].isOpen {
            judgeWait(slot)
            if now - streams[slot].lastSent >= heartbeatInterval { markReady(slot) }
        }
    }
}
