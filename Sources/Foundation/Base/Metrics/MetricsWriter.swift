// A page of metrics as text, family by family.

/// One figure of a family.
package enum MetricValue: Hashable, Sendable {
    case whole(Int64)
    case real(Double)
    case histogram(HistogramSnapshot)
}

/// Writes families one after another.
package struct MetricsWriter {
    private let format: MetricsFormat
    private var text = ""

    package init(_ format: MetricsFormat) { self.format = format }

    /// Writes a family, whose series come one behind another.
    /// - Parameter samples: The values of its labels, and what they have.
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

    /// The whole page.
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

    // MARK: - Words

    /// OpenMetrics calls a family by its samples' name without what its type adds to that.
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

    /// As OpenMetrics has it, and the same in both forms, so that a series is the same one: `1.0`.
    private static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds) / 1e9)" }

    /// Whole numbers have no point.
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
