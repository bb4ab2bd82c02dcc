// Which places of which loops are taken. They are given before there is a socket, so that whoever feeds a stream can have its
// beginning ready by the time that its socket comes.

import Base
import Synchronization

/// The places of all loops; from any thread.
final class StreamPlaces: Sendable {
    private struct Loop {
        var slots = SlotNumbers()
        /// By slot, the generation of the stream that is there, or of the next one.
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

    /// How many are taken.
    var count: Int { state.withLock { $0.count } }

    /// Takes a place; nil when there is none.
    func take() -> StreamID? {
        state.withLock { state in
            guard state.count < limit else { return nil }
            state.count += 1
            let loop = roomiest(state.loops)
            let slot = state.loops[loop].slots.take()
            if slot == state.loops[loop].generations.count { state.loops[loop].generations.append(1) }
            return StreamID(
                loop: UInt16(loop), slot: UInt32(slot), generation: state.loops[loop].generations[slot])
        }
    }

    /// Gives a place back; nothing where it was before.
    func free(_ stream: StreamID) {
        state.withLock { state in
            let (loop, slot) = (Int(stream.loop), Int(stream.slot))
            guard state.loops[loop].generations[slot] == stream.generation else { return }
            state.loops[loop].generations[slot] &+= 1
            state.loops[loop].slots.free(slot)
            state.count -= 1
        }
    }

    /// Where the next stream goes: loops that are not needed are not woken each tick, and streams of one loop are served
    /// in one order, which keeps their frames' gaps even.
    private func roomiest(_ loops: [Loop]) -> Int {
        if let roomy = loops.firstIndex(where: { $0.slots.count < streamsPerLoop }) { return roomy }
        return loops.indices.min { loops[$0].slots.count < loops[$1].slots.count } ?? 0
    }
}
