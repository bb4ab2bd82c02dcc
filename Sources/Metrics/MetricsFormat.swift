// The two forms of a page of metrics, and which of them a client asks for.

/// How metrics are written.
package enum MetricsFormat: Hashable, Sendable, CaseIterable {
    /// Prometheus' text format, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// What a client asks for: OpenMetrics where it names it and likes nothing else better.
    /// - Parameter accept: The header; nil where there is none.
    package init(accept: String?) {
        var (open, plain) = (0.0, 0.0)
        for item in accept?.split(separator: ",") ?? [] {
            let range = MediaRange(item)
            switch range.type {
            case "application/openmetrics-text":
                if [nil, "1.0.0"].contains(range.version) { open = max(open, range.quality) }
            case "text/plain", "text/*", "*/*": plain = max(plain, range.quality)
            default: break
            }
        }
        self = open > 0 && open >= plain ? .openMetrics : .prometheus
    }
}

/// One item of `Accept` (RFC 9110, 12.5.1).
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
