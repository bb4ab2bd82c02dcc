// All loops of a server. One is filled before the next is used, then all grow evenly.

package import Base
import Glibc
import Synchronization

/// The stream threads of a server.
package final class StreamLoops: StreamAcceptor {
    private let loops: [StreamLoop]
    private let configuration: StreamConfiguration
    private let places: StreamPlaces
    private let refused = Atomic<UInt64>(0)

    /// - Parameter feeds: One for each loop.
    package init(configuration: StreamConfiguration, feeds: [any StreamFeed]) throws(TransportError) {
        precondition(!feeds.isEmpty, "streams need a loop")
        self.configuration = configuration
        places = StreamPlaces(loops: feeds.count, configuration)
        var loops: [StreamLoop] = []
        for (index, feed) in feeds.enumerated() {
            loops.append(try StreamLoop(index: UInt16(index), configuration: configuration, feed: feed, places: places))
        }
        self.loops = loops
    }

    package func start() throws(TransportError) {
        for loop in loops { try loop.start() }
    }

    /// Wakes one loop because its feed has something to receive. Any thread may call this.
    package func wake(_ index: Int) { loops[index].wake() }

    /// Makes each loop report its sockets to its feed, once, on its own thread.
    /// - Returns: The number of reports.
    package func inspect(number: UInt64) -> Int {
        for loop in loops { loop.inspect(number: number) }
        return loops.count
    }

    package func stop() {
        for loop in loops { loop.stop() }
    }

    package var hasRoom: Bool { places.count < configuration.maximumStreams }

    package func reserve() -> StreamID? { places.reserve() }

    package func abandon(_ stream: StreamID) { loops[Int(stream.loop)].abandon(stream) }

    package func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool {
        guard let place = context.reservation ?? reserve() else {
            refused.wrappingAdd(1, ordering: .relaxed)
            return false
        }
        loops[Int(place.loop)].adopt(Adoption(stream: place, outlet: outlet, head: head, context: context))
        return true
    }

    /// Streams that are open or reserved.
    package var count: Int { places.count }

    package var counters: StreamCounters {
        var counters = StreamCounters()
        for loop in loops {
            counters.sends += loop.counters.sends.load(ordering: .relaxed)
            counters.bytes += loop.counters.bytes.load(ordering: .relaxed)
            counters.rings += loop.counters.hasRing.load(ordering: .relaxed) ? 1 : 0
            counters.stalled += loop.counters.stalled.load(ordering: .relaxed)
        }
        counters.open = places.count
        counters.limit = configuration.maximumStreams
        counters.refused = refused.load(ordering: .relaxed)
        return counters
    }
}
