// Bodies of the playback operations.

package import Board

/// Decodes what `seek` and `rate` need; the other operations take no body.
package enum PlaybackDecoder {
    /// - Parameter verb: One of `pause`, `resume`, `cancel`, `finish`, `seek`, `rate`.
    package static func operation(_ verb: String, body: [UInt8]) throws(Problem) -> PlaybackOperation {
        guard verb == "seek" || verb == "rate" || !body.isEmpty else { return try plain(verb) }
        let document = try UpdateDecoder.document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let operation = try operation(verb, &fields)
        try fields.finish()
        return operation
    }

    static func operation(_ verb: String, _ fields: inout FieldReader) throws(Problem) -> PlaybackOperation {
        switch verb {
        case "seek":
            let fraction = try fields.number("fraction", in: 0...1)
            let seconds = try fields.number("seconds", in: 0...TrackUpdate.maximumSeconds)
            switch (fraction, seconds) {
            case (let fraction?, nil): return .seekFraction(fraction)
            case (nil, let seconds?): return .seekSeconds(seconds)
            default: throw .field(fields.pointer(to: "fraction"), "a seek needs either `fraction` or `seconds`")
            }
        case "rate":
            guard let rate = try fields.number("rate", in: 0...UpdateDecoder.maximumRate) else {
                throw .field(fields.pointer(to: "rate"), "is required")
            }
            return .rate(rate)
        default:
            return try plain(verb)
        }
    }

    private static func plain(_ verb: String) throws(Problem) -> PlaybackOperation {
        switch verb {
        case "pause": return .pause
        case "resume": return .resume
        case "cancel": return .cancel
        case "finish": return .finish
        default: throw .field("/op", "must be one of pause, resume, cancel, finish, seek, rate, delete")
        }
    }
}
