// Which topic stands for which resource, both ways, by dense indices so that a frame looks nothing up by name.

import Base
package import Board
package import EventStream
package import Wire

/// What the tick thread keeps for each topic that somebody watches or watched.
package struct TopicTable {
    package init() {}

    /// A topic's resource.
    struct Entry {
        var name: ResourceName
        var slot: Int
    }

    private(set) var entries: [Entry?] = []
    /// What frames need, by topic; empty where there is no entry.
    var lines: [TopicFrameState] = []
    /// Topic by slot, for tracks and for schedules; -1 where a slot has none.
    private var topicsOfTracks: [Int32] = []
    private var topicsOfSchedules: [Int32] = []

    /// Binds a topic to the resource at a slot.
    /// - Returns: Whether it was bound to none, or to another.
    @discardableResult
    package mutating func bind(_ topic: TopicIndex, to name: ResourceName, slot: Int) -> Bool {
        let index = Int(topic.rawValue)
        if index >= entries.count {
            let more = index + 1 - entries.count
            entries.append(contentsOf: repeatElement(nil, count: more))
            lines.append(contentsOf: repeatElement(.empty, count: more))
        }
        let isNew = entries[index]?.name != name || entries[index]?.slot != slot
        if isNew {
            entries[index] = Entry(name: name, slot: slot)
            lines[index] = TopicFrameState(prefix: FramePrefix(name))
        }
        if name.kind == .schedule {
            Self.set(&topicsOfSchedules, slot, topic.rawValue)
        } else {
            Self.set(&topicsOfTracks, slot, topic.rawValue)
        }
        return isNew
    }

    /// Forgets at which slots resources are, for they are at others.
    /// - Returns: The resources that had topics.
    mutating func unbindAll() -> [(topic: TopicIndex, name: ResourceName)] {
        topicsOfTracks = []
        topicsOfSchedules = []
        var bound: [(TopicIndex, ResourceName)] = []
        for index in entries.indices {
            guard let entry = entries[index] else { continue }
            bound.append((TopicIndex(rawValue: Int32(clamping: index)), entry.name))
            entries[index] = nil
            lines[index] = .empty
        }
        return bound
    }

    /// Forgets a topic whose resource has gone.
    mutating func unbind(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        guard entries.indices.contains(index), let entry = entries[index] else { return }
        entries[index] = nil
        lines[index] = .empty
        if entry.name.kind == .schedule {
            if topicsOfSchedules[entry.slot] == topic.rawValue { topicsOfSchedules[entry.slot] = -1 }
        } else if topicsOfTracks[entry.slot] == topic.rawValue {
            topicsOfTracks[entry.slot] = -1
        }
    }

    package func topic(ofTrack slot: Int) -> TopicIndex? { Self.topic(topicsOfTracks, slot) }
    func topic(ofSchedule slot: Int) -> TopicIndex? { Self.topic(topicsOfSchedules, slot) }

    func name(of topic: TopicIndex) -> ResourceName? { entry(of: topic)?.name }

    func entry(of topic: TopicIndex) -> Entry? {
        let index = Int(topic.rawValue)
        return entries.indices.contains(index) ? entries[index] : nil
    }

    package func prefix(of topic: TopicIndex) -> FramePrefix? {
        let index = Int(topic.rawValue)
        return entries.indices.contains(index) && entries[index] != nil ? lines[index].prefix : nil
    }

    /// Whether the last frame had a number.
    func hasShown(_ value: Double, on topic: TopicIndex) -> Bool {
        let index = Int(topic.rawValue)
        return entries[index] != nil && lines[index].hasShown(value)
    }

    /// Notes what a frame shows.
    /// - Parameter value: The number; nil for a countdown.
    /// - Returns: Whom it is for; nil when the last one showed the same: then it is not sent.
    package mutating func show(
        _ text: [UInt8], fraction: Double?, value: Double? = nil, on topic: TopicIndex, forced: Bool = false
    ) -> FrameAudience? {
        let index = Int(topic.rawValue)
        guard entries[index] != nil else { return nil }
        return lines[index].show(text, fraction: fraction, value: value, forced: forced)
    }

    /// Notes what the state shows that a stream begins with.
    /// - Returns: Whether those who listen already are still to be shown it.
    mutating func begin(_ text: [UInt8], fraction: Double?, value: Double? = nil, on topic: TopicIndex) -> Bool {
        let index = Int(topic.rawValue)
        guard entries[index] != nil else { return false }
        return lines[index].begin(text, fraction: fraction, value: value)
    }

    /// Nobody is shown frames of a number alone any more: the next who is begins with what there is then.
    mutating func lapse(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        if entries.indices.contains(index), entries[index] != nil { lines[index].lapse() }
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
