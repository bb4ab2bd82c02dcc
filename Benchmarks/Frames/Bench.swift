// Benchmarks of the frame path, as a Markdown table: nanoseconds for each frame from its motion to the bytes of its event,
// and the cost of a tick with many motions. For a profiler, `bench NAME` runs one kind of frame alone, or `crowd`,
// `streams`, or `updates` (the cost of updates without their frames).

import Board
import EventStream
import Labels
import Locales
import Tween
import Wire

@main
struct Bench {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil:
            print(
                "| frame | value, ns | and text, ns | and event, ns | allocations a frame |\n"
                    + "| --- | --- | --- | --- | --- |")
            for frame in FrameCase.all { report(frame) }
            print("\n| many | ns |\n| --- | --- |")
            reportCrowd()
            reportStreams()
            reportUpdates()
        case "crowd": reportCrowd()
        case "streams": reportStreams()
        case "updates": reportUpdates()
        case let name: for frame in FrameCase.all where frame.name == name { report(frame) }
        }
    }

    private static func reportCrowd() {
        let crowd = Crowd(FrameCase.all[0], count: 100_000)
        let tick = Stopwatch.nanoseconds(calls: 5) { crowd.tick(step: $0) }
        report("100,000 watched motions, each, a tick", tick / Double(crowd.count))
    }

    private static func reportStreams() {
        var crowded = FanOut(topics: 1, listeners: 1_000)
        report("1 topic, 1,000 listeners, each, a tick", crowded.nanosecondsPerDelivery())
        var wide = FanOut(topics: 1_000, listeners: 1)
        report("1,000 topics, 1 listener, each, a tick", wide.nanosecondsPerDelivery())
    }

    private static func reportUpdates() {
        for row in UpdateCost().rows() { report(row.name, row.nanoseconds) }
    }

    /// Few enough tracks for the L1 cache: the cost of a frame alone.
    private static func report(_ frame: FrameCase) {
        let crowd = Crowd(frame, count: 100)
        let times = [
            Stopwatch.nanoseconds(calls: 5_000) { crowd.values(step: $0) },
            Stopwatch.nanoseconds(calls: 5_000) { crowd.texts(step: $0) },
            Stopwatch.nanoseconds(calls: 5_000) { crowd.tick(step: $0) },
        ]
        let cells = times.map { "\(Int(($0 / Double(crowd.count)).rounded()))" }.joined(separator: " | ")
        let allocations = Allocations.perCall { crowd.tick(step: $0) } / Double(crowd.count)
        print("| \(frame.name) | \(cells) | \((allocations * 100).rounded() / 100) |")
    }

    private static func report(_ name: String, _ nanoseconds: Double) {
        print("| \(name) | \(Int(nanoseconds.rounded())) |")
    }
}
