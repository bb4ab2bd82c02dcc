// The cost of an update without its frames: parse JSON, apply, write the record, read the record, respond.

import Base
import Board
import Tween
import Wire

/// One ticker that is retargeted repeatedly.
final class UpdateCost {
    private static let bodies = [
        #"{"to":12,"duration":1}"#, #"{"to":7.5,"label":"Temperature: 12.0F","easing":"ease-in-out","duration":0.4}"#,
        #"{"by":3,"spring":{"duration":0.5,"bounce":0.3},"clamp":true,"milestones":[1,2]}"#,
    ].map { Array($0.utf8) }

    private let name = ResourceName(.ticker, "bench")
    private var engine = Engine(configuration: Engine.Configuration(planner: LocalePlans()))
    private var updates: [TrackUpdate] = []
    private let renderings = RenderingCache(planner: LocalePlans())
    private var records: [RecordContents] = []
    private var tracks: [Track] = []

    init() {
        for body in Self.bodies {
            guard let update = try? UpdateDecoder.update(body, kind: .ticker, role: .update) else {
                preconditionFailure("a body is no update")
            }
            updates.append(update)
            _ = try? engine.apply(.update(name, update), at: Instant(nanoseconds: Int64(updates.count) * 100_000_000))
            guard let track = engine.track(name) else { preconditionFailure("an update made no track") }
            tracks.append(track)
            records.append(TrackRecord.contents(of: track))
        }
    }

    /// Returns the nanoseconds of each step, by name.
    func rows() -> [(name: String, nanoseconds: Double)] {
        [
            (
                "an update, read",
                measure { _ = try? UpdateDecoder.update(Self.bodies[$0], kind: .ticker, role: .update) }
            ),
            ("an update, applied", measure(apply)),
            ("a ticker's record, written", measure { [tracks] in _ = TrackRecord.contents(of: tracks[$0]) }),
            (
                "a ticker's record, read",
                measure { [name, records, renderings] in
                    _ = try? TrackRecord.track(name, records[$0], renderings: renderings)
                }
            ),
            ("a ticker's answer", measure(answer)),
        ]
    }

    private func measure(_ body: (Int) -> Void) -> Double {
        Stopwatch.nanoseconds(runs: 15, calls: 6_000) { body($0 % Self.bodies.count) }
    }

    private var applied: Int64 = 0

    private func apply(_ index: Int) {
        applied += 1
        _ = try? engine.apply(
            .update(name, updates[index]), at: Instant(nanoseconds: 1_000_000_000 + applied * 10_000_000))
        _ = engine.drainEvents()
    }

    private func answer(_ index: Int) {
        var json = JSONWriter(capacity: 1_024)
        TrackEncoder.append(tracks[index], at: Instant(nanoseconds: 500_000_000), to: &json)
    }
}
