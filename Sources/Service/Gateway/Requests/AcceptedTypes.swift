// `Accept`: which form of response a client prefers (RFC 9110, 12.5.1).

import Base
import EventStream
import HTTPTransport
import Wire

/// The media types that a client accepts, with its preferences.
struct AcceptedTypes {
    private let ranges: [MediaRange]

    init(_ request: HTTPRequest) { self.init(request.header("Accept")) }

    /// - Parameter header: nil if the request has none.
    init(_ header: String?) {
        // What most clients send, and what they send for a stream.
        if let header, header == Self.any || header == Self.events {
            ranges = [MediaRange(type: header)]
        } else {
            ranges = header?.split(separator: ",").map { MediaRange($0) } ?? []
        }
    }

    /// Whether to answer a change with a stream: one is named, and JSON isn't preferred.
    var prefersStream: Bool {
        let stream = max(quality(named: Self.events), quality(named: StreamEncoding.lines.contentType))
        return stream > 0 && stream >= quality(of: "application/json")
    }

    /// Whether one of some types may be sent: a request without ranges accepts everything.
    func accepts(oneOf types: [String]) -> Bool {
        ranges.isEmpty || types.contains { quality(of: $0) > 0 }
    }

    /// The types of a stream that answers a change.
    static let ofStreams = [events, StreamEncoding.lines.contentType]

    /// Chooses a stream's form if `as` hasn't: lines of JSON, if they are named and preferred to an event stream, or plain text,
    /// if it is also preferred to anything else (`*/*`), as some libraries name it in every request.
    func choose(_ stream: inout StreamRequest) {
        guard stream.encoding == nil else { return }
        let (lines, text) = (quality(named: StreamEncoding.lines.contentType), quality(named: "text/plain"))
        if text > lines, text > quality(of: Self.events) {
            stream.encoding = TextLines.encoding
            stream.parts = stream.parts.asTexts
        } else if lines > quality(named: Self.events) {
            stream.encoding = .lines
        }
    }

    /// Whether to answer with a page: one is named, and preferred to JSON.
    var prefersPage: Bool { quality(named: "text/html") > quality(of: "application/json") }

    /// The format of metrics: OpenMetrics if it is named and nothing is preferred to it.
    var metrics: MetricsFormat {
        let open = quality(named: "application/openmetrics-text") { [nil, "1.0.0"].contains($0.version) }
        return open > 0 && open >= quality(of: "text/plain") ? .openMetrics : .prometheus
    }

    /// How to write a list of frames: as JSON, unless another form is named and preferred to it.
    var frameList: FrameList.Form {
        let isLines = quality(named: FrameList.Form.ndjson.contentType) > quality(of: FrameList.Form.json.contentType)
        return quality(named: "text/csv") > quality(of: FrameList.Form.json.contentType)
            ? .csv : isLines ? .ndjson : .json
    }

    private static let events = "text/event-stream"
    private static let any = "*/*"

    /// Returns the quality, from 0 to 1, of a type that is named itself, not by a wildcard.
    private func quality(named type: String, where holds: (MediaRange) -> Bool = { _ in true }) -> Double {
        ranges.filter { $0.type == type && holds($0) }.map(\.quality).max() ?? 0
    }

    /// Returns the quality, from 0 to 1, by the most specific range that matches a type.
    private func quality(of type: String) -> Double {
        let group = type.prefix { $0 != "/" } + "/*"
        for range in [type, String(group), "*/*"] where ranges.contains(where: { $0.type == range }) {
            return quality(named: range)
        }
        return 0
    }
}

/// One item of the header.
private struct MediaRange {
    /// In lower case, without parameters.
    let type: String
    private(set) var version: String?
    /// From 0 to 1; 0 if it is not a number.
    private(set) var quality = 1.0

    init(type: String) { self.type = type }

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map(\.trimmedBlanks)
        type = parts.first?.lowercased() ?? ""
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "version": version = String(pair[1])
            case "q": quality = Double(pair[1]).map { min(max($0, 0), 1) } ?? 0
            default: break
            }
        }
    }
}
