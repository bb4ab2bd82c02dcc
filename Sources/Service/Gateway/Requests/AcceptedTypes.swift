// `Accept`: which form of an answer a client likes best (RFC 9110, 12.5.1).

import Base
import EventStream
import HTTPTransport

/// What a client takes, and how much it likes each.
struct AcceptedTypes {
    private let ranges: [MediaRange]

    init(_ request: HTTPRequest) { self.init(request.header("Accept")) }

    /// - Parameter header: nil where there is none.
    init(_ header: String?) { ranges = header?.split(separator: ",").map { MediaRange($0) } ?? [] }

    /// Whether a change is to be answered by a stream: one is named, and JSON isn't liked better.
    var prefersStream: Bool {
        let stream = max(quality(named: Self.events), quality(named: EventLines.contentType))
        return stream > 0 && stream >= quality(of: "application/json")
    }

    /// Whether a stream is to be lines of JSON: they are named, and an event stream isn't, or less so.
    var prefersLines: Bool { quality(named: EventLines.contentType) > quality(named: Self.events) }

    /// How metrics are to be written: by OpenMetrics where that is named and nothing else liked better.
    var metrics: MetricsFormat {
        let open = quality(named: "application/openmetrics-text") { [nil, "1.0.0"].contains($0.version) }
        return open > 0 && open >= quality(of: "text/plain") ? .openMetrics : .prometheus
    }

    private static let events = "text/event-stream"

    /// From 0 to 1: how much a type is liked that is named itself, not by a wildcard.
    private func quality(named type: String, where holds: (MediaRange) -> Bool = { _ in true }) -> Double {
        ranges.filter { $0.type == type && holds($0) }.map(\.quality).max() ?? 0
    }

    /// From 0 to 1, by the range that tells most of a type.
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
    /// From 0 to 1; what is no number counts as 0.
    private(set) var quality = 1.0

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { Self.trimmed($0) }
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

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
