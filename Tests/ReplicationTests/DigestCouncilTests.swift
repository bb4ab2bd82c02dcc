// Digests of replicas, compared.

import Testing
import Tween

@testable import Replication

@Suite struct DigestCouncilTests {
    private func council(_ digests: [UInt64: UInt64]) -> DigestCouncil {
        var council = DigestCouncil()
        for (sequence, digest) in digests.sorted(by: { $0.key < $1.key }) {
            council.note(sequence, StateDigest(digest))
        }
        return council
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
    func `whoever differs from most is wrong`(others: [String: UInt64], isWrong: Bool) {
        var council = council([256: 1])
        let reports = others.map { report($0.key, 256, $0.value) } + [report("a", 256, 1)]
        let found = council.findsItselfWrong(reports, own: "a", steward: false)
        #expect(found == isWrong)
        let again = council.findsItselfWrong(reports, own: "a", steward: false)
        #expect(!again, "it is told once")
    }

    @Test func `of two the steward is believed`() {
        var council = council([256: 1])
        let isWrong = council.findsItselfWrong([report("b", 256, 2)], own: "a", steward: true)
        #expect(!isWrong)
    }

    @Test func `positions that are not common say nothing`() {
        var council = council([255: 9, 256: 1, 512: 2])
        #expect(council.newest == DigestCheckpoint(sequence: 512, digest: 2))
        let reports = [report("b", 1_024, 7), report("c", 255, 7), report("d", 256, 1)]
        let isWrong = council.findsItselfWrong(reports, own: "a", steward: false)
        #expect(!isWrong)
    }

    @Test func `replicas take turns, and agree on whose it is`() {
        let replicas = ["a", "b", "c", "d"]
        var first: [String: Int] = [:]
        for second in 0..<1_000 {
            let due = Instant(nanoseconds: Int64(second) * 1_000_000_000)
            let ranks = replicas.map { Rank.rank(of: $0, among: replicas, for: due) }
            #expect(ranks.sorted() == [0, 1, 2, 3])
            for (name, rank) in zip(replicas, ranks) where rank == 0 { first[name, default: 0] += 1 }
        }
        #expect(replicas.allSatisfy { (150...350).contains(first[$0] ?? 0) })
    }
}
