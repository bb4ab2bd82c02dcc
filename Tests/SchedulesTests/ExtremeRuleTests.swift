// Rules and instants that no caller means: a rule is refused with a sentence, and nothing traps or takes long.

import Foundation
import Schedules
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) struct ExtremeRuleTests {
    private static let seconds: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1, 0, .leastNonzeroMagnitude, 0.009, 0.01, 3.15e7, 3.2e8, 1e300,
        .infinity,
        .nan,
    ]
    private static let dates = seconds.map { Date(timeIntervalSince1970: $0) } + [.distantPast, .distantFuture]
    private static let instants = [Int64.min, .min + 1, -1, 0, 1_780_000_000_000_000_000, .max - 1, .max].map {
        Instant(nanoseconds: $0)
    }
    private static let rules: [ScheduleRule] = {
        var rules: [ScheduleRule] = []
        for seconds in seconds {
            rules += [.every(seconds), .after(seconds)]
            rules += [.every("PT1H").starting(after: seconds), .every(seconds).starting(after: 1)]
        }
        for date in dates {
            rules += [.at(date), .every(60).until(date), .every("@daily").starting(at: date)]
            rules.append(.every(3_600).starting(at: date).skippingMissed())
        }
        for count in [Int.min, -1, 0, 1, 1_000_000_000, .max] {
            rules += [.every(60).times(count), .after(1).times(count)]
        }
        for duration in [Duration.zero, .seconds(Int64.max), .seconds(Int64.min)] {
            rules += [.every(duration), .after(duration)]
        }
        for text in ["", "PT99999999999999999999S", "P9223372036854775807Y", "PT0S", "99 99 99 99 99", "@yearly"] {
            rules.append(.every(text))
        }
        return rules
    }()

    @Test(arguments: instants) func `any rule runs at any instant, or is refused with a sentence`(now: Instant) throws {
        for rule in Self.rules {
            var book = ScheduleBook<String>(limit: 2)
            do throws(ScheduleError) {
                _ = try book.schedule(rule, "", id: "a", at: now)
            } catch {
                #expect(!error.description.isEmpty)
                continue
            }
            for other in Self.instants {
                var copy = book
                #expect(copy["a"]?.remaining(at: other) ?? 0 >= 0)
                for limit in [Int.min, -1, 0, 3] {
                    #expect(copy["a"]?.upcoming(limit, at: other).count ?? 0 <= max(0, limit))
                }
                _ = copy.pauseAll(at: other)
                _ = copy.resumeAll(at: now)
                _ = copy.skipMissed(at: other)
                _ = copy.pause("a", at: now)
                _ = copy.resume("a", at: other)
                for event in copy.advance(to: other) + copy.cancelAll() { _ = "\(event)" }
                #expect(copy.count == 0)
            }
        }
    }

    @Test func `a list of an endless rule's firings ends`() throws {
        var book = ScheduleBook<String>()
        _ = try book.schedule(.every(0.01), "", id: "a", at: Instant(nanoseconds: 0))
        #expect(book["a"]?.upcoming(.max, at: Instant(nanoseconds: 0)).count == 10_000)
    }

    @Test(arguments: [Int.min, -1, 0]) func `a book without room refuses each schedule`(limit: Int) {
        var book = ScheduleBook<String>(limit: limit)
        #expect(throws: ScheduleError.full(limit: limit)) {
            _ = try book.schedule(.after(1), "", id: "a", at: Instant(nanoseconds: 0))
        }
    }
}
