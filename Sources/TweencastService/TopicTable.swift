// Which topic stands for which resource, both ways, by dense indices so that a frame looks nothing up by name.

import Board
import EventStream
import Wire

/// What the tick thread keeps for each topic that somebody watches or watched.
struct TopicTable {
    /// A topic's resource and what was last shown of it.
    struct Entry {
        var name: ResourceName
        var slot: Int
        var prefix: FramePrefix
        /// The text of the last frame, escaped for JSON: equal frames are not sent.
        var shownText: [UInt8] = []
        var shownFraction: Double?
        /// A frame has gone out since the topic is watched.
        var hasShown = false
    }

    private(set) var entries: [Entry?] = []
    /// Topic by slot, for tracks and for schedules; -1 where a slot has none.
    private var topicsOfTracks: [Int32] = []
    private var topicsOfSchedules: [Int32] = []

    /// Binds a topic to the resource at a slot.
    mutating func bind(_ topic: TopicIndex, to name: ResourceName, slot: Int) {
        let index = Int(topic.rawValue)
        if index >= entries.count { entries.append(contentsOf: repeatElement(nil, count: index + 1 - entries.count)) }
        if entries[index]?.name != name || entries[index]?.slot != slot {
            entries[index] = Entry(name: name, slot: slot, prefix: FramePrefix(name))
        }
        if name.kind == .schedule {
            Self.set(&topicsOfSchedules, slot, topic.rawValue)
        } else {
            Self.set(&topicsOfTracks, slot, topic.rawValue)
        }
    }

    /// Forgets a topic whose resource has gone.
    mutating func unbind(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        guard entries.indices.contains(index), let entry = entries[index] else { return }
        entries[index] = nil
        if entry.name.kind == .schedule {
            if topicsOfSchedules[entry.slot] == topic.rawValue { topicsOfSchedules[entry.slot] = -1 }
        } else if topicsOfTracks[entry.slot] == topic.rawValue {
            topicsOfTracks[entry.slot] = -1
        }
    }

    func topic(ofTrack slot: Int) -> TopicIndex? { Self.topic(topicsOfTracks, slot) }
    func topic(ofSchedule slot: Int) -> TopicIndex? { Self.topic(topicsOfSchedules, slot) }

    func name(of topic: TopicIndex) -> ResourceName? {
        let index = Int(topic.rawValue)
        return entries.indices.contains(index) ? entries[index]?.name : nil
    }

    func prefix(of topic: TopicIndex) -> FramePrefix? {
        let index = Int(topic.rawValue)
        return entries.indices.contains(index) ? entries[index]?.prefix : nil
    }

    /// Notes what a frame shows.
    /// - Returns: false when the last one showed the same: then it is not sent.
    mutating func show(_ text: [UInt8], fraction: Double?, on topic: TopicIndex, forced: Bool = false) -> Bool {
        let index = Int(topic.rawValue)
        guard let entry = entries[index] else { return false }
        if !forced, entry.hasShown, entry.shownFraction == fraction, entry.shownText == text { return false }
        entries[index]?.shownText.removeAll(keepingCapacity: true)
        entries[index]?.shownText.append(contentsOf: text)
        entries[index]?.shownFraction = fraction
        entries[index]?.hasShown = true
        return true
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
