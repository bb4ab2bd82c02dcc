// Maps topics to resources and back by dense indices, so that a frame needs no lookup by name.

import Base
package import Board
package import EventStream
package import Wire

/// What the tick thread keeps for each topic that is or was watched.
package struct TopicTable {
    package init() {}

    /// A topic's resource.
    struct Entry {
        var name: ResourceName
        var slot: Int
    }

    private(set) var entries: [Entry?] = []
    /// Frame state by topic; empty where there is no entry.
    var lines: [TopicFrameState] = []
    /// Topics by slot, for tracks and for schedules; -1 for a slot without a topic.
    private var topicsOfTracks: [Int32] = []
    private var topicsOfSchedules: [Int32] = []

    /// Binds a topic to the resource at a slot.
    /// - Returns: Whether the topic was unbound or bound to another resource.
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
            lines[index] = .empty
        }
        return bound
    }

    /// Unbinds a topic whose resource was removed.
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

    /// Whether the last frame showed this number.
    func hasShown(_ value: Double, on topic: TopicIndex) -> Bool {
        let index = Int(topic.rawValue)
        return entries[index] != nil && lines[index].plain.hasShown(value)
    }

    /// Records what a frame shows.
    /// - Parameter value: The number; nil for a countdown.
    /// - Returns: The frame's audience; nil when the last frame showed the same, so that none is sent.
    package mutating func show(
        _ text: [UInt8], fraction: Double?, value: Double? = nil, on topic: TopicIndex, isFinal: Bool = false
    ) -> FrameAudience? {
        let index = Int(topic.rawValue)
        guard entries[index] != nil else { return nil }
        return lines[index].plain.show(text, fraction: fraction, value: value, isFinal: isFinal)
    }

    /// Records the state that a new stream's snapshot shows.
    /// - Returns: Whether the other streams have not seen this state yet.
    mutating func begin(
        _ text: [UInt8], fraction: Double?, value: Double? = nil, on topic: TopicIndex, isDue: Bool
    ) -> Bool {
        let index = Int(topic.rawValue)
        guard entries[index] != nil else { return false }
        return lines[index].plain.begin(text, fraction: fraction, value: value, isDue: isDue)
    }

    /// Forgets the last plain frame, because no plain subscriber is left. The next one begins with the state at that time.
    mutating func lapse(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        if entries.indices.contains(index), entries[index] != nil { lines[index].plain.lapse() }
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
