// Ours against cronsim and croniter, on random expressions, zones and instants.

import Testing

@testable import RecurrenceRules

@Suite struct PeerTests {
    @Test(.enabled(if: Peers.areInstalled, "needs cronsim and croniter: make tools"))
    func `cron agrees with cronsim and croniter except for the listed differences`() throws {
        var zones: [String: ZoneOffsets] = [:]
        for name in Self.zones {
            let zone = try #require(ZoneOffsets(named: name))
            zones[name] = zone
        }
        var source = PeerCaseSource(seed: 20_260_329)
        let cases = Self.found + (0..<5_000).map { _ in source.next(zones: zones) }
        let answers = try Peers.answers(to: cases, zones: zones)
        try #require(answers.count == cases.count)
        var explained: [PeerDifference: Int] = [:]
        for (peerCase, answer) in zip(cases, answers) {
            let zone = try #require(zones[peerCase.zone])
            for (theirs, rules) in [
                (answer.cronsim, PeerDifference.ofCronsim), (answer.croniter, PeerDifference.ofCroniter),
            ] {
                let comparison = PeerComparison(peerCase, zone, theirs.instants)
                guard !comparison.agrees else { continue }
                let rule = rules.first { $0.explains(comparison) }
                #expect(rule != nil, "\(peerCase): \(comparison.own.prefix(5)), not \(theirs)")
                if let rule { explained[rule, default: 0] += 1 }
            }
        }
        for rule in PeerDifference.allCases {
            #expect(explained[rule] != nil, "\(rule) explains nothing")
        }
        #expect(PeerDifference.ofCronsim.reduce(0) { $0 + explained[$1, default: 0] } < cases.count / 50)
    }

    static let zones = [
        "UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Sao_Paulo",
        "America/Havana", "America/Santiago", "Australia/Lord_Howe", "Africa/Casablanca", "Africa/Cairo",
        "Pacific/Apia",
        "Pacific/Chatham", "Asia/Kathmandu", "Asia/Beirut", "Asia/Tehran", "Asia/Kolkata", "Antarctica/Troll",
    ]

    /// What longer runs came upon, once in ten thousand cases.
    private static let found = [
        PeerCase(expression: "35-39/6 2 * * *", zone: "Europe/Berlin", start: 1_035_682_404),
        PeerCase(expression: "*/29,27 3 3/1 * *", zone: "Pacific/Chatham", start: 1_016_264_987),
        PeerCase(expression: "43/17 1-8/2 31 4 *,5L,1/3", zone: "America/New_York", start: 1_489_175_264),
    ]
}
