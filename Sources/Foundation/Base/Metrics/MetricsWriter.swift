// Writes a page of metrics, family by family.

/// The value of a sample.
package enum MetricValue: Hashable, Sendable {
    case whole(Int64)
    case real(Double)
    case histogram(HistogramSnapshot)
}

/// Writes metric families one after another.
package struct MetricsWriter {
    private let format: MetricsFormat
    private var text = ""

    package init(_ format: MetricsFormat) { self.format = format }

    /// Writes a family with its series.
    /// - Parameter samples: The label values and value of each series.
    package mutating func write(_ family: MetricFamily, _ samples: [(labels: [String], value: MetricValue)]) {
        let name = self.name(of: family)
        text += "# HELP \(name) \(escaped(family.help, quotes: format == .openMetrics))\n"
        text += "# TYPE \(name) \(type(of: family))\n"
        if format == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit.rawValue)\n" }
        for sample in samples {
            let labels = zip(family.labels, sample.labels).map { "\($0)=\"\(escaped($1, quotes: true))\"" }
            write(sample.value, of: family.name, labels)
        }
    }

    /// Returns the whole page.
    package consuming func finish() -> [UInt8] {
        if format == .openMetrics { text += "# EOF\n" }
        return Array(text.utf8)
    }

    private mutating func write(_ value: MetricValue, of name: String, _ labels: [String]) {
        switch value {
        case .whole(let number): write("\(number)", name, labels)
        case .real(let number): write(Self.text(of: number), name, labels)
        case .histogram(let histogram): write(histogram, name, labels)
        }
    }

    private mutating func write(_ histogram: HistogramSnapshot, _ name: String, _ labels: [String]) {
        var count: UInt64 = 0
        for (bucket, own) in histogram.counts.enumerated() {
            count &+= own
            let bound = bucket < Histogram.bounds.count ? Self.seconds(Histogram.bounds[bucket]) : "+Inf"
            write("\(count)", name + "_bucket", labels + ["le=\"\(bound)\""])
        }
        write(Self.text(of: Double(histogram.sum) / 1e9), name + "_sum", labels)
        write("\(count)", name + "_count", labels)
    }

    private mutating func write(_ value: String, _ name: String, _ labels: [String]) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels.joined(separator: ","))} \(value)\n"
    }

    // MARK: - Text

    /// Returns a family's name; in OpenMetrics without the `_total` or `_info` of its samples.
    private func name(of family: MetricFamily) -> String {
        guard format == .openMetrics else { return family.name }
        let suffix =
            switch family.type {
            case .counter: "_total"
            case .info: "_info"
            case .gauge, .histogram: ""
            }
        return String(family.name.dropLast(family.name.hasSuffix(suffix) ? suffix.count : 0))
    }

    private func type(of family: MetricFamily) -> String {
        format == .prometheus && family.type == .info ? MetricType.gauge.rawValue : family.type.rawValue
    }

    /// Writes a bound as OpenMetrics requires it, `1.0`, in both formats, so that a series has the same labels in both.
    private static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds) / 1e9)" }

    /// Whole numbers without a decimal point.
    private static func text(of number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
