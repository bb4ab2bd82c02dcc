// Digests of replicas, compared.

import Testing
import Tween

@testable import Replication

@Suite struct DigestCouncilTests {
    private func divergence(_ digests: [UInt64: UInt64]) -> DivergenceDetector {
        var divergence = DivergenceDetector()
        for (sequence, digest) in digests.sorted(by: { $0.key < $1.key }) {
            divergence.record(sequence, StateDigest(digest))
        }
        return divergence
    }

    private func report(_ name: String, _ sequence: UInt64, _ digest: UInt64) -> ReplicaReport {
        var report = ReplicaReport(name: name)
        report.checkpoint = DigestCheckpoint(sequence: sequence, digest: digest)
        return report
    }

    @Test(
        arguments: [
            (["b": 1, "c": 1], false), (["b": 1, "c": 2], false), (["b": 2, "c": 2], true), (["b": 2, "c": 3], true),
            (["b": 2], true), (["b": 1], false), ([:], false),
        ] as [([String: UInt64], Bool)])
    func `a replica whose digest differs from most is found wrong, once`(others: [String: UInt64], isWrong: Bool) {
        var divergence = divergence([256: 1])
        let reports = others.map { report($0.key, 256, $0.value) } + [report("a", 256, 1)]
        let found = divergence.findsItselfWrong(reports, own: "a", steward: false)
        #expect(found == isWrong)
        let again = divergence.findsItselfWrong(reports, own: "a", steward: false)
        #expect(!again, "it is told once")
    }

    @Test func `of two different digests the steward's is believed`() {
        var divergence = divergence([256: 1])
        let isWrong = divergence.findsItselfWrong([report("b", 256, 2)], own: "a", steward: true)
        #expect(!isWrong)
    }

    @Test func `digests at different positions are not compared`() {
        var divergence = divergence([255: 9, 256: 1, 512: 2])
        #expect(divergence.newest == DigestCheckpoint(sequence: 512, digest: 2))
        let reports = [report("b", 1_024, 7), report("c", 255, 7), report("d", 256, 1)]
        let isWrong = divergence.findsItselfWrong(reports, own: "a", steward: false)
        #expect(!isWrong)
    }

    @Test func `replicas take turns, and agree on whose it is`() {
        let replicas = ["a", "b", "c", "d"]
        var first: [String: Int] = [:]
        for second in 0..<1_000 {
            let due = Instant(nanoseconds: Int64(second) * 1_000_000_000)
            let ranks = replicas.map { AnnouncementOrder.rank(of: $0, among: replicas, for: due) }
            #expect(ranks.sorted() == [0, 1, 2, 3])
            for (name, rank) in zip(replicas, ranks) where rank == 0 { first[name, default: 0] += 1 }
        }
        #expect(replicas.allSatisfy { (150...350).contains(first[$0] ?? 0) })
    }
}
