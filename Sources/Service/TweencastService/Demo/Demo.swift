// The resources that `--demo` shows: counters, progress views and a countdown that restart each other endlessly, using only
// schedules and completions.

import Base
import Board
import Wire

/// The demo's opening requests, as any client would send them.
enum Demo {
    /// Resources with the JSON of their updates, in order.
    static let updates: [(ResourceName, String)] =
        presets.map { id, easing in (ResourceName(.ticker, "preset-\(id)"), preset(easing)) }
        + [
            (
                ResourceName(.ticker, "revenue"),
                #"{"label":"$1,204.50","to":2310.75,"decimals":2,"spring":{"duration":0.9,"bounce":0.15}}"#
            )
        ] + progressViews.map { (ResourceName(.progress, $0.id), $0.update(from: nil)) }

    static let schedules: [(ResourceName, String)] = [
        (ResourceName(.schedule, "next-sale"), #"{"every":2.5,"label":"next sale in 3 s","do":[\#(sale)]}"#),
        (ResourceName(.schedule, "next-demo"), #"{"every":12,"label":"again in 12 s","do":[\#(again)]}"#),
    ]

    private static let presets = [("linear", "linear"), ("ease-out", "easeOut"), ("ease-in", "easeIn")]

    /// Repeats forever, so that a newly opened page shows a moving number at once.
    private static func preset(_ easing: String) -> String {
        #"{"label":"0","to":100,"duration":3.5,"easing":"\#(easing)","repeat":"forever","repeatDelay":1.5}"#
    }

    private static let sale =
        #"{"ticker":"revenue","by":"137.25","spring":{"duration":0.9,"bounce":0.15}},{"notify":"sale","data":{"amount":"137.25"}}"#

    private static let again = progressViews.map {
        #"{"progress":"\#($0.id)",\#($0.update(from: 0).dropFirst())"#
    }.joined(separator: ",")

    private struct ProgressView {
        var id: String
        var current: Int
        var maximum: Int
        var seconds: Double
        var appearance: String

        func update(from start: Int?) -> String {
            let from = start.map { #""from":\#($0),"# } ?? ""
            return
                #"{\#(from)"current":\#(current),"maximum":\#(maximum),"duration":\#(seconds),"appearance":\#(appearance)}"#
        }
    }

    private static let progressViews = [
        ProgressView(
            id: "download", current: 75, maximum: 100, seconds: 2,
            appearance: #"{"shape":"bar","titleDirection":"top","legend":true}"#),
        ProgressView(
            id: "upload", current: 175, maximum: 200, seconds: 3,
            appearance: #"{"shape":"bar","titleDirection":"left"}"#),
        ProgressView(
            id: "render", current: 1175, maximum: 1500, seconds: 4,
            appearance: #"{"shape":"bar","titleDirection":"bottom","legend":true,"ends":"flat"}"#),
        ProgressView(
            id: "backup", current: 10, maximum: 80, seconds: 5,
            appearance: #"{"shape":"bar","titleDirection":"right"}"#),
        ProgressView(id: "disk", current: 62, maximum: 100, seconds: 1.5, appearance: #"{"shape":"pie"}"#),
    ]
}
