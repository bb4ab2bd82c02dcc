// The places of all loops. They are reserved before there is a socket, so that a feed can prepare a stream's beginning in
// time.

import Base
import Synchronization

/// The places of all loops. Any thread may use it.
final class StreamPlaces: Sendable {
    private struct Loop {
        var slots = SlotNumbers()
        /// By slot, the generation of its current stream, or of the next one.
        var generations: [UInt32] = []
    }

    private struct State {
        var loops: [Loop]
        var count = 0
    }

    private let limit: Int
    private let streamsPerLoop: Int
    private let state: Mutex<State>

    init(loops: Int, _ configuration: StreamConfiguration) {
        limit = configuration.maximumStreams
        streamsPerLoop = configuration.streamsPerLoop
        state = Mutex(State(loops: Array(repeating: Loop(), count: loops)))
    }

    /// Taken places.
    var count: Int { state.withLock { $0.count } }

    /// Takes a place; returns nil if there is none.
    func reserve() -> StreamID? {
        state.withLock { state in
            guard state.count < limit else { return nil }
            state.count += 1
            let loop = roomiest(state.loops)
            let slot = state.loops[loop].slots.allocate()
            if slot == state.loops[loop].generations.count { state.loops[loop].generations.append(1) }
            return StreamID(
                loop: UInt16(loop), slot: UInt32(slot), generation: state.loops[loop].generations[slot])
        }
    }

    /// Frees a place; does nothing if it is free already.
    func free(_ stream: StreamID) {
        state.withLock { state in
            let (loop, slot) = (Int(stream.loop), Int(stream.slot))
            guard state.loops[loop].generations[slot] == stream.generation else { return }
            state.loops[loop].generations[slot] &+= 1
            state.loops[loop].slots.free(slot)
            state.count -= 1
        }
    }

    /// Chooses the loop for the next stream. Unused loops needn't wake each tick, and streams in one loop are served in one
    /// order, which keeps their frames evenly spaced.
    private func roomiest(_ loops: [Loop]) -> Int {
        if let roomy = loops.firstIndex(where: { $0.slots.count < streamsPerLoop }) { return roomy }
        return loops.indices.min { loops[$0].slots.count < loops[$1].slots.count } ?? 0
    }
}
