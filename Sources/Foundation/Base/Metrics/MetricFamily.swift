// What a metric is: its name, what kind of figure it is and in which unit, and what it says.

/// What kind of figure a metric is.
package enum MetricType: String, Hashable, Sendable {
    /// It only grows; its name ends in `_total`.
    case counter
    /// It goes up and down.
    case gauge
    case histogram
    /// Always 1: its labels are what it says. Its name ends in `_info`.
    case info
}

/// What a figure counts, where its name ends with it.
package enum MetricUnit: String, Hashable, Sendable {
    case bytes, seconds
}

/// A metric, with all its series.
package struct MetricFamily: Hashable, Sendable {
    /// As Prometheus knows it.
    package var name: String
    package var type: MetricType
    package var unit: MetricUnit?
    /// One sentence.
    package var help: String
    /// The names of its labels, in the order in which their values are given.
    package var labels: [String]

    package init(_ name: String, _ type: MetricType, unit: MetricUnit?, help: String, labels: [String] = []) {
        self.name = name
        self.type = type
        self.unit = unit
        self.help = help
        self.labels = labels
    }
}
