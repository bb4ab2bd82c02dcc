// A page of metrics: its text in both forms, byte for byte, and which form a client gets.

import Foundation
import Testing

@testable import Base

@Suite struct MetricsWriterTests {
    private func page(_ format: MetricsFormat) -> String {
        var writer = MetricsWriter(format)
        writer.write(
            MetricFamily("sent_bytes_total", .counter, unit: .bytes, help: #"Bytes; "all" \ of them."#, labels: ["to"]),
            [(["a\"b\\c\nd"], .whole(7)), (["e"], .real(0.5))])
        let build = MetricFamily("build_info", .info, unit: nil, help: "It.", labels: ["version"])
        writer.write(build, [(["1"], .whole(1))])
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test func `metrics are written in the Prometheus text format`() {
        #expect(
            page(.prometheus) == #"""
                # HELP sent_bytes_total Bytes; "all" \\ of them.
                # TYPE sent_bytes_total counter
                sent_bytes_total{to="a\"b\\c\nd"} 7
                sent_bytes_total{to="e"} 0.5
                # HELP build_info It.
                # TYPE build_info gauge
                build_info{version="1"} 1

                """#)
    }

    @Test func `metrics are written in the OpenMetrics format, with units and an end mark`() {
        #expect(
            page(.openMetrics) == #"""
                # HELP sent_bytes Bytes; \"all\" \\ of them.
                # TYPE sent_bytes counter
                # UNIT sent_bytes bytes
                sent_bytes_total{to="a\"b\\c\nd"} 7
                sent_bytes_total{to="e"} 0.5
                # HELP build It.
                # TYPE build info
                build_info{version="1"} 1
                # EOF

                """#)
    }

    @Test(arguments: MetricsFormat.allCases)
    func `a histogram's buckets are cumulative`(format: MetricsFormat) {
        let histogram = Histogram()
        histogram.observe(nanoseconds: 150_000, count: 2)
        histogram.observe(nanoseconds: 20_000_000_000)
        var writer = MetricsWriter(format)
        let family = MetricFamily("t_seconds", .histogram, unit: .seconds, help: "T.", labels: ["a"])
        writer.write(family, [(["b"], .histogram(histogram.snapshot))])
        let lines = String(decoding: writer.finish(), as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("t") }
        #expect(lines.count == Histogram.bounds.count + 3)
        #expect(lines.first == #"t_seconds_bucket{a="b",le="0.0001"} 0"#)
        #expect(lines[1] == #"t_seconds_bucket{a="b",le="0.0002"} 2"#)
        #expect(lines.contains(#"t_seconds_bucket{a="b",le="1.0"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{a="b",le="10.0"} 2"#))
        #expect(
            lines.suffix(3) == [
                #"t_seconds_bucket{a="b",le="+Inf"} 3"#, #"t_seconds_sum{a="b"} 20.0003"#, #"t_seconds_count{a="b"} 3"#,
            ])
    }
}
