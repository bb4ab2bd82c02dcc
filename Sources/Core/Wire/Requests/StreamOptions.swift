// What was asked of a stream besides topics.

package import EventStream

/// The options of a stream, or of a part of one.
package struct StreamOptions: Sendable {
    /// What frames are sent as.
    package enum Form: Sendable {
        case json, text
        /// Lines of JSON, events included.
        case ndjson
    }

    /// Frames, or one event an update in place of them.
    enum Mode: CaseIterable, Sendable {
        case frames, motion
    }

    /// The lowest rate of frames, a second, that may be asked for.
    private static let lowestRate = 0.1

    /// The rates of frames that may be asked for, a second.
    let rates: ClosedRange<Double>
    package internal(set) var form = Form.json
    var mode = Mode.frames
    var wheels: Variant.Wheels?
    var isStamped = false
    var display = Variant.Display.none
    package internal(set) var framesPerSecond: Double?
    /// Seconds of silence before one.
    package internal(set) var heartbeat: Int?
    package internal(set) var endsAfterCompletion = false
    /// The reader's; nil: as things were posted.
    package internal(set) var locale: String?
    package internal(set) var lastEventID: String?
    /// That of a reader that has come back: the page's own stands for its first connection.
    package internal(set) var newerEventID: String?

    /// - Parameter tickRate: The most frames a second there are.
    package init(tickRate: Int) { rates = Self.lowestRate...Double(tickRate) }

    package var variant: Variant {
        Variant(text: form == .text, stamp: isStamped, motion: mode == .motion, wheels: wheels, display: display)
    }

    /// Reads a parameter of an address.
    /// - Returns: false for one that is no option.
    /// - Throws: 422, naming the parameter.
    package mutating func read(parameter name: String, _ value: String) throws(Problem) -> Bool {
        guard let option = StreamOption(rawValue: name) else { return false }
        var source = StreamParameter(name: name, value: value)
        try option.read(&source, into: &self)
        return true
    }
}
