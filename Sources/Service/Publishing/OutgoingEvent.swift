// How an event is told: by which name, on which topic, and what it does to the streams that get it.

import Base
package import Board
package import EventStream
package import Machine
import Wire

/// A named event as it goes out.
package struct OutgoingEvent: Sendable {
    package let name: String
    package let topic: TopicName
    package let effect: Hub.EventEffect
    /// Whose action it was.
    package let origin: ResourceName?

    /// - Returns: nil for what concerns no listener.
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
            default: effect = .none
            }
        case .crowd(let resource, _):
            name = "complete"
            topic = TopicName(resource)
            origin = nil
            effect = .completion
        }
    }
}

extension NumberedEvent.Content {
    /// Its JSON, written anew with each call: of most events nobody wants it.
    package var payload: [UInt8] {
        switch self {
        case .one(let event): EventEncoder.payload(of: event)
        case .crowd(let resource, let crowd): EventEncoder.payload(of: crowd, resource)
        }
    }
}

extension TopicName {
    /// The topic of a resource.
    init(_ name: ResourceName) { self.init(kind: .resource(name.kind), id: name.id) }

    /// Where an event is told; nil for what concerns no listener.
    fileprivate init?(_ event: BoardEvent) {
        switch event.audience {
        case .resource(let name): self.init(name)
        case .allSchedules: self = .all(.schedule)
        case .notification(let name): self.init(kind: .notification, id: name)
        case .service: return nil
        }
    }
}
