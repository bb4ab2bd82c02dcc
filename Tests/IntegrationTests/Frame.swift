// Frames and events as the tests read them.

import Foundation
import TestSupport

/// A frame's or event's data.
struct Frame: Decodable {
    var ticker: String?
    var progress: String?
    var schedule: String?
    var notification: String?
    var value: Double?
    var fraction: Double?
    var percent: Int?
    var text: String?
    var animation: String?
    var finished: Bool?
    var reason: String?
    /// Unix nanoseconds of the tick.
    var t: Int64?
    var seq: Int64?
}

extension ServerSentEvent {
    var frame: Frame? { try? JSONDecoder().decode(Frame.self, from: Data(data.utf8)) }

    var json: [String: Any] { data.json }
}

extension EventSourceClient {
    /// Reads until a number of frames have come, however long that takes: a busy machine sends fewer a second.
    func frames(_ count: Int) throws -> [ServerSentEvent] {
        var frames = 0
        return try collect {
            frames += $0.name == "message" ? 1 : 0
            return frames == count
        }
    }
}

extension HTTPAnswer {
    var json: [String: Any] { body.json }
}

extension String {
    /// The members of the JSON object that it is; none where it is something else.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(utf8))) as? [String: Any] ?? [:]
    }
}
