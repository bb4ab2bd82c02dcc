// What was accepted reads back, whatever it was: two boards take the same commands, one of which is stored and read anew
// after each, and nobody can tell them apart.

import Base
import Board
import Labels
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct RestartTests {
    private static let start = Instant(nanoseconds: 1_700_000_000_123_456_789)

    private static func engine() -> Engine { Engine(configuration: Engine.Configuration(planner: NoFormats())) }

    /// All that a client can be told of a track.
    private static func answer(_ track: Track, at now: Instant) -> String {
        var json = JSONWriter()
        TrackEncoder.append(track, at: now, to: &json)
        json.raw(MotionEncoder.payload(of: track, at: now))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func text(_ contents: RecordContents) -> [String] {
        [contents.body.map { String($0, radix: 16) }.joined(separator: " ")]
            + contents.parts.sorted { $0.key < $1.key }.map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }
    }

    /// Applies a line of a batch as a request would be.
    private static func command(_ line: String) throws -> Command { try BatchDecoder.command(Array(line.utf8)[...]) }

    @Test(arguments: 0..<40) func `a board that restarts after each command is the board that never did`(seed: Int)
        throws
    {
        var random = RandomLine(seed: UInt64(seed))
        var (kept, read) = (Self.engine(), Self.engine())
        let name = seed % 3 == 0 ? ResourceName(.progress, "x") : ResourceName(.ticker, "x")
        let renderings = RenderingCache(planner: NoFormats())
        var now = Self.start
        var accepted = 0
        for _ in 0..<60 {
            now = now.advanced(bySeconds: random.pause())
            while !kept.advance(to: now) {}
            while !read.advance(to: now) {}
            let line = random.line(of: name)
            guard let command = try? random.command(line, of: name) else { continue }
            let outcome = try? kept.apply(command, at: now)
            let other = try? read.apply(command, at: now)
            #expect(other == outcome, "\(line)")
            accepted += outcome == nil ? 0 : 1
            guard let track = kept.track(name) else { continue }
            let contents = TrackRecord.contents(of: track)
            let again = try TrackRecord.track(name, contents, renderings: renderings)
            #expect(Self.text(TrackRecord.contents(of: again)) == Self.text(contents), "\(line)")
            read.restore(name, .track(again), at: now)
            for seconds in [0, 0.01, 1, 70] {
                let later = now.advanced(bySeconds: seconds)
                #expect(Self.answer(again, at: later) == Self.answer(track, at: later), "\(line)")
            }
        }
        #expect(accepted > 20)
        #expect(kept.drainEvents().map { "\($0)" } == read.drainEvents().map { "\($0)" })
    }

    @Test(arguments: [
        (#"{"ticker":"x","label":"0 coins","to":100,"duration":7}"#, "24 coins"),
        (#"{"ticker":"x","label":"0.00 coins","to":100.5,"duration":7}"#, "24.4 coins"),
        (#"{"ticker":"x","label":"0 coins","to":100,"duration":7,"decimals":2}"#, "24.29 coins"),
        (#"{"ticker":"x","label":"0 coins","to":100,"duration":7,"format":{"grouping":true}}"#, "24 coins"),
    ])
    func `a cancelled motion shows the same text after a restart`(line: String, text: String) throws {
        var engine = Self.engine()
        let name = ResourceName(.ticker, "x")
        _ = try engine.apply(try Self.command(line), at: Self.start)
        let later = Self.start.advanced(bySeconds: 1.7)
        _ = try engine.apply(.play(name, .cancel), at: later)
        let track = try #require(engine.track(name))
        #expect(String(decoding: track.reading(at: later).text, as: UTF8.self) == text)
        let again = try TrackRecord.track(
            name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(Self.answer(again, at: later) == Self.answer(track, at: later))
        #expect(again.rendering == track.rendering)
    }

    @Test func `a queued update that declines PUT's actions and crossed milestones survive a restart`() throws {
        var engine = Self.engine()
        let name = ResourceName(.ticker, "t")
        func send(_ line: String) throws -> Acceptance { try engine.apply(try Self.command(line), at: Self.start) }
        _ = try send(#"{"ticker":"t","to":10,"duration":5,"milestones":[0,2,8]}"#)
        let definition = try UpdateDecoder.update(
            Array(#"{"then":[{"notify":"n"}],"milestones":[{"at":12,"do":[{"notify":"n"}]}]}"#.utf8), kind: .ticker,
            role: .definition)
        _ = try engine.apply(.define(name, definition), at: Self.start)
        _ = try send(#"{"ticker":"a","to":1,"duration":2,"then":[{"ticker":"t","to":20,"interrupt":"queue"}]}"#)
        engine.advance(to: Self.start.advanced(bySeconds: 2))
        engine.passMilestones(slot: 0, at: Self.start.advanced(bySeconds: 2))
        let track = try #require(engine.track(name))
        #expect(track.waiting.count == 1 && track.run?.crossed == [0, 2].map { ExactDecimal($0) })
        let again = try TrackRecord.track(
            name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(again.waiting == track.waiting && again.run == track.run)
    }

    @Test func `JSON at the limit of nesting reads back from every kind of record`() throws {
        let depth = JSONDocument.Origin.request.maximumDepth
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        var engine = Self.engine()
        let (ticker, progress, schedule) = (
            ResourceName(.ticker, "t"), ResourceName(.progress, "p"), ResourceName(.schedule, "s")
        )
        let then = #"[{"notify":"n","data":\#(nested(depth - 3))}]"#
        for line in [
            #"{"ticker":"t","to":5,"duration":1000,"then":\#(then)}"#,
            #"{"ticker":"t","to":6,"interrupt":"queue","then":\#(then)}"#,
            #"{"progress":"p","current":6,"appearance":{"own":\#(nested(depth - 2))}}"#,
        ] {
            _ = try engine.apply(try Self.command(line), at: Self.start)
        }
        let (_, definition) = try ScheduleDecoder.definition(
            Array(#"{"in":5,"do":\#(then)}"#.utf8), rules: NoCalendar())
        _ = try engine.apply(.schedule(schedule, definition), at: Self.start)
        for name in [ticker, progress] {
            let track = try #require(engine.track(name))
            let again = try TrackRecord.track(
                name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
            #expect(again.run?.then == track.run?.then && again.waiting == track.waiting)
            #expect(again.rendering == track.rendering)
        }
        let made = try #require(engine.schedule(schedule))
        #expect(try ScheduleRecord.schedule(schedule, ScheduleRecord.contents(of: made), rules: NoCalendar()) == made)
        let delivery = Delivery(
            id: "d", url: "http://a", body: Array(nested(depth - 3).utf8), by: ticker, created: Self.start)
        #expect(try DeliveryRecord.delivery("d", body: DeliveryRecord.body(of: delivery)) == delivery)
    }

    /// As if each of these had been within the limits once.
    @Test(arguments: [
        #"{"to":1,"ttl":1e12,"decimals":90,"rate":-5,"delay":1e300,"duration":1e99,"repeat":1e99}"#,
        #"{"to":1,"label":"\#(String(repeating: "x", count: 5_000))","milestones":[\#((0..<500).map(String.init).joined(separator: ","))]}"#,
        #"{"to":1,"then":[{"ticker":"..","to":1},{"notify":"a b"},{"ticker":"\#(String(repeating: "y", count: 300))","to":1}]}"#,
        #"{"to":1,"then":[\#((0..<100).map { _ in #"{"notify":"n"}"# }.joined(separator: ","))]}"#,
        #"{"to":"0.0000000000000000000000000000001","spring":{"dampingRatio":0.5,"initialVelocity":1e9}}"#,
    ])
    func `a stored update beyond today's limits is read, with its values clamped`(json: String) throws {
        let request = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        }
        #expect(request?.status == 422)
        let one = try #require(ExactDecimal(parsing: "1"))
        let body = RecordWriter.bytes { record in
            record.member("revision", integer: 3)
            for name in ["target", "rest"] { record.member(name, exact: one) }
            record.member("touched", at: Instant(nanoseconds: 5))
            record.member("label", "0")
            record.list("waiting") {
                $0.object {
                    $0.member("update", raw: json.utf8)
                    $0.member("target", exact: one)
                    $0.member("animation", integer: 2)
                }
            }
        }
        let track = try TrackRecord.track(
            ResourceName(.ticker, "."), RecordContents(body: body), renderings: RenderingCache(planner: NoFormats()))
        let update = try #require(track.waiting.first?.update)
        #expect(String(decoding: update.source, as: UTF8.self) == json)
        #expect((update.decimals ?? 0) <= 20 && (update.delay ?? 0) <= TrackUpdate.maximumSeconds)
    }

    @Test func `a stored interval below the minimum is read as the minimum`() throws {
        let body = RecordWriter.bytes { record in
            record.member("definition", raw: #"{"every":0.0001,"do":[{"notify":"n"}]}"#.utf8)
            record.member("revision", integer: 1)
            for name in ["due", "anchor"] { record.member(name, at: Instant(nanoseconds: 1)) }
        }
        let schedule = try ScheduleRecord.schedule(
            ResourceName(.schedule, "s"), RecordContents(body: body), rules: NoCalendar())
        #expect(schedule.definition.plan.recurrence == .interval(Recurrence.intervals.lowerBound))
    }
}
