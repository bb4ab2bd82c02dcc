// The published named events by number, and what returning streams are sent of them.

import Base

/// The log of events: its name, its newest number, the events kept, and earlier logs.
struct PublishedEvents {
    /// The name of the log that ids belong to.
    private(set) var epoch: String
    private(set) var lastNumber: Int64
    private let configuration: HubConfiguration
    private var history: History
    /// The newest event that `drainLogPortion` has returned.
    private var loggedNumber: Int64
    /// The last number of each earlier log.
    private var lastNumbersOfPastEpochs: [String: Int64]
    /// Of an earlier log that ends at this number or before, the events after its last number are lost: those of a board from
    /// before a copy of it was restored, or those that replicas lost. Of a later one they were published again.
    private var lossEnd: Int64
    /// The newest event of an earlier run, by its id in the store; nil if there was none.
    private var pastEventID: EventID?
    private var now: Int64 = 0
    /// How many streams came back with the id of a known event, an expired one included.
    private(set) var replayCount: UInt64 = 0
    /// How many `reset` events were sent, by reason.
    private(set) var resetCounts: [ResetReason: UInt64] = [:]

    /// - Parameter past: Events of earlier runs; numbers continue after them.
    init(_ configuration: HubConfiguration, epoch: String, past: PastEvents) {
        self.configuration = configuration
        self.epoch = epoch
        history = History(configuration.limits)
        lastNumber = past.lastNumber
        loggedNumber = past.lastNumber
        lastNumbersOfPastEpochs = past.lastNumbers
        lossEnd = past.copyEnd ?? .min
        pastEventID = past.lastEpoch.map { EventID(epoch: $0, number: past.lastNumber) }
        for entry in past.newest { history.append(entry) }
    }

    /// Begins a new log. Numbers continue after those of the last one.
    /// - Parameter past: The last event's id of each earlier log.
    mutating func begin(_ epoch: String, after past: [EventID]) {
        self.epoch = epoch
        pastEventID = nil
        lastNumbersOfPastEpochs = Dictionary(past.map { ($0.epoch, $0.number) }) { max($0, $1) }
        lossEnd = .max
    }

    /// Replaces the history.
    /// - Parameter last: The newest event's number, whether or not the event is kept.
    mutating func replacePast(by events: PastEvents, last: Int64) {
        lastNumber = max(last, events.lastNumber)
        loggedNumber = lastNumber
        history.removeAll()
        for entry in events.newest { history.append(entry) }
    }

    /// Sets the time, from which the retention of events counts.
    mutating func advance(to now: Int64) { self.now = now }

    // MARK: - Numbers

    /// The newest event's id; number 0 before the first.
    var lastEventID: EventID { EventID(epoch: epoch, number: lastNumber) }

    /// Whether an event may yet come under this id: it is later than the newest one, or of an epoch that is not known here,
    /// which may not have begun here.
    func isYetToCome(_ id: String) -> Bool {
        guard let id = EventID(id) else { return false }
        return id.epoch == epoch ? id.number > lastNumber : lastNumbersOfPastEpochs[id.epoch] == nil
    }

    /// The number of the oldest event kept for replay; that of the next event if none is kept.
    var oldestKept: Int64 { history.oldestNumber ?? lastNumber.addingSaturated(1) }

    /// Bytes of the events kept for replay.
    var bytes: Int { history.bytes }

    /// Returns the id after which a stream continues: that of the earlier run while this one has published nothing. A log
    /// without events is never stored, so its epoch would be unknown after a restart.
    private func place(behind number: Int64) -> EventID {
        pastEventID.flatMap { $0.number == number ? $0 : nil } ?? EventID(epoch: epoch, number: number)
    }

    /// Converts an id of this or an earlier log to this one. Events that an earlier run published but did not store have
    /// been published again under the same numbers. If they are lost, or never were, the client must start over: nil.
    private func known(_ id: EventID) -> EventID? {
        if id.epoch == epoch { return id.number <= lastNumber ? id : nil }
        guard let last = lastNumbersOfPastEpochs[id.epoch], id.number <= last || last > lossEnd else { return nil }
        return EventID(epoch: epoch, number: min(id.number, last))
    }

