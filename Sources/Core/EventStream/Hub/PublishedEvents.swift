// The named events that were published, by number, and what a stream that comes back is told of them.

import Base

/// The log of events: its name, its newest number, what of it is kept, and the logs before it.
struct PublishedEvents {
    /// Names the log of events that ids belong to.
    private(set) var epoch: String
    private(set) var lastNumber: Int64
    private let configuration: HubConfiguration
    private var history: History
    /// The newest event that `takeLogPortion` has taken.
    private var loggedNumber: Int64
    /// The last number of each log of events before the present one.
    private var lastNumbersOfPastEpochs: [String: Int64]
    /// What a log of events before told beyond its last number is told anew. Else it is no longer so.
    private var retellsPast = true
    /// The newest event of an earlier run, by the name that a store has for it; nil where there was none.
    private var pastEventID: EventID?
    private var now: Int64 = 0
    /// Streams that came back with the id of an event, and were told all that they had missed or that it is gone.
    private(set) var replayCount: UInt64 = 0
    /// How often streams were told that what they missed is gone, or that what they heard may not have been.
    private(set) var resetCounts: [ResetReason: UInt64] = [:]

    /// - Parameter past: What earlier runs published; numbers go on from there.
    init(_ configuration: HubConfiguration, epoch: String, past: PastEvents) {
        self.configuration = configuration
        self.epoch = epoch
        history = History(configuration.limits)
        lastNumber = past.lastNumber
        loggedNumber = past.lastNumber
        lastNumbersOfPastEpochs = past.lastNumbers
        pastEventID = past.lastEpoch.map { EventID(epoch: $0, number: past.lastNumber) }
        for entry in past.newest { history.append(entry) }
    }

    /// Begins a new log, whose numbers go on from those of the last one.
    /// - Parameter past: The logs before, each by the id of its last event.
    mutating func begin(_ epoch: String, after past: [EventID]) {
        self.epoch = epoch
        pastEventID = nil
        lastNumbersOfPastEpochs = Dictionary(past.map { ($0.epoch, $0.number) }) { max($0, $1) }
        retellsPast = false
    }

    /// Takes another past for what was published.
    /// - Parameter last: The newest event's number, whether or not it is kept.
    mutating func replacePast(by events: PastEvents, last: Int64) {
        lastNumber = max(last, events.lastNumber)
        loggedNumber = lastNumber
        history.removeAll()
        for entry in events.newest { history.append(entry) }
    }

    /// Says what time it is: what is published from here on is kept for a stated time.
    mutating func advance(to now: Int64) { self.now = now }

    // MARK: - Numbers

    /// The newest event's id; number 0 before the first.
    var lastEventID: EventID { EventID(epoch: epoch, number: lastNumber) }

    func isYetToCome(_ id: String) -> Bool {
        guard let id = EventID(id) else { return false }
        return id.epoch == epoch && id.number > lastNumber
    }

    /// The number of the oldest event that is kept for replay; the next event's where none is.
    var oldestKept: Int64 { history.oldestNumber ?? lastNumber.addingSaturated(1) }

    /// Bytes of events that are kept for replay.
    var bytes: Int { history.bytes }

    /// The event behind which a stream goes on, by a name that is known after a restart as well: that of a run which has
    /// published nothing is in no store.
    private func place(behind number: Int64) -> EventID {
        pastEventID.flatMap { $0.number == number ? $0 : nil } ?? EventID(epoch: epoch, number: number)
    }

    /// An id of this log of events or an earlier one, as one of this. What an earlier run published and did not store has
    /// been told anew since, under numbers that are free again; where replicas lost it, whoever heard it begins anew.
    private func known(_ id: EventID) -> EventID? {
        if id.epoch == epoch { return id }
        guard let last = lastNumbersOfPastEpochs[id.epoch], id.number <= last || retellsPast else { return nil }
        return EventID(epoch: epoch, number: min(id.number, last))
    }

    // MARK: - Keeping

    /// The id of an event that is published next.
    /// - Parameter number: Its place in the log, above that of the one before.
    mutating func nextID(_ number: Int64) -> EventID {
        lastNumber = max(number, lastNumber)
        return lastEventID
    }

