// The options of a stream besides topics.

package import EventStream

/// The options of a stream, or of a part of one.
package struct StreamOptions: Sendable {
    /// The form of frames.
    package enum Form: Sendable {
        case json, text
        /// Lines of JSON, events included.
        case ndjson
        /// Lines that a terminal draws again in place.
        case terminal
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
    /// The terminal's columns and lines; nil for the usual ones.
    var width: Int?
    var height: Int?
    var hasColor = true
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
        // A terminal computes nothing.
        Variant(
            text: form == .text, stamp: isStamped, motion: mode == .motion && form != .terminal, wheels: wheels,
            display: display)
    }

    /// Returns how the stream's events are written; nil for Server-Sent Events.
    package func encoding(ofOneResource isOfOne: Bool) -> StreamEncoding? {
        switch form {
        case .json, .text: return nil
        case .ndjson: return .lines
        case .terminal:
            var size = TerminalLayout()
            size.width = width ?? size.width
            size.height = height ?? size.height
            (size.hasColor, size.showsNames) = (hasColor, !isOfOne)
            return TerminalEncoder.encoding(size)
        }
    }

    /// - Throws: 422 for the size of a terminal without one.
    package func checkSize() throws(Problem) {
        guard form != .terminal, width != nil || height != nil || !hasColor else { return }
        let name = width != nil ? "width" : height != nil ? "height" : "color"
        throw .field("?" + name, "is for terminals; add as=terminal")
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
