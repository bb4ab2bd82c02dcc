// The options of a stream besides topics.

package import EventStream

/// The options of a stream, or of a part of one.
package struct StreamOptions: Sendable {
    /// The form of frames.
    package enum Form: Sendable {
        case json, text
        /// Lines of JSON, events included.
        case ndjson
    }

    /// Whether it receives frames, or one `motion` event for each update.
    enum Mode: CaseIterable, Sendable {
        case frames, motion
    }

    /// The lowest frame rate allowed, in frames a second.
    private static let lowestRate = 0.1

    /// The frame rates allowed, in frames a second.
    let rates: ClosedRange<Double>
    package internal(set) var form = Form.json
    var mode = Mode.frames
    var wheels: Variant.Wheels?
    var isStamped = false
    var display = Variant.Display.none
    /// The options of the whole stream, apart from its locale.
    package internal(set) var terms = StreamTerms()
    /// The reader's locale; nil for the publisher's.
    package internal(set) var locale: String?
    package internal(set) var lastEventID: String?
    /// The id from a reconnecting polyfill. It overrides `lastEventID`, which the page set for its first connection.
    package internal(set) var newerEventID: String?

    /// - Parameter tickRate: The maximum frame rate, in frames a second.
    package init(tickRate: Int) { rates = Self.lowestRate...Double(tickRate) }

    package var variant: Variant {
        Variant(text: form == .text, stamp: isStamped, motion: mode == .motion, wheels: wheels, display: display)
    }

    /// Reads a URL's parameter.
    /// - Returns: false if it is no option.
    /// - Throws: 422, naming the parameter.
    package mutating func read(parameter name: String, _ value: String) throws(Problem) -> Bool {
        guard let option = StreamOption(rawValue: name) else { return false }
        var source = StreamParameter(name: name, value: value)
        try option.read(&source, into: &self)
        return true
    }
}
