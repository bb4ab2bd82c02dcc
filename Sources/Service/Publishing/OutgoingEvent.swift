// The name and topic of an event, and its effect on the streams that receive it.

import Base
package import Board
package import EventStream
package import Machine
import Wire

/// A named event, ready to publish.
package struct OutgoingEvent: Sendable {
    package let name: String
    package let topic: TopicName
    package private(set) var effect: Hub.EventEffect
    /// Of a notification: the resource whose action published it.
    package let origin: ResourceName?

    /// Creates an outgoing event; nil for events of the service itself, which nobody can subscribe to.
    package init?(_ content: NumberedEvent.Content) {
        switch content {
        case .one(let event):
            guard let name = EventEncoder.name(of: event), let topic = TopicName(event) else { return nil }
            self.name = name
            self.topic = topic
            if case .notification(_, _, let by) = event { origin = by } else { origin = nil }
            switch event {
            case .complete: effect = .completion
            case .removed: effect = .removal
            case .milestone, .paused, .resumed, .scheduled, .fired, .skipped, .notification, .webhook, .failed:
                effect = .none
            }
        case .completions(let resource, _):
            name = "complete"
            topic = TopicName(resource)
            origin = nil
            effect = .completion
        }
    }
}

extension OutgoingEvent {
    /// Marks the event with which a schedule has ended. One that doesn't stay is removed instead.
    mutating func mark(_ event: BoardEvent, in engine: borrowing Engine) {
        switch event {
        case .fired(let name, _, let count):
            if let schedule = engine.schedule(name), schedule.isEnded, schedule.fired == count { effect = .lastFiring }
        case .skipped(let name, _, nil):
            if engine.schedule(name)?.isEnded == true { effect = .lastFiring }
        case .complete, .milestone, .paused, .resumed, .removed, .scheduled, .skipped, .notification, .webhook, .failed:
            break
        }
    }
}

extension NumberedEvent.Content {
    /// Its JSON: encoded on demand, because most events have no subscriber at that time.
    package var payload: [UInt8] {
        switch self {
        case .one(let event): EventEncoder.payload(of: event)
        case .completions(let resource, let group): EventEncoder.payload(of: group, resource)
        }
    }
}

extension TopicName {
    /// Creates the topic of a resource.
    init(_ name: ResourceName) { self.init(kind: .resource(name.kind), id: name.id) }

    /// Creates the topic that an event is published on; nil for events of the service itself.
    fileprivate init?(_ event: BoardEvent) {
        switch event.audience {
        case .resource(let name): self.init(name)
        case .allSchedules: self = .all(.schedule)
        case .notification(let name): self.init(kind: .notification, id: name)
        case .service: return nil
        }
    }
}