    // MARK: - Keeping

    /// Returns the id of the next event.
    /// - Parameter number: Its number in the log, greater than the one before.
    mutating func nextID(_ number: Int64) -> EventID {
        lastNumber = max(number, lastNumber)
        return lastEventID
    }

    /// Adds the newest event to the history.
    mutating func keep(_ text: EventText, on topic: TopicName, _ effect: Hub.EventEffect) {
        history.append(History.Entry(number: lastNumber, topic: topic, at: now, text: text, effect: effect))
    }

    mutating func drainLogPortion() -> EventLogChunk? {
        guard configuration.keepsLog, loggedNumber < lastNumber else { return nil }
        let portion = history.kept(after: loggedNumber)
        loggedNumber = lastNumber
        return portion.isEmpty ? nil : EventLogChunk(portion)
    }

    /// The kept events with their epochs, as a snapshot holds them; their instants are monotonic nanoseconds.
    var record: EventRecord {
        var epochs: [(first: Int64, epoch: String)] = []
        var first = Int64.min
        for (epoch, last) in lastNumbersOfPastEpochs.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            epochs.append((first, epoch))
            first = last.addingSaturated(1)
        }
        return EventRecord(history, epochs: epochs + [(first, epoch)])
    }

    // MARK: - Replay

    /// Returns the id after which a stream starts: the client's, if it brought one. nil if that is unknown: then the `reset`
    /// that it is sent has the place.
    func place(of subscription: Subscription) -> EventID? {
        guard let text = subscription.lastEventID else {
            return place(behind: subscription.after?.number ?? lastNumber)
        }
        return EventID(text).flatMap { known($0) == nil ? nil : $0 }
    }

    /// Sets a stream's cursor after the last event that it received.
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

    /// Appends missed events, up to the size of a portion, or to the one with which the stream ends.
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
        // After a `reset`, which withdraws earlier events; before an event that ends the stream.
        for event in stream.prelude { Chunk.append(event, to: &bytes) }
        stream.prelude = []
        let end = bytes.count + configuration.replayPortion
        for entry in missed.prefix(configuration.replayLook) {
            guard bytes.count < end else { break }
            stream.cursor = entry.number
            guard stream.selection.matches(entry.topic) else { continue }
            let reader = Hub.Reader(variant: stream.parts.variant, readable: stream.readable)
            let needsRewriting =
                reader.variant.locale > 0 && entry.effect == .completion
                || reader.readable != nil && entry.topic.kind == .notification
            let event = entry.text.bytes
            let rewritten = needsRewriting ? rewrite(event, entry.topic, reader) : nil
            Chunk.append(rewritten ?? event, to: &bytes)
            switch entry.effect {
            case .completion where stream.once || stream.goal?.isReached(by: event) == true,
                .lastFiring where stream.goal == .firing:
                stream.isOver = true
                stream.cursor = nil
                return
            case .none, .completion, .lastFiring: break
            case .removal: stream.sawRemoval = stream.endsWithTopic
            }
        }
        if stream.cursor == lastNumber { stream.cursor = nil }
    }

    func parting(from topic: TopicName, after lastEventID: String?) -> Hub.Parting {
        guard let id = lastEventID.flatMap({ EventID($0) }).flatMap(known),
            let end = history.removal(of: topic)
        else { return .unknown }
        return end > id.number && history.events(after: id.number, last: lastNumber) != nil ? .missed : .known
    }

    // MARK: - Losses

    /// Counts and returns the `reset` for streams whose events may no longer be true.
    mutating func loss(sentTo count: Int) -> [UInt8] {
        resetCounts[.reloaded, default: 0] += UInt64(count)
        return reset(.reloaded)
    }

    private mutating func appendReset(_ reason: ResetReason, to bytes: inout [UInt8]) {
        resetCounts[reason, default: 0] += 1
        Chunk.append(reset(reason), to: &bytes)
    }

    /// The event's id is where the stream continues.
    private func reset(_ reason: ResetReason) -> [UInt8] {
        SSE.event("reset", id: place(behind: lastNumber), payload: "{\"reason\":\"\(reason.rawValue)\"}".utf8)
    }
}
