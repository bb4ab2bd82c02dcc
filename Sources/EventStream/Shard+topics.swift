// Which streams hear which topic, both ways, so that a stream leaves at a cost of its own topics.

import Conversions

extension Shard {
    func attach(_ slot: Int, to topic: Int32) {
        let index = Int(topic)
        while topics.count <= index { topics.append([]) }
        let variant = streams[slot].variant
        let group: Int
        if let known = topics[index].firstIndex(where: { $0.variant == variant }) {
            group = known
        } else {
            group = topics[index].count
            topics[index].append(Group(variant: variant))
        }
        let place = Int32(clamping: topics[index][group].listeners.count)
        let link = Link(topic: topic, place: place, isDirty: false)
        if let free = streams[slot].freeLinks.popLast() {
            streams[slot].links[Int(free)] = link
            topics[index][group].listeners.append(Listener(slot: Int32(clamping: slot), link: free))
        } else {
            let next = Int32(clamping: streams[slot].links.count)
            topics[index][group].listeners.append(Listener(slot: Int32(clamping: slot), link: next))
            streams[slot].links.append(link)
        }
    }

    func detachAll(_ slot: Int) {
        let variant = streams[slot].variant
        for link in streams[slot].links where link.place >= 0 {
            let topic = Int(link.topic)
            guard let group = topics[topic].firstIndex(where: { $0.variant == variant }) else { continue }
            let last = topics[topic][group].listeners.removeLast()
            guard !topics[topic][group].listeners.isEmpty else {
                // Its frame goes with it.
                topics[topic].remove(at: group)
                continue
            }
            guard Int(link.place) < topics[topic][group].listeners.count else { continue }
            topics[topic][group].listeners[Int(link.place)] = last
            streams[Int(last.slot)].links[Int(last.link)].place = link.place
        }
    }

    /// A topic's number is free again: nobody may hear what comes under it next.
    func forget(_ topic: Int32) {
        guard topics.indices.contains(Int(topic)) else { return }
        for group in topics[Int(topic)] {
            for listener in group.listeners {
                streams[Int(listener.slot)].links[Int(listener.link)].place = -1
                streams[Int(listener.slot)].links[Int(listener.link)].isDirty = false
                streams[Int(listener.slot)].freeLinks.append(listener.link)
            }
        }
        topics[Int(topic)] = []
    }
}
