// Which streams hear which topic, both ways, so that a stream leaves at a cost of its own topics.

import Conversions
import Primitives

extension Shard {
    mutating func attach(_ slot: Int, to topic: Int32) {
        let index = Int(topic)
        while topics.count <= index { topics.append(TopicAudience()) }
        let variant = streams[slot].variant
        let link = streams[slot].link(to: topic, place: topics[index].nextPlace(variant))
        topics[index].insert(
            TopicAudience.Listener(slot: Int32(clamping: slot), link: Int32(clamping: link)), variant)
    }

    /// Has a stream hear nothing any more.
    mutating func detach(_ slot: Int) {
        let (links, variant) = (streams[slot].links, streams[slot].variant)
        for case let link? in links.slots {
            guard let moved = topics[Int(link.topic)].remove(at: link.place, variant) else { continue }
            streams[Int(moved.slot)].move(link: Int(moved.link), to: link.place)
        }
    }

    /// A topic's number is free again: nobody may hear what comes under it next.
    mutating func forget(_ topic: Int32) {
        guard topics.indices.contains(Int(topic)) else { return }
        for group in topics[Int(topic)].groups {
            for listener in group.listeners { streams[Int(listener.slot)].unlink(Int(listener.link)) }
        }
        topics[Int(topic)] = TopicAudience()
    }
}
