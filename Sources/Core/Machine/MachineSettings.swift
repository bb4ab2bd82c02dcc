// The limits that an operator can set for a machine; the same on all replicas.

package import Base
import Board

/// Limits and plans of a machine.
package struct MachineSettings: Hashable, Sendable {
    /// The approximate maximum bytes of tickers, progress views and schedules.
    package var boardBytes = 1 << 30
    /// The maximum number of tickers and progress views together.
    package var tracks = 1_000_000
    package var schedules = 1_000_000
    /// The maximum number of delayed actions.
    package var delayedActions = 100_000
    /// The maximum number of answers kept for retries.
    package var retryKeys = 100_000
    /// The maximum bytes of such answers, including keys and overhead.
    package var retryBytes = 64 << 20
    /// Seconds for which such an answer is kept. By default one client finds room for three a second, however long it goes on.
    package var retrySeconds = 14_400.0
    /// The maximum actions a second of those that one owner has posted; further ones are late. 0 for no limit.
    package var updateRate = 50_000
    /// When webhooks are retried and given up.
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
        writer.count(updateRate)
    }

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        (boardBytes, retryKeys) = (try reader.count(), try reader.count())
        retrySeconds = try reader.double()
        webhooks.attempts = try reader.count()
        (webhooks.base, webhooks.longest) = (try reader.double(), try reader.double())
        (tracks, schedules) = (try reader.count(), try reader.count())
        (delayedActions, retryBytes) = (try reader.count(), try reader.count())
        updateRate = try reader.count()
    }
}

extension Machine {
    /// The current settings.
    package var settings: MachineSettings {
        var settings = MachineSettings()
        settings.boardBytes = engine.configuration.maximumBytes
        settings.tracks = engine.configuration.maximumTracks
        settings.schedules = engine.configuration.maximumSchedules
        settings.delayedActions = engine.configuration.maximumDelayedActions
        (settings.retryKeys, settings.retryBytes) = (retries.capacity, retries.byteCapacity)
        settings.retrySeconds = retries.lifetime
        settings.updateRate = engine.actionRate
        settings.webhooks = outbox.retries
        return settings
    }

    /// Applies other settings. Existing resources stay, even beyond the new limits.
    package mutating func set(_ settings: MachineSettings) {
        engine.configuration.maximumBytes = settings.boardBytes
        engine.configuration.maximumTracks = settings.tracks
        engine.configuration.maximumSchedules = settings.schedules
        engine.configuration.maximumDelayedActions = settings.delayedActions
        (retries.capacity, retries.byteCapacity) = (settings.retryKeys, settings.retryBytes)
        retries.lifetime = settings.retrySeconds
        engine.setActionRate(settings.updateRate)
        outbox.retries = settings.webhooks
    }

    /// Whether this machine knows an event log.
    package func knows(epoch: String) -> Bool {
        epoch == self.epoch || pastEpochs.contains { $0.epoch == epoch }
    }

    /// Begins a new event log whose numbers continue those of the last.
    /// - Parameter hasLost: Whether clients received events of earlier logs that were lost.
    package mutating func begin(epoch: String, hasLost: Bool = false) {
        if hasLost { pastEpochs = [] } else { pastEpochs.append(EventID(epoch: self.epoch, number: lastEvent)) }
        if pastEpochs.count > Self.maximumPastEpochs { pastEpochs.removeFirst() }
        self.epoch = epoch
        deliveries = DeliveryNames(prefix: "wh-\(epoch)", count: deliveries.count)
    }
}
