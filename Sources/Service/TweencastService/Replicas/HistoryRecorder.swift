// Records the named events that a machine emits while it replays a log, for the hub that continues from there.

import Base
import EventStream
import Machine
import Publishing
import Replication
import Tween

/// Keeps events as a hub would have published them.
struct HistoryRecorder: EventRecording {
    private var record: EventRecord
    /// Nanoseconds by which the log's clock was set since the first event. The record goes by a clock that never was, so that
    /// each event stays as old as it is.
    private var clockShift: Int64 = 0

    init(_ configuration: HubConfiguration) { record = EventRecord(configuration) }

    mutating func record(_ outcome: Outcome, epoch: String) {
        record(outcome.events, epoch: epoch, at: outcome.instant)
    }

    mutating func record(_ events: [NumberedEvent], epoch: String, at now: Instant) {
        for event in events {
            guard let outgoing = OutgoingEvent(event.content) else { continue }
            record.append(
                event: outgoing.name, id: EventID(epoch: epoch, number: event.number), on: outgoing.topic,
                effect: outgoing.effect, payload: event.content.payload,
                at: now.nanoseconds.subtractingSaturated(clockShift))
        }
    }

    mutating func restore(_ events: [KeptEvents]) {
        for portion in events {
            // An unreadable portion leaves a gap; clients that resume inside it receive a reset.
            try? record.append(
                EventRecord.Segment(
                    epoch: portion.epoch, last: portion.last, instant: portion.instant.nanoseconds,
                    bytes: portion.bytes))
        }
    }

    mutating func shift(byNanoseconds nanoseconds: Int64) {
        clockShift = clockShift.addingSaturated(nanoseconds)
    }

    var kept: [KeptEvents] {
        record.portions.map {
            KeptEvents(
                epoch: $0.epoch, last: $0.last,
                instant: Instant(nanoseconds: $0.instant.addingSaturated(clockShift)), bytes: $0.bytes)
        }
    }
}
