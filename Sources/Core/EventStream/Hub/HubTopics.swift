// The topics of a hub by name and number, and the forms in which each is subscribed.

import Base

/// Topics and their numbers of subscribers. The streams know who these are. A class, because a value with so many tables
/// was copied, with all its references, for a look at one.
final class HubTopics {
    private struct Topic {
        var name: TopicName
        var subscribers = SubscriberCounts()
        /// Its number is in use.
        var isThere = true
        /// It has no resource: it came with an event.
        var isPassing = false
        /// The slot of its resource; -1 while there is none.
        var slot: Int32 = -1
    }

    private var topics: [Topic] = []
    /// Subscribed forms by topic; empty for unused numbers. Apart from the topics, so that frames read nothing else.
    private(set) var watching: [VariantSet] = []
    /// Subscribed forms in locales of their own, in order of arrival. Nearly all topics have none.
    private var localised: [Int32: [Variant]] = [:]
    private var numbers = SlotNumbers()
    /// Numbers of released topics whose last events are not queued yet.
    private var released: [Int32] = []
    /// Topics that came with an event, oldest first. Some may have been removed or belong to a resource now.
    private var passing: [Int32] = []
    private var indices = SplitTable<TopicName, Int32>()
    /// Topics by the slots of their resources, for tracks and for schedules; -1 for a slot without a topic. Apart from the
    /// topics, so that frames read nothing else.
    private(set) var ofTracks: [Int32] = []
    private(set) var ofSchedules: [Int32] = []
    private var watchChanges: [TopicIndex] = []
    private var variantLosses: [TopicIndex] = []

    /// Lists with more capacity than this are freed after use.
    private static let smallList = 4_096

    // MARK: - Names and numbers

    func index(of name: TopicName) -> Int32? { indices[name] }

    func name(at index: Int32) -> TopicName { topics[Int(index)].name }

    /// Returns whether the topic is that of all resources of a kind.
    func isOfAll(_ index: Int32) -> Bool { topics[Int(index)].name.id == TopicName.everyID }

    func make(_ name: TopicName, isPassing: Bool) -> Int32 {
        let topic = Topic(name: name, isPassing: isPassing)
        let number = numbers.allocate()
        if number == topics.count {
            topics.append(topic)
            watching.append(VariantSet())
        } else {
            topics[number] = topic
        }
        let index = Int32(clamping: number)
        indices[name] = index
        if isPassing { passing.append(index) }
        return index
    }

    /// Marks the topic as that of a resource.
    func keep(_ index: Int32) { topics[Int(index)].isPassing = false }

    /// Takes a topic's name and subscribers away. Its number is free once its last events are queued.
    /// - Returns: Its name, and whether it was subscribed; nil if it was released before.
    func release(_ index: Int32) -> (name: TopicName, isWatched: Bool)? {
        let place = Int(index)
        guard topics.indices.contains(place), topics[place].isThere else { return nil }
        unbind(index)
        let (name, isWatched) = (topics[place].name, topics[place].subscribers.total > 0)
        topics[place] = Topic(name: TopicName(kind: name.kind, id: ""), isThere: false)
        watching[place] = VariantSet()
        localised[index] = nil
        indices[name] = nil
        released.append(index)
        return (name, isWatched)
    }

    /// Frees the numbers of released topics. Call it when their events are queued.
    func freeReleased() -> [Int32] {
        guard !released.isEmpty else { return [] }
        for topic in released { numbers.free(Int(topic)) }
        defer { released.removeAll(keepingCapacity: released.count < Self.smallList) }
        return released
    }

    // MARK: - Resources

    /// Returns the slot of a topic's resource; nil while there is none.
    func slot(of index: Int32) -> Int? {
        let slot = topics.indices.contains(Int(index)) ? topics[Int(index)].slot : -1
        return slot < 0 ? nil : Int(slot)
    }

    /// Binds a topic to its resource, whose earlier subscribers are reported now that it exists.
    /// - Returns: Whether it had no resource, or one at another slot.
    func bind(_ index: Int32, to slot: Int) -> Bool {
        let isNew = self.slot(of: index) != slot
        topics[Int(index)].slot = Int32(clamping: slot)
        if topics[Int(index)].name.kind == .schedule {
            Self.set(index, at: slot, of: &ofSchedules)
        } else {
            Self.set(index, at: slot, of: &ofTracks)
        }
        if isNew, !watching[Int(index)].isEmpty { watchChanges.append(TopicIndex(rawValue: index)) }
        return isNew
    }

    private static func set(_ index: Int32, at slot: Int, of table: inout [Int32]) {
        if slot >= table.count { table.append(contentsOf: repeatElement(-1, count: slot + 1 - table.count)) }
        table[slot] = index
    }