    /// Keeps the newest event.
    mutating func keep(_ text: EventText, on topic: TopicName, _ effect: Hub.EventEffect) {
        history.append(History.Entry(number: lastNumber, topic: topic, at: now, text: text, effect: effect))
    }

    mutating func takeLogPortion() -> EventLogChunk? {
        guard configuration.keepsLog, loggedNumber < lastNumber else { return nil }
        let portion = history.kept(after: loggedNumber)
        loggedNumber = lastNumber
        return portion.isEmpty ? nil : EventLogChunk(portion)
    }

    // MARK: - Replay

    /// Where a stream begins. Whoever comes back with an id still has to be told what came after it; where that can't be told,
    /// the place is that of the `reset` which says so.
    func place(of subscription: Subscription) -> EventID? {
        guard let text = subscription.lastEventID else {
            return place(behind: subscription.after?.number ?? lastNumber)
        }
        return EventID(text).flatMap { known($0) == nil ? nil : $0 }
    }

    /// Has a stream stand behind the last event that it heard.
    mutating func beginReplay(_ stream: HubStream, _ subscription: Subscription, _ greeting: inout [UInt8]) {
        guard let text = subscription.lastEventID else {
            stream.cursor = subscription.after?.number
            return
        }
        guard let id = EventID(text), let known = known(id) else {
            return appendReset(.unknown, to: &greeting)
        }
        replayCount += 1
        stream.cursor = known.number
    }

    /// Appends what a stream missed, until there is enough for one portion.
    mutating func replay(to stream: HubStream, _ bytes: inout [UInt8], _ rewrite: Hub.EventRewrite) {
        var missed: ArraySlice<History.Entry> = []
        if let cursor = stream.cursor {
            stream.cursor = nil
            if let kept = history.events(after: cursor, last: lastNumber) {
                missed = kept
            } else {
                appendReset(.expired, to: &bytes)
            }
        }
        // Behind a `reset`, which takes back what was told before; before what ends a stream.
        for event in stream.prelude { Chunk.append(event, to: &bytes) }
        stream.prelude = []
        let end = bytes.count + configuration.replayPortion
        for entry in missed.prefix(configuration.replayLook) {
            guard bytes.count < end else { break }
            stream.cursor = entry.number
            guard stream.selection.matches(entry.topic) else { continue }
            let reader = Hub.Reader(variant: stream.parts.variant, readable: stream.readable)
            let isRetold =
                reader.variant.locale > 0 && entry.effect == .completion
                || reader.readable != nil && entry.topic.kind == .notification
            let event = entry.text.bytes
            let rewritten = isRetold ? rewrite(event, entry.topic, reader) : nil
            Chunk.append(rewritten ?? event, to: &bytes)
            switch entry.effect {
            case .none: break
            case .completion: stream.isOver = stream.isOver || stream.once
            case .removal: stream.sawRemoval = stream.endsWithTopic
            }
        }
        if stream.cursor == lastNumber { stream.cursor = nil }
    }

    func parting(from topic: TopicName, after lastEventID: String?) -> Hub.Parting {
        guard let id = lastEventID.flatMap({ EventID($0) }).flatMap(known),
            let end = history.removal(of: topic)
        else { return .unknown }
        return end > id.number && history.events(after: id.number, last: lastNumber) != nil ? .missed : .told
    }

    // MARK: - Losses

    /// Tells so many streams that what they heard may not have been.
    mutating func loss(toldTo count: Int) -> [UInt8] {
        resetCounts[.reloaded, default: 0] += UInt64(count)
        return reset(.reloaded)
    }

    private mutating func appendReset(_ reason: ResetReason, to bytes: inout [UInt8]) {
        resetCounts[reason, default: 0] += 1
        Chunk.append(reset(reason), to: &bytes)
    }

    /// It has the id of where the stream goes on.
    private func reset(_ reason: ResetReason) -> [UInt8] {
        SSE.event("reset", id: place(behind: lastNumber), payload: "{\"reason\":\"\(reason.rawValue)\"}".utf8)
    }
}
