// When `tweencast watch --until-done` ends.

import TweencastClient

/// Which of the names are done. A ticker is when a motion of it has arrived, a progress when it is full. A `reset` leaves them
/// as they are: what the server has lost is not removed, and its next motion ends the command as the lost one would have.
struct WatchGoals: Sendable {
    private var open: [ClientName]

    init(_ names: [ClientName]) { open = names }

    /// Takes what has come.
    /// - Returns: How the command ends; nil while something is open.
    mutating func receive(_ item: StreamItem) -> ClientExit? {
        switch item {
        case .frame(let frame):
            if frame.topic.kind == .progress, frame.fraction == 1 { close(frame.topic) }
        case .event(let event):
            guard let topic = event.topic, open.contains(where: { $0.matches(topic) }) else { break }
            switch (event.name, event.reason) {
            case ("removed", _), ("complete", "cancelled"), ("complete", "removed"): return .failed
            case ("complete", "finished"): if isFull(event, topic) { close(topic) }
            case ("fired", _): close(topic)
            default: break
            }
        case .connected, .disconnected: break
        }
        return open.isEmpty ? .done : nil
    }

    private func isFull(_ event: StreamEvent, _ topic: Topic) -> Bool {
        topic.kind != .progress || event.frame?.fraction == 1
    }

    private mutating func close(_ topic: Topic) { open.removeAll { $0.matches(topic) } }
}

extension ClientName {
    /// Whether what is shown of a topic is shown under this name.
    func matches(_ topic: Topic) -> Bool {
        guard topics.contains(where: { $0.kind == topic.kind }) else { return false }
        return isPattern ? topic.name.hasPrefix(id.dropLast()) : topic.name == id
    }
}
