// The values for one request of /metrics. The tick thread adds its own; the thread that writes the page adds the others.

import Base

/// The values that /metrics shows.
struct MetricsPage: Sendable {
    private var samples: [Metric: [(labels: [String], value: MetricValue)]] = [:]

    /// Adds a value.
    /// - Parameter labels: The values of the metric's labels, in the order of its row.
    mutating func add(_ metric: Metric, _ value: some BinaryInteger, _ labels: String...) {
        samples[metric, default: []].append((labels, .whole(Int64(clamping: value))))
    }

    mutating func add(_ metric: Metric, seconds: Double) { samples[metric, default: []].append(([], .real(seconds))) }

    mutating func add(_ metric: Metric, _ histogram: HistogramSnapshot, _ labels: [String] = []) {
        samples[metric, default: []].append((labels, .histogram(histogram)))
    }

    /// Returns the page, in the order of the table. Metrics without a value are left out.
    func text(_ format: MetricsFormat) -> [UInt8] {
        var writer = MetricsWriter(format)
        for metric in Metric.allCases {
            guard let samples = samples[metric] else { continue }
            writer.write(metric.family, samples)
        }
        return writer.finish()
    }
}
