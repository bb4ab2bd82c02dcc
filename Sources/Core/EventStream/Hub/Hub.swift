// The publisher's side: which topics there are and who watches them, and the batch of the present tick. Owned by the
// tick thread; no lock, no clock.

package import Base

/// Topics, their watchers and what they are sent.
package final class Hub {
    struct Topic {
        var name: TopicName
        var subscribers = SubscriberCounts()
        /// It has a number.
        var isThere = true
        /// No resource stands for it: it came with an event.
        var isPassing = false
    }

    /// Names the log of events that ids belong to.
    package private(set) var epoch: String
    /// The batch that is being written.
    var batch = BatchDraft()
    /// Of those of its events that name somebody, by their places in it.
    var attributions: [Int: EventAttribution] = [:]
    let configuration: HubConfiguration
    private(set) var topics: [Topic] = []
    /// Who watches, by topic; none for numbers that are free. Apart from the topics, so that a frame looks at nothing else.
    package private(set) var watching: [VariantSet] = []
    /// In which forms and locales of readers topics are watched, in the order in which they came; none for nearly all.
    private var localised: [Int32: [Variant]] = [:]
    private var numbers = SlotNumbers()
    /// Numbers of topics that have gone, until what was said of them is on its way.
    private var released: [Int32] = []
    /// Topics that came with an event, oldest first; some may have gone or become a resource's.
    private var passing: [Int32] = []
    private var indices = SplitTable<TopicName, Int32>()
    var streams: [StreamID: HubStream] = [:]
    /// Streams that can be changed.
    var names: [StreamName: StreamID] = [:]
    var owners = StreamOwners()
    var patterns = PatternIndex()
    /// Topics of all streams together.
    package private(set) var linkCount = 0
    /// Where streams stand in their selections that do not hear all topics yet that they will.
    var arrivals: [StreamID: Arrival] = [:]
    private var watchChanges: [TopicIndex] = []
    private var variantLosses: [TopicIndex] = []
    let inboxes: [ShardInbox]
    var outgoing: [[ShardMessage]]
    /// Bytes of batches that were not sent yet.
    var sealedBytes = 0
    var history: History
    /// The newest event that `takeLogPortion` has taken.
    var loggedNumber: Int64
    /// The last number of each log of events before the present one.
    private(set) var lastNumbersOfPastEpochs: [String: Int64]
    /// What a log of events before told beyond its last number is told anew. Else it is no longer so.
    private(set) var retellsPast = true
    var lastNumber: Int64
    /// The newest event of an earlier run, by the name that a store has for it; nil where there was none.
    private var pastEventID: EventID?
    /// Nothing is sent before the next flush.
    package internal(set) var isHeld = false
    var now: Int64 = 0
    /// The tick whose frames are written.
    private var tick = FrameTimes.Tick(number: 0)
    /// Streams that came back with the id of an event, and were told all that they had missed or that it is gone.
    package internal(set) var replayCount: UInt64 = 0
    /// How often streams were told that what they missed is gone, or that what they heard may not have been.
    package internal(set) var resetCounts: [ResetReason: UInt64] = [:]

    /// - Parameter past: What earlier runs published; numbers go on from there.
    package init(
        inboxes: [ShardInbox], configuration: HubConfiguration, epoch: String, past: PastEvents = PastEvents()
    ) {
        self.inboxes = inboxes
        self.configuration = configuration
        self.epoch = epoch
        outgoing = Array(repeating: [], count: inboxes.count)
        history = History(configuration.limits)
        lastNumber = past.lastNumber
        loggedNumber = past.lastNumber
        lastNumbersOfPastEpochs = past.lastNumbers
        pastEventID = past.lastEpoch.map { EventID(epoch: $0, number: past.lastNumber) }
        for entry in past.newest { history.append(entry) }
    }

    /// Begins a new log of events, whose numbers go on from those of the last one.
    /// - Parameters:
    ///   - past: The logs before, each by the id of its last event.
    ///   - hasLost: Of those, somebody was told what isn't so. Who has heard nothing elsewhere was not.
    package func begin(epoch: String, after past: [EventID], hasLost: Bool = false) {
        follow(epoch, after: past)
        if hasLost { sendLoss(to: streams.values.filter(\.hasReturned).map(\.key)) }
    }

    /// Takes another past for what was published: all streams are told that what they heard may not have been.
    /// - Parameters:
    ///   - past: The logs before, each by the id of its last event.
    ///   - last: The newest event's number, whether or not it is kept.
    package func replacePast(by events: PastEvents, epoch: String, after past: [EventID], last: Int64) {
        follow(epoch, after: past)
        lastNumber = max(last, events.lastNumber)
        loggedNumber = lastNumber
        history.removeAll()
        for entry in events.newest { history.append(entry) }
        sendLoss(to: streamKeys)
    }

    private func follow(_ epoch: String, after past: [EventID]) {
        self.epoch = epoch
        pastEventID = nil
        lastNumbersOfPastEpochs = Dictionary(past.map { ($0.epoch, $0.number) }) { max($0, $1) }
        retellsPast = false
    }

    /// What they heard may not have been.
    private func sendLoss(to keys: [StreamID]) {
        for key in keys { tell(key, reset(.reloaded)) }
        resetCounts[.reloaded, default: 0] += UInt64(keys.count)
    }

    /// A tick begins, whose frames are written until the next one does.
    /// - Parameters:
    ///   - instant: In monotonic nanoseconds.
    ///   - follows: It goes on with what the one before showed: whoever was sent a frame of that waits for one of this.
    package func beginTick(at instant: Int64, follows: Bool) {
        tick = FrameTimes.Tick(number: tick.number &+ (follows ? 1 : 2), instant: instant)
    }

    /// The newest event's id; number 0 before the first.
    package var lastEventID: EventID { EventID(epoch: epoch, number: lastNumber) }

    /// The event behind which a stream goes on that comes now, by a name that is known after a restart as well: that of a run
    /// which has published nothing is in no store.
    var newestPlace: EventID { place(behind: lastNumber) }

    func place(behind number: Int64) -> EventID {
        pastEventID.flatMap { $0.number == number ? $0 : nil } ?? EventID(epoch: epoch, number: number)
    }

    /// Whether an id is of an event that is still to come here: another replica has told it already.
    package func isYetToCome(_ id: String) -> Bool {
        guard let id = EventID(id) else { return false }
        return id.epoch == epoch && id.number > lastNumber
    }

    /// The number of the oldest event that is kept for replay; the next event's where none is.
    package var oldestKept: Int64 { history.oldestNumber ?? lastNumber.addingSaturated(1) }

    /// Bytes of events that are kept for replay.
    package var historyBytes: Int { history.bytes }

    /// Names and prefixes of all streams together.
    package var patternCount: Int { patterns.count }

    /// Whether a stream does not hear all topics yet that it will.
    var isSomeoneArriving: Bool { !arrivals.isEmpty }

    /// How many streams there are.
    package var streamCount: Int { streams.count }

    // MARK: - Topics

    /// Whether somebody would watch a topic of this name.
    package func isWanted(_ name: TopicName) -> Bool {
        guard !streams.isEmpty else { return false }
        return indices[name] != nil || patterns.contains(name)
    }

    /// Finds or makes the topic of a resource that has something to tell; streams that asked for it are attached to it.
    package func topic(_ name: TopicName) -> TopicIndex {
        guard let index = indices[name] else { return make(name, isPassing: false) }
        topics[Int(index)].isPassing = false
        admitArriving(name, at: index)
        return TopicIndex(rawValue: index)
    }

    /// Finds or makes the topic of a resource that was there before; streams that are arriving come to it by themselves.
    package func listedTopic(_ name: TopicName) -> TopicIndex {
        guard let index = indices[name] else { return make(name, isPassing: false, isListed: true) }
        topics[Int(index)].isPassing = false
        return TopicIndex(rawValue: index)
    }

    /// Finds the topic of an event, or makes one that stays only while there are not too many of its like.
    func topicOfEvent(_ name: TopicName) -> TopicIndex {
        if let index = indices[name] {
            admitArriving(name, at: index)
            return TopicIndex(rawValue: index)
        }
        if passing.count >= configuration.maximumPassingTopics { dropPassing() }
        let topic = make(name, isPassing: true)
        passing.append(topic.rawValue)
        return topic
    }

    /// Topics that came with an event and that a selection fits.
    func passing(_ selection: TopicSelection) -> [Int32] {
        passing.filter { topics[Int($0)].isPassing && selection.matches(topics[Int($0)].name) }
    }

    /// Lets the older half of the topics go that came with an event.
    private func dropPassing() {
        for index in passing.prefix((passing.count + 1) / 2) where topics[Int(index)].isPassing {
            release(TopicIndex(rawValue: index))
        }
        passing.removeFirst((passing.count + 1) / 2)
    }

    private func make(_ name: TopicName, isPassing: Bool, isListed: Bool = false) -> TopicIndex {
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
        var isRefused = false
        patterns.forEach(wanting: name) { stream in
            if isListed, stream.isArriving { return }
            if !admit(stream, to: index) { isRefused = true }
        }
        if isRefused { recordUnwatched(TopicIndex(rawValue: index)) }
        return TopicIndex(rawValue: index)
    }

    package func index(of name: TopicName) -> TopicIndex? { indices[name].map { TopicIndex(rawValue: $0) } }

    /// Who watches: compute no frame when nobody does.
    package func variants(watching topic: TopicIndex) -> VariantSet {
        let index = Int(topic.rawValue)
        return watching.indices.contains(index) ? watching[index] : VariantSet()
    }

    /// Who watches in a locale of their own.
    package func localised(watching topic: TopicIndex) -> [Variant] {
        variants(watching: topic).hasLocales ? localised[topic.rawValue] ?? [] : []
    }

    /// Takes topics that came to be watched, or ceased to be, since they were last taken.
    /// - Parameter most: The most that are taken at a time; the rest comes with the next call.
    package func takeWatchChanges(most: Int = .max) -> [TopicIndex] {
        guard watchChanges.count > most else {
            defer { watchChanges.removeAll(keepingCapacity: watchChanges.count < Self.smallList) }
            return watchChanges
        }
        let taken = Array(watchChanges.suffix(most))
        watchChanges.removeLast(most)
        return taken
    }

    /// Whether there are changes that were not taken.
    package var hasWatchChanges: Bool { !watchChanges.isEmpty }

    /// Takes the topics that lost their last watcher in one form, but not in all, since the last call.
    package func takeVariantLosses() -> [TopicIndex] {
        guard !variantLosses.isEmpty else { return [] }
        defer { variantLosses.removeAll(keepingCapacity: variantLosses.count < Self.smallList) }
        return variantLosses
    }

    /// Lists with room for more are given back when they have been used.
    private static let smallList = 4_096

    /// Has a topic among the changes that nobody had room for, so that it is not kept.
    func recordUnwatched(_ topic: TopicIndex) {
        if topics[Int(topic.rawValue)].subscribers.total == 0 { watchChanges.append(topic) }
    }

    /// Has a topic that is watched among the changes again: its resource came after its watchers.
    package func renewWatch(_ topic: TopicIndex) {
        if !variants(watching: topic).isEmpty { watchChanges.append(topic) }
    }

    /// Lets a topic go whose resource has gone, or that nobody watches. Who asked for it hears the next of its name.
    package func release(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        guard topics.indices.contains(index), topics[index].isThere else { return }
        let name = topics[index].name
        if topics[index].subscribers.total > 0 {
            patterns.forEach(wanting: name) { stream in
                stream.parts.forEachForm(of: name) { variant in
                    guard stream.topics.remove(TopicForm(topic.rawValue, variant)) != nil else { return }
                    linkCount -= 1
                    stream.owner?.links -= 1
                    if name.id == TopicName.everyID { stream.topicsOfAll -= 1 }
                }
            }
        }
        topics[index] = Topic(name: TopicName(kind: name.kind, id: ""), isThere: false)
        watching[index] = VariantSet()
        localised[topic.rawValue] = nil
        indices[name] = nil
        released.append(topic.rawValue)
    }

    /// - Returns: Whether it hears the topic in this form from now on and did not before.
    func attach(_ stream: HubStream, to form: TopicForm) -> Bool {
        let index = form.topic
        // What concerns all of a kind has a topic of its own that nobody asked for.
        let isOfAll = topics[Int(index)].name.id == TopicName.everyID
        guard isOfAll || stream.topicCount < configuration.maximumTopicsPerStream,
            isOfAll || admitsLink(of: stream), stream.topics.insert(form).inserted
        else { return false }
        linkCount += 1
        stream.owner?.links += 1
        if isOfAll { stream.topicsOfAll += 1 }
        if topics[Int(index)].subscribers.add(form.variant) { record(form.variant, at: index) }
        if topics[Int(index)].subscribers.total == 1 { watchChanges.append(TopicIndex(rawValue: index)) }
        return true
    }

    /// Forgets a stream that has gone.
    package func unsubscribe(_ key: StreamID) {
        guard let stream = streams.removeValue(forKey: key) else { return }
        if stream.isIndexed {
            patterns.remove(stream)
            stream.owner?.patterns -= stream.parts.patternCount
        }
        if stream.isArriving { arrivals[key] = nil }
        linkCount -= stream.topics.count
        stream.owner?.links -= stream.topics.count
        owners.leave(stream.owner)
        if let name = stream.name { names[name] = nil }
        for form in stream.topics { unwatch(form) }
    }

    /// Has a stream no longer hear a topic in a form.
    func detach(_ stream: HubStream, from form: TopicForm) {
        guard stream.topics.remove(form) != nil else { return }
        linkCount -= 1
        stream.owner?.links -= 1
        if topics[Int(form.topic)].name.id == TopicName.everyID { stream.topicsOfAll -= 1 }
        unwatch(form)
    }

    private func unwatch(_ form: TopicForm) {
        let (index, topic) = (Int(form.topic), TopicIndex(rawValue: form.topic))
        if topics[index].subscribers.remove(form.variant) {
            forget(form.variant, at: form.topic)
            if topics[index].subscribers.total > 0 { variantLosses.append(topic) }
        }
        if topics[index].subscribers.total == 0 { watchChanges.append(topic) }
    }

    /// A topic is watched in one form more.
    private func record(_ variant: Variant, at index: Int32) {
        guard variant.locale > 0 else { return watching[Int(index)].insert(variant) }
        localised[index, default: []].append(variant)
        watching[Int(index)].hasLocales = true
    }

    /// A topic is watched in one form less.
    private func forget(_ variant: Variant, at index: Int32) {
        guard variant.locale > 0 else { return watching[Int(index)].remove(variant) }
        localised[index]?.removeAll { $0 == variant }
        guard localised[index]?.isEmpty ?? true else { return }
        localised[index] = nil
        watching[Int(index)].hasLocales = false
    }

    // MARK: - Batches

    /// Ends the present batch: what follows comes after it for everyone.
    func seal() {
        if let full = batch.take(
            room: configuration.batchSize, tick: tick.number, instant: tick.instant, attributions)
        {
            if !attributions.isEmpty { attributions = [:] }
            for shard in outgoing.indices { outgoing[shard].append(.batch(full)) }
            sealedBytes = sealedBytes.addingSaturated(full.bytes.count)
        }
        guard !released.isEmpty else { return }
        // What was said of them is ahead: their numbers can be others'.
        for topic in released {
            numbers.free(Int(topic))
            for shard in outgoing.indices { outgoing[shard].append(.forget(topic)) }
        }
        released.removeAll(keepingCapacity: released.count < Self.smallList)
    }

    /// Begins another batch where the present one is large enough: places in it are 32 bits wide.
    /// - Parameter size: The bytes of the present one.
    func sealIfFull(_ size: Int) {
        guard size >= configuration.batchSize else { return }
        seal()
        if sealedBytes >= configuration.burstSize { post() }
    }
}
