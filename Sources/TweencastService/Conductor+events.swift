// Named events: which topics they concern, and the final frame that goes before a completion.

import Board
import EventStream
import Tween
import Wire

extension Conductor {
    /// Publishes what happened on the board, in order.
    func publishEvents(at now: Instant) {
        for event in engine.takeEvents() {
            statistics.count(event)
            guard let name = EventEncoder.name(of: event) else {
                report(event)
                continue
            }
            publish(event, named: name, at: now)
            hasUnsent = true
        }
        followWatchers(at: now)
    }

    private func publish(_ event: BoardEvent, named name: String, at now: Instant) {
        switch event {
        case .complete(let resource, _, _, let reading):
            guard let topic = topic(of: resource) else { return record(event, name, topics: [topicName(resource)]) }
            appendFinalFrame(reading, of: resource, on: topic, at: now)
            record(event, name, topics: [topicName(resource)])
        case .milestone(let resource, _, _), .removed(let resource, _), .scheduled(let resource, _),
            .fired(let resource, _, _):
            record(event, name, topics: [topicName(resource)])
            if case .removed = event { detach(resource) }
        case .paused(let resource?), .resumed(let resource?):
            record(event, name, topics: [topicName(resource)])
        case .paused(nil), .resumed(nil):
            hub.publish(event: name, toAll: .schedule, payload: EventEncoder.payload(of: event))
        case .notification(let notification, _, _):
            record(event, name, topics: [TopicName(kind: .notification, id: notification)])
        case .webhook, .failed:
            break
        }
    }
}
