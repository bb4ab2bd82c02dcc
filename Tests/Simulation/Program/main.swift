// Runs simulated worlds, one for each seed, and writes their histories to standard output.
//
// simulation --seeds 17,18 [--kind store] [--duration 20] [--log info] [--day 86400]

import Foundation
import RecurrenceRules
import TweencastService

/// The arguments, by their names.
var arguments: [String: String] = [:]
let words = CommandLine.arguments.dropFirst()
for (name, value) in zip(words, words.dropFirst()) where name.hasPrefix("--") { arguments[name] = value }

let seeds = (arguments["--seeds"] ?? "1").split(separator: ",").compactMap { UInt64($0) }
let kind = Scenario.Kind(rawValue: arguments["--kind"] ?? "") ?? .store
let duration = Int64(arguments["--duration"] ?? "20") ?? 20
Log.standard.level = arguments["--log"] == "info" ? .info : .error
let history = History()
let zones = ZoneCache { ZonedCalendar() }
for seed in seeds {
    if let day = arguments["--day"].flatMap({ Int64($0) }) {
        Day(seed: seed, duration: .seconds(day), history: history, zones: zones).run()
        history.flush()
        continue
    }
    try Scenario(seed: seed, kind: kind, duration: .seconds(duration), history: history, zones: zones).run()
    history.flush()
}
