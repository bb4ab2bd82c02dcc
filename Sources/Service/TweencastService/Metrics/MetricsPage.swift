// Figures gathered for one look: some on the tick thread, whose they are, the others where the page is written.

import Base

/// What /metrics will show.
struct MetricsPage: Sendable {
    private var samples: [Metric: [(labels: [String], value: MetricValue)]] = [:]

    /// Adds a figure.
    /// - Parameter labels: The values of its labels, in the catalogue's order.
    mutating func add(_ metric: Metric, _ value: some BinaryInteger, _ labels: String...) {
        samples[metric, default: []].append((labels, .whole(Int64(clamping: value))))
    }

    mutating func add(_ metric: Metric, seconds: Double) { samples[metric, default: []].append(([], .real(seconds))) }

    mutating func add(_ metric: Metric, _ histogram: HistogramSnapshot, _ labels: [String] = []) {
        samples[metric, default: []].append((labels, .histogram(histogram)))
    }

    /// The page, in the order of the catalogue; what nobody has added is not on it.
    func text(_ format: MetricsFormat) -> [UInt8] {
        var writer = MetricsWriter(format)
        for metric in Metric.allCases {
            guard let samples = samples[metric] else { continue }
            writer.write(metric.family, samples)
        }
        return writer.finish()
    }
}
