// What an operator may set of a machine: the same wherever the same turns are taken.

package import Base
import Board

/// Limits and plans of a machine.
package struct MachineSettings: Hashable, Sendable {
    /// About the most bytes of tickers, progress views and schedules.
    package var boardBytes = 1 << 30
    /// The most tickers and progress views together.
    package var tracks = 1_000_000
    package var schedules = 1_000_000
    /// The most actions that wait for their time.
    package var delayedActions = 100_000
    /// The most answers kept for retries.
    package var retryKeys = 100_000
    /// The most bytes of such answers, keys and overhead included.
    package var retryBytes = 64 << 20
    /// Seconds such an answer is kept.
    package var retrySeconds = 86_400.0
    /// When a webhook is tried again, and when it is given up.
    package var webhooks = RetryPlan()

    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.count(boardBytes)
        writer.count(retryKeys)
        writer.double(retrySeconds)
        writer.count(webhooks.attempts)
        writer.double(webhooks.base)
        writer.double(webhooks.longest)
        writer.count(tracks)
        writer.count(schedules)
        writer.count(delayedActions)
        writer.count(retryBytes)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        (boardBytes, retryKeys) = (try reader.count(), try reader.count())
        retrySeconds = try reader.double()
        webhooks.attempts = try reader.count()
        (webhooks.base, webhooks.longest) = (try reader.double(), try reader.double())
        (tracks, schedules) = (try reader.count(), try reader.count())
        (delayedActions, retryBytes) = (try reader.count(), try reader.count())
    }
}

extension Machine {
    /// What holds now.
    package var settings: MachineSettings {
        var settings = MachineSettings()
        settings.boardBytes = engine.configuration.maximumBytes
        settings.tracks = engine.configuration.maximumTracks
        settings.schedules = engine.configuration.maximumSchedules
        settings.delayedActions = engine.configuration.maximumDelayedActions
        (settings.retryKeys, settings.retryBytes) = (retries.capacity, retries.byteCapacity)
        settings.retrySeconds = retries.lifetime
        settings.webhooks = outbox.retries
        return settings
    }

    /// Goes by other settings from now on. What is there stays, also beyond what there may be.
    package mutating func set(_ settings: MachineSettings) {
        engine.configuration.maximumBytes = settings.boardBytes
        engine.configuration.maximumTracks = settings.tracks
        engine.configuration.maximumSchedules = settings.schedules
        engine.configuration.maximumDelayedActions = settings.delayedActions
        (retries.capacity, retries.byteCapacity) = (settings.retryKeys, settings.retryBytes)
        retries.lifetime = settings.retrySeconds
        outbox.retries = settings.webhooks
    }

    /// Whether ids of a log of events mean something here.
    package func knows(epoch: String) -> Bool {
        epoch == self.epoch || pastEpochs.contains { $0.epoch == epoch }
    }

    /// Begins a new log of events, whose numbers go on from those of the last one.
    /// - Parameter hasLost: Of the ones before, somebody was told what isn't so.
    package mutating func begin(epoch: String, hasLost: Bool = false) {
        if hasLost { pastEpochs = [] } else { pastEpochs.append(EventID(epoch: self.epoch, number: lastEvent)) }
        if pastEpochs.count > Self.maximumPastEpochs { pastEpochs.removeFirst() }
        self.epoch = epoch
        deliveries = DeliveryNames(prefix: "wh-\(epoch)", count: deliveries.count)
    }
}
