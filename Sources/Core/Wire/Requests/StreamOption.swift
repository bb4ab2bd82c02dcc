// The table of a stream's options besides topics, for URLs and bodies.

import EventStream

/// An option, by its name in URLs and bodies. Bodies are read in the order of the cases.
package enum StreamOption: String, CaseIterable, Sendable {
    case form = "as"
    case mode, wheels, stamp, display
    case framesPerSecond = "fps"
    case heartbeat, once, locale, lastEventID
    case width, height, color
    /// The same, as polyfills of EventSource send it when they reconnect.
    case lastEventIDOfPolyfills = "lastEventId"

    /// Where an option is allowed.
    enum Scope {
        /// In each part of a stream, or in a stream with one part.
        case part
        case stream
        /// Only in a URL.
        case address
    }

    var scope: Scope {
        switch self {
        case .form, .mode, .wheels, .stamp, .display: .part
        case .framesPerSecond, .heartbeat, .once, .locale, .lastEventID: .stream
        case .width, .height, .color, .lastEventIDOfPolyfills: .address
        }
    }

    /// The names of options with the last event's id.
    package static let lastEventIDs = [lastEventID, .lastEventIDOfPolyfills].map(\.rawValue)

    /// Returns the options of a scope.
    static func all(of scope: Scope) -> [StreamOption] { allCases.filter { $0.scope == scope } }

    /// Reads the option into its field and checks its value.
    /// - Throws: 422, naming the parameter or field.
    func read(_ source: inout some StreamOptionSource, into options: inout StreamOptions) throws(Problem) {
        switch self {
        case .form: try source.choice(&options.form, among: source.forms)
        case .mode: try source.choice(&options.mode, among: StreamOptions.Mode.allCases)
        case .wheels: try source.wheels(&options.wheels)
        case .stamp: try source.flag(&options.isStamped)
        case .display: try source.display(&options.display)
        case .framesPerSecond: try source.rate(&options.terms.framesPerSecond, in: options.rates)
        case .heartbeat: try source.seconds(&options.terms.heartbeatSeconds, in: 1...60)
        case .once: try source.flag(&options.terms.once)
        case .locale: try source.text(&options.locale, longest: 64)
        case .lastEventID: try source.text(&options.lastEventID, longest: 256)
        case .width: try source.whole(&options.width, in: TerminalLayout.widths)
        case .height: try source.whole(&options.height, in: TerminalLayout.heights)
        case .color: try source.flag(&options.hasColor)
        case .lastEventIDOfPolyfills: try source.text(&options.newerEventID, longest: 256)
        }
    }
}

/// Reads an option by the type of its value. A missing option leaves the value unchanged.
protocol StreamOptionSource {
    /// The forms allowed.
    var forms: [StreamOptions.Form] { get }
    mutating func choice<Choice>(_ value: inout Choice, among choices: [Choice]) throws(Problem)
    mutating func flag(_ value: inout Bool) throws(Problem)
    mutating func wheels(_ value: inout Variant.Wheels?) throws(Problem)
    mutating func display(_ value: inout Variant.Display) throws(Problem)
    /// Reads a rate, in frames a second.
    mutating func rate(_ value: inout Double?, in range: ClosedRange<Double>) throws(Problem)
    mutating func seconds(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem)
    mutating func whole(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem)
    /// - Parameter longest: The maximum length in bytes. A URL has a limit of its own.
    mutating func text(_ value: inout String?, longest: Int) throws(Problem)
}
