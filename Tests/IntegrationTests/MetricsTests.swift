// The page of metrics of a running server: what the catalogue has, in both forms, and true.

import Base
import Foundation
import TestSupport
import Testing

@testable import TweencastService

@Suite struct MetricsTests {
    /// Served by replicas alone, or by a server with `--audit`.
    private static let elsewhere: Set<Metric> = [
        .replicas, .logPosition, .logLag, .logPending, .logEntriesSent, .logFollowing, .boardReloads, .steward,
        .logClockOffset, .logClockUncertainty,
    ]

    private static let openMetrics = ["Accept: application/openmetrics-text; version=1.0.0, text/plain;q=0.5"]

    @Test func `metrics list every metric of a standalone server, and no other`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(folder: folder.path, arguments: ["--audit", folder.path + "/audit"])
        // Its histogram has no series before the first answer.
        _ = try server.client.get("/healthz")
        let answer = try server.client.get("/metrics")
        #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let types = answer.body.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .map { String($0.split(separator: " ")[2]) }
        let expected = Metric.allCases.filter { !Self.elsewhere.contains($0) }.map(\.family.name)
        #expect(types == expected)
    }

    @Test func `metrics are OpenMetrics for a client that accepts it`() throws {
        let server = try ServerProcess()
        let answer = try server.client.get("/metrics", headers: Self.openMetrics)
        #expect(answer.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(answer.body.hasSuffix("# EOF\n"))
        #expect(answer.body.contains("# TYPE tweencast_ticks counter\n"))
        #expect(answer.body.contains("\ntweencast_ticks_total "))
        #expect(answer.body.contains("# UNIT tweencast_tick_lateness_seconds seconds\n"))
        let build = #"tweencast_build_info{version="\#(ServiceConfiguration.version)",store="memory"} 1"#
        #expect(answer.body.contains(build))
    }
}
