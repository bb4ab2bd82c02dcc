// Ours against cronsim and croniter, on random expressions, zones and instants.

import Testing
import Tween

@testable import Calendars

@Suite struct PeerTests {
    @Test(.enabled(if: Peers.areInstalled, "needs cronsim and croniter: make .venv/ready"))
    func `agrees with cronsim and croniter but for what is listed`() throws {
        var zones: [String: ZoneOffsets] = [:]
        for name in Self.zones {
            let zone = try #require(ZoneOffsets(named: name))
            zones[name] = zone
        }
        var source = PeerCaseSource(seed: 20_260_329)
        let cases = (0..<5_000).map { _ in source.next(zones: zones) }
        let answers = try Peers.answers(to: cases, zones: zones)
        try #require(answers.count == cases.count)
        var explained: [PeerDifference: Int] = [:]
        for (peerCase, answer) in zip(cases, answers) {
            let zone = try #require(zones[peerCase.zone])
            for (theirs, rules) in [
                (answer.cronsim, PeerDifference.ofCronsim), (answer.croniter, PeerDifference.ofCroniter),
            ] {
                guard let comparison = Self.comparison(peerCase, zone, theirs) else {
                    #expect(theirs.instants.isEmpty, "\(peerCase)")
                    continue
                }
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

    /// - Returns: nil where we refuse the expression, as one that never comes true.
    private static func comparison(
        _ peerCase: PeerCase, _ zone: ZoneOffsets, _ theirs: PeerAnswer
    ) -> PeerComparison? {
        guard let expression = try? CronExpression(parsing: peerCase.expression) else { return nil }
        let cron = ZonedCron(expression: expression, zone: zone)
        var own: [Int] = []
        var instant = Instant(nanoseconds: Int64(peerCase.start) * 1_000_000_000)
        while own.count < 5 || (own.count < 10_000 && own.last ?? 0 < theirs.instants.last ?? 0),
            let next = cron.next(after: instant)
        {
            own.append(Int(next.nanoseconds / 1_000_000_000))
            instant = next
        }
        return PeerComparison(
            fields: peerCase.expression.uppercased().split(separator: " "), expression: expression, zone: zone,
            own: own,
            theirs: theirs.instants)
    }
}
