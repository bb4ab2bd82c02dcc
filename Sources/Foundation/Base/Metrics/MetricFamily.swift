// Describes a metric: name, type, unit, help and labels.

/// The type of a metric.
package enum MetricType: String, Hashable, Sendable {
    /// Only grows. Its name ends in `_total`.
    case counter
    /// Goes up and down.
    case gauge
    case histogram
    /// Always 1: its labels are the information. Its name ends in `_info`.
    case info
}

/// The unit of a metric whose name ends with it.
package enum MetricUnit: String, Hashable, Sendable {
    case bytes, seconds
}

/// A metric with all its series.
package struct MetricFamily: Hashable, Sendable {
    /// The name in Prometheus.
    package var name: String
    package var type: MetricType
    package var unit: MetricUnit?
    /// One sentence.
    package var help: String
    /// Its label names, in the order of the values.
    package var labels: [String]

    package init(_ name: String, _ type: MetricType, unit: MetricUnit?, help: String, labels: [String] = []) {
        self.name = name
        self.type = type
        self.unit = unit
        self.help = help
        self.labels = labels
    }
}
