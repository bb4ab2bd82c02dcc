// A book's stored form: the rules as written, and the progress of each.

import RecurrenceRules
import Tween

extension ScheduleBook: Codable where Action: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, limit, isPaused, schedules
    }

    /// The format version that is written and read.
    private static var version: Int { 1 }

    private struct Stored: Codable {
        var id: String
        var rule: ScheduleRule
        var action: Action
        var isPaused: Bool
        var due: Instant
        var anchor: Instant
        var isDated: Bool
        var remaining: Double?
        var fired: Int

        init(_ entry: Entry) {
            (id, rule, action, isPaused) = (entry.id, entry.rule, entry.action, entry.isPaused)
            (due, anchor, isDated) = (entry.firing.due, entry.firing.anchor, entry.firing.isDated)
            (remaining, fired) = (entry.firing.remaining, entry.firing.fired)
        }

        /// Whether a schedule can reach this state.
        var isPossible: Bool { (remaining.map { $0 >= 0 && $0.isFinite && !isDated } ?? true) && fired >= 0 }

        func firing(by plan: FiringPlan) -> Firing {
            Firing(
                due: due, anchor: anchor, isDated: isDated, remaining: remaining, fired: fired,
                offset: plan.offset(at: due))
        }
    }

    /// Reads a book.
    ///
    /// Nothing counts as missed yet; ``skipMissed(at:)`` and ``advance(to:)`` report what was.
    /// - Throws: `DecodingError` for anything this version didn't write, so nothing is lost silently.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func refusal(_ reason: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: container.codingPath, debugDescription: reason))
        }
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version else { throw refusal("version \(version) of books isn't known here") }
        self.init(
            limit: try container.decode(Int.self, forKey: .limit),
            isPaused: try container.decode(Bool.self, forKey: .isPaused))
        for stored in try container.decode([Stored].self, forKey: .schedules) {
            guard self[stored.id] == nil, stored.isPossible else {
                throw refusal("\(stored.id) is there twice, or in a state that nothing comes to")
            }
            do throws(ScheduleError) {
                let plan = try stored.rule.plan(by: calendar)
                try put(
                    Entry(
                        id: stored.id, rule: stored.rule, action: stored.action, isPaused: stored.isPaused,
                        firing: stored.firing(by: plan), plan: plan, number: nextNumber))
            } catch {
                throw refusal("\(stored.id): \(error)")
            }
        }
    }

    /// Writes the book. Equal books are written identically.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(limit, forKey: .limit)
        try container.encode(isPaused, forKey: .isPaused)
        try container.encode(inOrder.map(Stored.init), forKey: .schedules)
    }
}
