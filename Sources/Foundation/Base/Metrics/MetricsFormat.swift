// The two formats of a page of metrics.

/// The text format of metrics.
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
}
