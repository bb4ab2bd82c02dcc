// A book as it is stored: rules as they were written, and how far each has come.

import Recurrences

extension ScheduleBook: Codable {
    private enum CodingKeys: String, CodingKey {
        case limit, isPaused, schedules
    }

    private struct Stored: Codable {
        var id: String
        var rule: ScheduleRule
        var action: Action
        var isPaused: Bool
        var firing: Firing
    }

    /// Reads a book.
    /// - Throws: `DecodingError` for what no book wrote, a rule that this version doesn't know included: nothing is lost in
    ///   silence.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            limit: try container.decode(Int.self, forKey: .limit),
            isPaused: try container.decode(Bool.self, forKey: .isPaused))
        for stored in try container.decode([Stored].self, forKey: .schedules) {
            do throws(ScheduleError) {
                let plan = try stored.rule.plan(by: calendar)
                place(
                    Entry(
                        id: stored.id, rule: stored.rule, action: stored.action, isPaused: stored.isPaused,
                        firing: stored.firing, plan: plan))
            } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: .schedules, in: container, debugDescription: "\(stored.id): \(error)")
            }
        }
    }

    /// Writes the book; the same book is written alike.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(limit, forKey: .limit)
        try container.encode(isPaused, forKey: .isPaused)
        let schedules = entries.map { entry in
            Stored(
                id: entry.id, rule: entry.rule, action: entry.action, isPaused: entry.isPaused, firing: entry.firing)
        }
        try container.encode(schedules, forKey: .schedules)
    }
}
