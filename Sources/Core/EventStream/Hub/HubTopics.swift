// The topics of a hub by name and number, and in which forms each is watched.

import Base

/// Topics and how many watch them. Who they are is known to the streams.
struct HubTopics {
    private struct Topic {
        var name: TopicName
        var subscribers = SubscriberCounts()
        /// It has a number.
        var isThere = true
        /// No resource stands for it: it came with an event.
        var isPassing = false
    }

    private var topics: [Topic] = []
    /// Who watches, by topic; none for numbers that are free. Apart from the topics, so that a frame looks at nothing else.
    private(set) var watching: [VariantSet] = []
    /// In which forms and locales of readers topics are watched, in the order in which they came; none for nearly all.
    private var localised: [Int32: [Variant]] = [:]
    private var numbers = SlotNumbers()
    /// Numbers of topics that have gone, until what was said of them is on its way.
    private var released: [Int32] = []
    /// Topics that came with an event, oldest first; some may have gone or become a resource's.
    private var passing: [Int32] = []
    private var indices = SplitTable<TopicName, Int32>()
    private var watchChanges: [TopicIndex] = []
    private var variantLosses: [TopicIndex] = []

    /// Lists with room for more are given back when they have been used.
    private static let smallList = 4_096

    // MARK: - Names and numbers

    func index(of name: TopicName) -> Int32? { indices[name] }

    func name(at index: Int32) -> TopicName { topics[Int(index)].name }

    /// Whether it is the topic of what concerns all of a kind.
    func isOfAll(_ index: Int32) -> Bool { topics[Int(index)].name.id == TopicName.everyID }

    mutating func make(_ name: TopicName, isPassing: Bool) -> Int32 {
        let topic = Topic(name: name, isPassing: isPassing)
        let number = numbers.take()
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

    /// A resource stands for the topic from now on.
    mutating func keep(_ index: Int32) { topics[Int(index)].isPassing = false }

    /// Takes a topic's name and watchers from it. Its number is free when what was said of it is on its way.
    /// - Returns: Its name, and whether it was watched; nil where it has gone already.
    mutating func release(_ index: Int32) -> (name: TopicName, isWatched: Bool)? {
        let place = Int(index)
        guard topics.indices.contains(place), topics[place].isThere else { return nil }
        let (name, isWatched) = (topics[place].name, topics[place].subscribers.total > 0)
        topics[place] = Topic(name: TopicName(kind: name.kind, id: ""), isThere: false)
        watching[place] = VariantSet()
        localised[index] = nil
        indices[name] = nil
        released.append(index)
        return (name, isWatched)
    }

    /// Frees the numbers of topics that have gone: what was said of them is on its way.
    mutating func freeReleased() -> [Int32] {
        guard !released.isEmpty else { return [] }
        for topic in released { numbers.free(Int(topic)) }
        defer { released.removeAll(keepingCapacity: released.count < Self.smallList) }
        return released
    }

    // MARK: - Topics of events

    /// How many topics came with an event, those counted that have gone or become a resource's since.
    var passingCount: Int { passing.count }

    /// Topics that came with an event and that a selection fits.
    func passing(_ selection: TopicSelection) -> [Int32] {
        passing.filter { topics[Int($0)].isPassing && selection.matches(topics[Int($0)].name) }
    }

    /// Takes the older half of the topics that came with an event: those among them that no resource stands for.
    mutating func takeOlderPassing() -> [Int32] {
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

    /// A topic has one watcher more.
    mutating func watch(_ form: TopicForm) {
        let index = Int(form.topic)
        if topics[index].subscribers.add(form.variant) { record(form.variant, at: form.topic) }
        if topics[index].subscribers.total == 1 { watchChanges.append(TopicIndex(rawValue: form.topic)) }
    }

    /// A topic has one watcher less.
    mutating func unwatch(_ form: TopicForm) {
        let (index, topic) = (Int(form.topic), TopicIndex(rawValue: form.topic))
        if topics[index].subscribers.remove(form.variant) {
            forget(form.variant, at: form.topic)
            if topics[index].subscribers.total > 0 { variantLosses.append(topic) }
        }
        if topics[index].subscribers.total == 0 { watchChanges.append(topic) }
    }

    /// A topic is watched in one form more.
    private mutating func record(_ variant: Variant, at index: Int32) {
        guard variant.locale > 0 else { return watching[Int(index)].insert(variant) }
        localised[index, default: []].append(variant)
        watching[Int(index)].hasLocales = true
    }

    /// A topic is watched in one form less.
    private mutating func forget(_ variant: Variant, at index: Int32) {
        guard variant.locale > 0 else { return watching[Int(index)].remove(variant) }
        localised[index]?.removeAll { $0 == variant }
        guard localised[index]?.isEmpty ?? true else { return }
        localised[index] = nil
        watching[Int(index)].hasLocales = false
    }

    // MARK: - Changes

    var hasWatchChanges: Bool { !watchChanges.isEmpty }

    mutating func takeWatchChanges(most: Int) -> [TopicIndex] {
        guard watchChanges.count > most else {
            defer { watchChanges.removeAll(keepingCapacity: watchChanges.count < Self.smallList) }
            return watchChanges
        }
        let taken = Array(watchChanges.suffix(most))
        watchChanges.removeLast(most)
        return taken
    }

    mutating func takeVariantLosses() -> [TopicIndex] {
        guard !variantLosses.isEmpty else { return [] }
        defer { variantLosses.removeAll(keepingCapacity: variantLosses.count < Self.smallList) }
        return variantLosses
    }

    /// Has a topic among the changes that nobody had room for, so that it is not kept.
    mutating func recordUnwatched(_ index: Int32) {
        if topics[Int(index)].subscribers.total == 0 { watchChanges.append(TopicIndex(rawValue: index)) }
    }

    /// Has a topic that is watched among the changes again.
    mutating func renewWatch(_ topic: TopicIndex) {
        if !variants(watching: topic).isEmpty { watchChanges.append(topic) }
    }
}
