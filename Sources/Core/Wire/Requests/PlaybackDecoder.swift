// Bodies of the playback operations.

package import Board

/// Decodes the values of `seek` and `rate`; the other operations have none.
package enum PlaybackDecoder {
    package static func operation(_ verb: PlaybackVerb, body: [UInt8]) throws(Problem) -> PlaybackOperation {
        // Operations without values need no body.
        let takesNone = verb != .seek && verb != .rate
        let document = try UpdateDecoder.document(takesNone && body.isEmpty ? Array("{}".utf8) : body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let operation = try operation(verb, &fields)
        try fields.finish()
        return operation
    }

    static func operation(_ verb: PlaybackVerb, _ fields: inout FieldReader) throws(Problem) -> PlaybackOperation {
        switch verb {
        case .pause: return .pause
        case .resume: return .resume
        case .cancel: return .cancel
        case .finish: return .finish
        case .seek: return try seek(&fields)
        case .rate:
            guard let rate = try fields.number("rate", in: UpdateDecoder.rates) else {
                throw .field(fields.pointer(to: "rate"), "is required")
            }
            return .rate(rate)
        }
    }

    private static func seek(_ fields: inout FieldReader) throws(Problem) -> PlaybackOperation {
        let fraction = try fields.number("fraction", in: 0...1)
        let seconds = try fields.number("seconds", in: 0...TrackUpdate.maximumSeconds)
        switch (fraction, seconds) {
        case (let fraction?, nil): return .seekFraction(fraction)
        case (nil, let seconds?): return .seekSeconds(seconds)
        default: throw .field(fields.pointer(to: "fraction"), "a seek needs either `fraction` or `seconds`")
        }
    }
}