    private func unbind(_ index: Int32) {
        guard let slot = slot(of: index) else { return }
        topics[Int(index)].slot = -1
        if topics[Int(index)].name.kind == .schedule {
            if ofSchedules[slot] == index { ofSchedules[slot] = -1 }
        } else if ofTracks[slot] == index {
            ofTracks[slot] = -1
        }
    }

    /// Unbinds all topics.
    /// - Returns: Those that had resources.
    func unbindAll() -> [TopicIndex] {
        let bound = topics.indices.filter { topics[$0].slot >= 0 }
        for place in bound { topics[place].slot = -1 }
        (ofTracks, ofSchedules) = ([], [])
        return bound.map { TopicIndex(rawValue: Int32(clamping: $0)) }
    }

    // MARK: - Topics of events

    /// How many topics came with an event, including those removed or kept for a resource since.
    var passingCount: Int { passing.count }

    /// Returns the topics that came with an event and that a selection matches.
    func passing(_ selection: TopicSelection) -> [Int32] {
        passing.filter { topics[Int($0)].isPassing && selection.matches(topics[Int($0)].name) }
    }

    /// Removes and returns the older half of the topics that came with an event, without those that belong to a resource
    /// now.
    func removeOlderPassing() -> [Int32] {
        let half = (passing.count + 1) / 2
        defer { passing.removeFirst(half) }
        return passing.prefix(half).filter { topics[Int($0)].isPassing }
    }

    // MARK: - Watchers

    func variants(watching topic: TopicIndex) -> VariantSet {
        let index = Int(topic.rawValue)
        return watching.indices.contains(index) ? watching[index] : VariantSet()
    }

    func localised(watching topic: TopicIndex) -> [Variant] {
        variants(watching: topic).hasLocales ? localised[topic.rawValue] ?? [] : []
    }

    /// Returns the owner whose share a form's frames use: the one that subscribed first; 0 without one.
    func owner(of variant: Variant, at topic: TopicIndex) -> Int32 {
        topics[Int(topic.rawValue)].subscribers.owner(of: variant)
    }

    /// Returns the owner of a topic's only form; nil if it has several forms.
    func soleOwner(at topic: TopicIndex) -> Int32? { topics[Int(topic.rawValue)].subscribers.soleOwner }

    /// Finds the owners of a topic's extended forms, each once.
    func findOwners(at topic: TopicIndex, _ owners: inout [Int32]) {
        topics[Int(topic.rawValue)].subscribers.findOwners(&owners)
    }

    /// Counts a new subscriber of a topic.
    func watch(_ form: TopicForm, of owner: Int32) {
        let index = Int(form.topic)
        if topics[index].subscribers.add(form.variant, of: owner) { record(form.variant, at: form.topic) }
        if topics[index].subscribers.total == 1 { watchChanges.append(TopicIndex(rawValue: form.topic)) }
    }

    /// Counts a subscriber less of a topic.
    func unwatch(_ form: TopicForm) {
        let (index, topic) = (Int(form.topic), TopicIndex(rawValue: form.topic))
        if topics[index].subscribers.remove(form.variant) {
            forget(form.variant, at: form.topic)
            if topics[index].subscribers.total > 0 { variantLosses.append(topic) }
        }
        if topics[index].subscribers.total == 0 { watchChanges.append(topic) }
    }

    /// Adds a form to those subscribed.
    private func record(_ variant: Variant, at index: Int32) {
        if variant.locale > 0 { localised[index, default: []].append(variant) }
        watching[Int(index)].insert(variant)
    }

    /// Removes a form from those subscribed.
    private func forget(_ variant: Variant, at index: Int32) {
        guard variant.locale > 0 else { return watching[Int(index)].remove(variant) }
        localised[index]?.removeAll { $0 == variant }
        guard localised[index]?.isEmpty ?? true else { return }
        localised[index] = nil
        watching[Int(index)].hasLocales = false
    }

    // MARK: - Changes

    var hasWatchChanges: Bool { !watchChanges.isEmpty }

    func drainWatchChanges(most: Int) -> [TopicIndex] {
        guard watchChanges.count > most else {
            defer { watchChanges.removeAll(keepingCapacity: watchChanges.count < Self.smallList) }
            return watchChanges
        }
        let taken = Array(watchChanges.suffix(most))
        watchChanges.removeLast(most)
        return taken
    }

    func drainVariantLosses() -> [TopicIndex] {
        guard !variantLosses.isEmpty else { return [] }
        defer { variantLosses.removeAll(keepingCapacity: variantLosses.count < Self.smallList) }
        return variantLosses
    }

    /// Lists a topic that no stream had room for among the changes, so that it is released.
    func recordUnwatched(_ index: Int32) {
        if topics[Int(index)].subscribers.total == 0 { watchChanges.append(TopicIndex(rawValue: index)) }
    }
}
