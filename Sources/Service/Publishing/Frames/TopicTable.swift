// Maps topics to resources and back by dense indices, so that a frame needs no lookup by name.

import Base
package import Board
package import EventStream

/// What the tick thread keeps for each topic that is or was watched.
package struct TopicTable {
    package init() {}

    /// A topic's resource.
    struct Entry {
        var name: ResourceName
        var slot: Int
    }

    private(set) var entries: [Entry?] = []
    /// What subscribers were last sent, by topic.
    var frames: [TopicFrames] = []
    /// Topics by slot, for tracks and for schedules; -1 for a slot without a topic.
    private var topicsOfTracks: [Int32] = []
    private var topicsOfSchedules: [Int32] = []

    /// Binds a topic to the resource at a slot.
    /// - Returns: Whether the topic was unbound or bound to another resource.
    @discardableResult
    package mutating func bind(_ topic: TopicIndex, to name: ResourceName, slot: Int) -> Bool {
        let index = Int(topic.rawValue)
        grow(to: index)
        let isNew = entries[index]?.name != name || entries[index]?.slot != slot
        if isNew {
            entries[index] = Entry(name: name, slot: slot)
            frames[index] = TopicFrames(name)
        }
        if name.kind == .schedule {
            Self.set(&topicsOfSchedules, slot, topic.rawValue)
        } else {
            Self.set(&topicsOfTracks, slot, topic.rawValue)
        }
        return isNew
    }

    /// Begins the frames of a topic whose resource has gone already: it is not bound.
    mutating func begin(_ topic: TopicIndex, as name: ResourceName) {
        grow(to: Int(topic.rawValue))
        frames[Int(topic.rawValue)] = TopicFrames(name)
    }

    private mutating func grow(to index: Int) {
        guard index >= entries.count else { return }
        let more = index + 1 - entries.count
        entries.append(contentsOf: repeatElement(nil, count: more))
        frames.append(contentsOf: repeatElement(.empty, count: more))
    }

    /// Removes all bindings, because the resources have moved to other slots.
    /// - Returns: The resources that had topics.
    mutating func unbindAll() -> [(topic: TopicIndex, name: ResourceName)] {
        topicsOfTracks = []
        topicsOfSchedules = []
        var bound: [(TopicIndex, ResourceName)] = []
        for index in entries.indices {
            guard let entry = entries[index] else { continue }
            bound.append((TopicIndex(rawValue: Int32(clamping: index)), entry.name))
            entries[index] = nil
            frames[index] = .empty
        }
        return bound
    }

    /// Unbinds a topic whose resource was removed.
    mutating func unbind(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        guard entries.indices.contains(index), let entry = entries[index] else { return }
        entries[index] = nil
        frames[index] = .empty
        if entry.name.kind == .schedule {
            if topicsOfSchedules[entry.slot] == topic.rawValue { topicsOfSchedules[entry.slot] = -1 }
        } else if topicsOfTracks[entry.slot] == topic.rawValue {
            topicsOfTracks[entry.slot] = -1
        }
    }

    package func topic(ofTrack slot: Int) -> TopicIndex? { Self.topic(topicsOfTracks, slot) }
    func topic(ofSchedule slot: Int) -> TopicIndex? { Self.topic(topicsOfSchedules, slot) }

    /// Returns the topic of a resource by its place on the board.
    func topic(of place: DueFrames.Place) -> TopicIndex? {
        switch place {
        case .track(let slot): topic(ofTrack: slot)
        case .schedule(let slot): topic(ofSchedule: slot)
        }
    }

    func name(of topic: TopicIndex) -> ResourceName? { entry(of: topic)?.name }

    func entry(of topic: TopicIndex) -> Entry? {
        let index = Int(topic.rawValue)
        return entries.indices.contains(index) ? entries[index] : nil
    }

    /// Uses the form of a variant.
    mutating func withForm<Result>(
        of variant: Variant, on topic: TopicIndex, _ body: (inout FrameForm) -> Result
    ) -> Result {
        frames[Int(topic.rawValue)].withForm(of: variant, body)
    }

    /// Forgets what was shown in variants that have no subscribers left.
    mutating func keep(_ variants: VariantSet, _ all: WatchedVariants, of topic: TopicIndex) {
        if entry(of: topic) != nil { frames[Int(topic.rawValue)].keep(variants, all) }
    }

    private static func topic(_ table: [Int32], _ slot: Int) -> TopicIndex? {
        guard table.indices.contains(slot), table[slot] >= 0 else { return nil }
        return TopicIndex(rawValue: table[slot])
    }

    private static func set(_ table: inout [Int32], _ slot: Int, _ value: Int32) {
        if slot >= table.count { table.append(contentsOf: repeatElement(-1, count: slot + 1 - table.count)) }
        table[slot] = value
    }
}
