// Which streams subscribe to which topic, both ways, so that closing a stream costs only as much as its own topics.

import Base

extension Shard {
    /// Subscribes a stream to a topic in one variant. It must not be subscribed yet.
    mutating func attach(_ slot: Int, to form: TopicForm) {
        let (index, variant) = (Int(form.topic), form.variant.rawValue)
        while topics.count <= index { topics.append(TopicAudience()) }
        let link = streams[slot].link(to: form.topic, variant, place: topics[index].nextPlace(variant))
        topics[index].insert(
            TopicAudience.Listener(slot: Int32(clamping: slot), link: Int32(clamping: link)), variant)
    }

    /// Removes all subscriptions of a stream that is about to be discarded. It keeps its own links until then.
    mutating func detach(_ slot: Int) {
        for case let link? in streams[slot].links.slots { removeListener(of: link) }
    }

    /// Removes a stream's subscriptions to topic forms, and drops their unsent frames.
    mutating func detach(_ slot: Int, from forms: [TopicForm]) {
        let dropped = Set(forms)
        for (number, link) in streams[slot].links.slots.enumerated() {
            guard let link, dropped.contains(TopicForm(link.topic, Variant(rawValue: link.variant))) else { continue }
            removeListener(of: link)
            streams[slot].unlink(number)
        }
    }

    private mutating func removeListener(of link: ShardStream.Link) {
        guard let moved = topics[Int(link.topic)].remove(at: link.place, link.variant) else { return }
        streams[Int(moved.slot)].move(link: Int(moved.link), to: link.place)
    }

    /// Removes all subscribers of a topic whose number is about to be reused.
    mutating func forget(_ topic: Int32) {
        guard topics.indices.contains(Int(topic)) else { return }
        for group in topics[Int(topic)].groups {
            for listener in group.listeners { streams[Int(listener.slot)].unlink(Int(listener.link)) }
        }
        topics[Int(topic)] = TopicAudience()
    }
}
