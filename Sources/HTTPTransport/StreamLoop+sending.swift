// The way of bytes from the feed to a socket, for clients that keep up and for those that don't.

import Conversions
import Synchronization

extension StreamLoop {
    /// Asks the feed and sends, in one piece.
    func fill(_ slot: Int, now: Int64) {
        if streams[slot].isLagging, !isClear(slot, now: now) { return }
        streams[slot].wantsFill = false
        buffer.removeAll(keepingCapacity: true)
        if feed.fill(identity(of: slot), now: now, into: &buffer) {
            streams[slot].isEnding = true
            streams[slot].endsBy = min(streams[slot].endsBy, now.addingSaturated(stallTime))
        }
        guard !buffer.isEmpty else {
            if streams[slot].isEnding { close(slot, .ended) }
            return
        }
        send(buffer, to: slot, now: now)
    }

    /// Sends to a stream that is not blocked, and keeps what the socket doesn't take.
    func send(_ content: [UInt8], to slot: Int, now: Int64) {
        switch StreamSocket.send(streams[slot].descriptor, content, from: 0) {
        case .sent(content.count):
            count(content.count, on: slot)
            if streams[slot].isEnding { close(slot, .ended) }
        case .sent(let sent):
            count(sent, on: slot)
            streams[slot].tail = Array(content.dropFirst(sent))
            block(slot, now: now)
        case .full:
            streams[slot].tail = content
            block(slot, now: now)
        case .failed:
            close(slot, .hangup)
        }
    }

    /// Whether a client that lagged has taken all: nothing new is put behind bytes that grow old.
    private func isClear(_ slot: Int, now: Int64) -> Bool {
        if now - streams[slot].lastRefusal > Int64(saturating: configuration.lagMemory * 1e9) {
            streams[slot].isLagging = false
            feed.lagChanged(identity(of: slot), isLagging: false, now: now)
            return true
        }
        guard StreamSocket.unsentBytes(streams[slot].descriptor) > 0 else { return true }
        streams[slot].wantsFill = true
        block(slot, now: now)
        // No send was refused, so the kernel would not tell; and it may have become free just now.
        poll.rearm(streams[slot].descriptor, slot: UInt32(slot), generation: streams[slot].generation)
        return false
    }

    private func block(_ slot: Int, now: Int64) {
        streams[slot].lastRefusal = now
        if !streams[slot].isBlocked {
            blockedCount += 1
            streams[slot].blockedSince = now
        }
        if streams[slot].measuredSince == 0 {
            streams[slot].measuredSince = now
            streams[slot].measuredBytes = takenBytes(slot)
        }
        expectStalls(now: now)
        guard !streams[slot].isLagging else { return }
        streams[slot].isLagging = true
        feed.lagChanged(identity(of: slot), isLagging: true, now: now)
    }

    /// The client has taken what the socket held: first what was left here, then what is newest.
    func resume(_ slot: Int, now: Int64) {
        if !streams[slot].tail.isEmpty {
            switch StreamSocket.send(streams[slot].descriptor, streams[slot].tail, from: streams[slot].tailStart) {
            case .sent(let sent):
                count(sent, on: slot)
                streams[slot].blockedSince = now
                streams[slot].tailStart += sent
                guard streams[slot].tailStart == streams[slot].tail.count else { return }
            case .full:
                return
            case .failed:
                close(slot, .hangup)
                return
            }
            streams[slot].tail = []
            streams[slot].tailStart = 0
        }
        streams[slot].blockedSince = 0
        blockedCount -= 1
        if streams[slot].isEnding {
            close(slot, .ended)
        } else if streams[slot].wantsFill {
            fill(slot, now: now)
        }
    }

    private func count(_ sent: Int, on slot: Int) {
        // At a gigabyte a second it would take five centuries to overflow.
        streams[slot].sentBytes += UInt64(sent)
        sends.wrappingAdd(1, ordering: .relaxed)
        bytes.wrappingAdd(UInt64(sent), ordering: .relaxed)
    }
}
