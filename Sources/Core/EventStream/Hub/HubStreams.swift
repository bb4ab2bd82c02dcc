// The streams of a hub by key, name and pattern, and the limits that they share.

import Base

/// The progress of a stream that is not attached to all existing topics yet. A class, since few streams have one.
final class Arrival {
    /// The topics to attach.
    let selection: TopicSelection
    let place: SelectionPlace

    init(selection: TopicSelection, place: SelectionPlace) {
        self.selection = selection
        self.place = place
    }
}

/// Streams by key, name and pattern, and their number of topics.
struct HubStreams {
    private let configuration: HubConfiguration
    private var streams: [StreamID: HubStream] = [:]
    /// Streams that can be changed, by name.
    private var names: [StreamName: StreamID] = [:]
    private var owners = StreamOwners()
    private var patterns = PatternIndex()
    /// Streams that are not attached to all existing topics yet.
    private var arrivingCount = 0
    /// Topics of all streams together.
    private(set) var linkCount = 0
    /// How many topics, names and prefixes streams have joined and left so far: what their changes cost.
    private(set) var changeCount = 0

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

    /// Removes a stream with its patterns and topics.
    mutating func remove(_ key: StreamID) -> HubStream? {
        guard let stream = streams.removeValue(forKey: key) else { return nil }
        removePatterns(of: stream)
        setArrival(nil, of: stream)
        linkCount -= stream.topics.count
        changeCount += stream.topics.count
        stream.owner?.links -= stream.topics.count
        owners.remove(stream.owner)
        if let name = stream.name { names[name] = nil }
        return stream
    }

    // MARK: - Patterns

    /// Names and prefixes of all streams together.
    var patternCount: Int { patterns.count }

    /// Returns whether there is room for other patterns of a stream in place of its present ones.
    func admitsPatterns(of parts: StreamParts, for stream: HubStream) -> Bool {
        let own = stream.isIndexed ? stream.parts.patternCount : 0
        return FairShare.admits(
            parts.patternCount, beside: (stream.owner?.patterns ?? own) - own, used: patterns.count - own,
            of: configuration.maximumPatterns)
    }

    /// Adds a stream to the index of patterns.
    mutating func enterPatterns(of stream: HubStream) {
        patterns.insert(stream)
        changeCount += stream.parts.patternCount
        stream.owner?.patterns += stream.parts.patternCount
        stream.isIndexed = true
    }

    /// Removes a stream from the index of patterns, if it is there.
    mutating func removePatterns(of stream: HubStream) {
        guard stream.isIndexed else { return }
        patterns.remove(stream)
        changeCount += stream.parts.patternCount
        stream.owner?.patterns -= stream.parts.patternCount
        stream.isIndexed = false
    }

    func wants(_ name: TopicName) -> Bool { patterns.contains(name) }

    func forEach(wanting name: TopicName, _ body: (HubStream) -> Void) { patterns.forEach(wanting: name, body) }

    // MARK: - Topics

    /// Returns whether the shared limits allow one more topic of a stream, whatever its own limit.
    func admitsLink(of stream: HubStream) -> Bool {
        FairShare.admits(1, beside: stream.owner?.links ?? 0, used: linkCount, of: configuration.maximumLinks)
    }

    /// Attaches a stream to a topic in a form, if there is room.
    /// - Parameter isOfAll: The topic is that of all resources of a kind, which no client asks for.
    /// - Returns: Whether the form is new to the stream.
    mutating func link(_ stream: HubStream, to form: TopicForm, isOfAll: Bool) -> Bool {
        guard isOfAll || stream.topicCount < configuration.maximumTopicsPerStream,
            isOfAll || admitsLink(of: stream), stream.link(to: form, isOfAll: isOfAll)
        else { return false }
        linkCount += 1
        changeCount += 1
        return true
    }

    /// - Returns: Whether the stream was attached to the form.
    mutating func unlink(_ stream: HubStream, from form: TopicForm, isOfAll: Bool) -> Bool {
        guard stream.unlink(from: form, isOfAll: isOfAll) else { return false }
        linkCount -= 1
        changeCount += 1
        return true
    }

    /// Detaches all streams from a topic that was removed.
    mutating func unlinkAll(from topic: Int32, named name: TopicName) {
        var lost = 0
        patterns.forEach(wanting: name) { stream in
            stream.parts.forEachVariant(of: name) { variant in
                if stream.unlink(from: TopicForm(topic, variant), isOfAll: name.id == TopicName.everyID) { lost += 1 }
            }
        }
        linkCount -= lost
        changeCount += lost
    }

    // MARK: - Arrivals

    /// Whether a stream is not attached to all existing topics yet.
    var isSomeoneArriving: Bool { arrivingCount > 0 }

    /// - Parameter arrival: nil once the stream is attached to all existing topics.
    mutating func setArrival(_ arrival: Arrival?, of stream: HubStream) {
        arrivingCount += (arrival == nil ? 0 : 1) - (stream.isArriving ? 1 : 0)
        stream.arrival = arrival
    }
}
