// The streams of a hub by key, name and pattern, and what all of them together may hold.

import Base

/// How far a stream has come that does not hear all topics yet that it will.
struct Arrival {
    /// What it comes to hear.
    var selection: TopicSelection
    var place: SelectionPlace
}

/// Who listens, and to which names; how many topics all of them hear.
struct HubStreams {
    private let configuration: HubConfiguration
    private var streams: [StreamID: HubStream] = [:]
    /// Streams that can be changed.
    private var names: [StreamName: StreamID] = [:]
    private var owners = StreamOwners()
    private var patterns = PatternIndex()
    /// Where streams stand in their selections that do not hear all topics yet that they will.
    private var arrivals: [StreamID: Arrival] = [:]
    /// Topics of all streams together.
    private(set) var linkCount = 0

    init(_ configuration: HubConfiguration) {
        self.configuration = configuration
    }

    var isEmpty: Bool { streams.isEmpty }
    var all: some Collection<HubStream> { streams.values }
    var keys: some Collection<StreamID> { streams.keys }

    subscript(key: StreamID) -> HubStream? { streams[key] }
    subscript(name: StreamName) -> HubStream? { names[name].flatMap { streams[$0] } }

    mutating func insert(_ subscription: Subscription) -> HubStream {
        let stream = HubStream(subscription, of: owners.enter(subscription.owner))
        streams[subscription.key] = stream
        if let name = subscription.name { names[name] = subscription.key }
        return stream
    }

    /// Forgets a stream with what it named and heard.
    mutating func remove(_ key: StreamID) -> HubStream? {
        guard let stream = streams.removeValue(forKey: key) else { return nil }
        leavePatterns(of: stream)
        if stream.isArriving { arrivals[key] = nil }
        linkCount -= stream.topics.count
        stream.owner?.links -= stream.topics.count
        owners.leave(stream.owner)
        if let name = stream.name { names[name] = nil }
        return stream
    }

    // MARK: - Patterns

    /// Names and prefixes of all streams together.
    var patternCount: Int { patterns.count }

    /// Whether there is room for names and prefixes of a stream in place of those that it has.
    func admitsPatterns(of parts: StreamParts, for stream: HubStream) -> Bool {
        let own = stream.isIndexed ? stream.parts.patternCount : 0
        return FairShare.admits(
            parts.patternCount, beside: (stream.owner?.patterns ?? own) - own, used: patterns.count - own,
            of: configuration.maximumPatterns)
    }

    /// Has a stream be found by what it names.
    mutating func enterPatterns(of stream: HubStream) {
        patterns.insert(stream)
        stream.owner?.patterns += stream.parts.patternCount
        stream.isIndexed = true
    }

    /// Has a stream be found by other names, where it is found.
    mutating func leavePatterns(of stream: HubStream) {
        guard stream.isIndexed else { return }
        patterns.remove(stream)
        stream.owner?.patterns -= stream.parts.patternCount
        stream.isIndexed = false
    }

    func wants(_ name: TopicName) -> Bool { patterns.contains(name) }

    func forEach(wanting name: TopicName, _ body: (HubStream) -> Void) { patterns.forEach(wanting: name, body) }

    // MARK: - Topics

    /// Whether there is room for one more topic of a stream, however many it has itself.
    func admitsLink(of stream: HubStream) -> Bool {
        FairShare.admits(1, beside: stream.owner?.links ?? 0, used: linkCount, of: configuration.maximumLinks)
    }

    /// Has a stream hear a topic in a form, where there is room.
    /// - Parameter isOfAll: The topic is that of what concerns all of a kind: nobody asked for it.
    /// - Returns: Whether it hears it from now on and did not before.
    mutating func link(_ stream: HubStream, to form: TopicForm, isOfAll: Bool) -> Bool {
        guard isOfAll || stream.topicCount < configuration.maximumTopicsPerStream,
            isOfAll || admitsLink(of: stream), stream.link(to: form, isOfAll: isOfAll)
        else { return false }
        linkCount += 1
        return true
    }

    /// - Returns: Whether it heard the topic in this form.
    mutating func unlink(_ stream: HubStream, from form: TopicForm, isOfAll: Bool) -> Bool {
        guard stream.unlink(from: form, isOfAll: isOfAll) else { return false }
        linkCount -= 1
        return true
    }

    /// Has nobody hear a topic that has gone.
    mutating func unlinkAll(from topic: Int32, named name: TopicName) {
        var lost = 0
        patterns.forEach(wanting: name) { stream in
            stream.parts.forEachForm(of: name) { variant in
                if stream.unlink(from: TopicForm(topic, variant), isOfAll: name.id == TopicName.everyID) { lost += 1 }
            }
        }
        linkCount -= lost
    }

    // MARK: - Arrivals

    /// Whether a stream does not hear all topics yet that it will.
    var isSomeoneArriving: Bool { !arrivals.isEmpty }

    func arrival(of stream: HubStream) -> Arrival? { arrivals[stream.key] }

    /// - Parameter arrival: nil once the stream hears all that is there.
    mutating func setArrival(_ arrival: Arrival?, of stream: HubStream) {
        arrivals[stream.key] = arrival
        stream.isArriving = arrival != nil
    }
}
