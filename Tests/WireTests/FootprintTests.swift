// What the board's budget takes resources to weigh, against the bytes that they really have.

import Base
import Board
import CAllocations
import Foundation
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct FootprintTests {
    /// A kind of resource, and how many of it are weighed: some ten megabytes.
    private struct Load {
        let name: String
        let count: Int
        let make: @Sendable (Int) throws -> Command
    }

    private static let letters = String(repeating: "x", count: 4_090)
    private static let controls = String(repeating: "\\u0001", count: 1_300)
    private static let data = String(repeating: "d", count: 1_900)
    private static let notices = (0..<32).map { _ in "{\"notify\":\"n\",\"data\":\"\(data)\"}" }.joined(separator: ",")
    private static let stops = (0..<200).map { "\(Double($0 % 10) / 10)" }.joined(separator: ",")
    private static let nested = (0..<6).reduce("{\"notify\":\"n\"}") { inner, _ in
        "{\"ticker\":\"a\",\"to\":1,\"label\":\"1 \(data)\",\"then\":[\(inner)]}"
    }
    private static let forms = (0..<10).map { "=\($0){}" }.joined() + "other{#}"

    private static let loads: [Load] = [
        Load(name: "plain", count: 5_000) { try update("t\($0)", "{\"to\":5}") },
        Load(name: "long id", count: 5_000) {
            try update("ticker-with-a-name-of-its-own-\($0)", "{\"to\":5,\"label\":\"5 coins\"}")
        },
        Load(name: "letters", count: 800) { try update("t\($0)", "{\"to\":5,\"label\":\"1 \(letters)\"}") },
        Load(name: "controls", count: 600) { try update("t\($0)", "{\"to\":5,\"label\":\"1 \(controls)\"}") },
        Load(name: "notices", count: 60) { try update("t\($0)", "{\"to\":5,\"then\":[\(notices)]}") },
        Load(name: "stops", count: 1_600) { try update("t\($0)", "{\"to\":5,\"easing\":\"linear(\(stops))\"}") },
        Load(name: "forms", count: 240) {
            try update("t\($0)", "{\"to\":5,\"label\":\"{n, plural, \(forms)} \(data)\"}")
        },
        Load(name: "waiting", count: 1_950) {
            try update("t\($0 / 65)", "{\"to\":\($0),\"interrupt\":\"queue\",\"label\":\"1 \(data)\"}")
        },
        Load(name: "progress", count: 3_000) {
            try update("p\($0)", "{\"current\":5,\"label\":\"{value} of {maximum}\"}", .progress)
        },
        Load(name: "long progress", count: 1_000) {
            try update("p\($0)", "{\"current\":5,\"label\":\"{value} \(letters.prefix(4_000))\"}", .progress)
        },
        Load(name: "nested", count: 80) { try update("t\($0)", "{\"to\":5,\"then\":[\(nested)]}") },
        Load(name: "defaults", count: 2_000) {
            let json = "{\"label\":\"5 coins\",\"duration\":3,\"easing\":\"ease\"}"
            return .define(
                ResourceName(.ticker, "t\($0)"),
                try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .definition))
        },
        Load(name: "schedule", count: 3_000) { try schedule($0, "{\"notify\":\"n\"}") },
        Load(name: "heavy schedule", count: 60) { try schedule($0, notices) },
    ]

    private static func update(_ id: String, _ json: String, _ kind: ResourceKind = .ticker) throws -> Command {
        .update(ResourceName(kind, id), try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update))
    }

    private static func schedule(_ number: Int, _ actions: String) throws -> Command {
        let body = Array("{\"every\":5,\"do\":[\(actions)]}".utf8)
        return .schedule(
            ResourceName(.schedule, "s\(number)"), try ScheduleDecoder.definition(body, rules: NoCalendar()).definition)
    }

    /// Bytes that the process has of its allocator.
    private static var allocatedBytes: Int { Int(clamping: tweencast_allocated_bytes()) }

    @Test(arguments: Self.loads.indices)
    func `the estimated size of a resource is within 40 percent of its real memory`(index: Int) async {
        // In a process of its own: other tests take memory as well.
        await #expect(processExitsWith: .success) { [index] in
            let load = Self.loads[index]
            var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
            var before = (real: 0, estimated: 0)
            // What is made once, such as tables and the decoder's own memory, is no resource's.
            for number in 0..<load.count + load.count / 10 {
                if number == load.count / 10 { before = (Self.allocatedBytes, engine.bytes) }
                _ = try engine.apply(load.make(number), at: Instant(nanoseconds: 0))
                _ = (engine.drainEvents(), engine.drainChanges())
            }
            let real = (Self.allocatedBytes - before.real) / load.count
            let estimated = (engine.bytes - before.estimated) / load.count
            let share = Double(estimated) / Double(real)
            #expect(share > 0.6 && share < 1.4, "\(load.name): \(real) real, \(estimated) estimated")
        }
    }
}
