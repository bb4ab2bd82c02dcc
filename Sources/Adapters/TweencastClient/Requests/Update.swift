// The body of an update, as openapi.yaml has it.

import FoundationEssentials

/// The fields that this client sends.
struct Update: Sendable {
    var to: Amount?
    var by: Amount?
    var current: Amount?
    var from: Amount?
    var maximum: RemoteProgress.Maximum?
    private var duration: Double?
    private var label: String?
    private var easing: String?

    init() {}

    mutating func face(_ duration: Duration?, label: String?, easing: String?) {
        self.duration = duration.map(Self.seconds)
        self.label = label
        self.easing = easing
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The JSON.
    var json: String {
        get throws(ClientError) {
            let encoder = JSONEncoder()
            // The same update has the same bytes in each process: the server compares those of one key.
            encoder.outputFormatting = .sortedKeys
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            } catch {
                throw .invalidRequest("a number that is infinite or none can't be sent")
            }
        }
    }
}

extension Update: Encodable {
    private enum Field: String, CodingKey {
        case to, by, current, from, maximum, duration, label, easing
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encodeIfPresent(to, forKey: .to)
        try container.encodeIfPresent(by, forKey: .by)
        try container.encodeIfPresent(current, forKey: .current)
        try container.encodeIfPresent(from, forKey: .from)
        switch maximum {
        case .known(let number): try container.encode(number, forKey: .maximum)
        case .unknown: try container.encodeNil(forKey: .maximum)
        case nil: break
        }
        try container.encodeIfPresent(duration, forKey: .duration)
        try container.encodeIfPresent(label, forKey: .label)
        try container.encodeIfPresent(easing, forKey: .easing)
    }
}
