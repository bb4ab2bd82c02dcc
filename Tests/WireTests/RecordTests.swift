// What is stored is read back equal.

import Base
import Board
import Labels
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct RecordTests {
    private static let updates = [
        #"{"to":5}"#,
        #"{"to":"12345678901234567890.12","label":"$1,234.50 a month","duration":3.25,"easing":"cubic-bezier(0.1, 0.2, 0.3, 1.4)"}"#,
        #"{"by":0.1,"spring":{"duration":0.5,"bounce":0.3,"initialVelocity":2}}"#,
        #"{"to":3,"spring":"bouncy","clamp":"never-decrease"}"#, #"{"to":3,"clamp":"clamp"}"#,
        #"{"to":[1,"2.50",{"to":-7,"offset":0.9,"easing":"back"},0],"clamp":true}"#,
        #"{"to":4,"easing":"elastic-in-out"}"#,
        #"{"to":7,"spring":{"dampingRatio":0.5},"duration":2,"delay":1,"endDelay":1,"clamp":true}"#,
        #"{"to":9,"spring":{"mass":1,"stiffness":100,"damping":10}}"#,
        #"{"decay":{"velocity":55.5,"timeConstant":2},"decimals":1}"#,
        #"{"decay":{"velocity":55.5,"max":9},"delay":1}"#,
        #"{"to":9,"spring":{"dampingRatio":0.3},"repeat":"forever","autoreverse":true,"direction":"reverse"}"#,
        #"{"to":9,"spring":{"dampingRatio":0.3,"initialVelocity":4},"repeat":1.5,"endDelay":1}"#,
        #"{"to":1,"repeat":"forever","autoreverse":true,"rate":0.5}"#,
        #"{"to":1,"easing":"linear(0, 0.5 25% 75%, 1)","direction":"alternate-reverse","repeat":1.5}"#,
        #"{"to":1,"milestones":[0.5,"0.75"],"then":[{"ticker":"x","to":1},{"notify":"n","data":{"a":[1]}}],"ttl":60}"#,
        #"{"to":1,"format":{"locale":"de-CH","style":"currency","currency":"CHF","rounding":"half-even"},"index":1,"label":"1 of 2"}"#,
        #"{"to":1,"duration":"auto","easing":"steps(4, jump-none)"}"#,
        #"{"to":1,"prefix":"Q3: \"","suffix":" of 9","decimals":1}"#,
        #"{"label":"Live now!","to":3}"#,
    ]

    @Test(arguments: updates) func `a track in motion reads back equal`(json: String) throws {
        let start = Instant(nanoseconds: 1_700_000_000_123_456_789)
        let name = ResourceName(.ticker, "t")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: start)
        let later = start.advanced(bySeconds: 0.4)
        _ = try? engine.apply(.play(name, .rate(0.75)), at: later)
        _ = try? engine.apply(.play(name, .pause), at: later.advanced(bySeconds: 0.1))
        var queued = try UpdateDecoder.update(
            Array(#"{"by":2,"interrupt":"queue"}"#.utf8), kind: .ticker, role: .update)
        queued.interruption = .queue
        _ = try? engine.apply(.update(name, queued), at: later.advanced(bySeconds: 0.2))
        let track = try #require(engine.track(name))
        let again = try TrackRecord.track(
            name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(again.run?.motion == track.run?.motion)
        #expect(again.run?.request == track.run?.request)
        #expect(again.run?.then == track.run?.then)
        #expect(again.run?.milestones == track.run?.milestones)
        #expect(again.waiting.map(\.target) == track.waiting.map(\.target))
        #expect(again.target == track.target && again.target.scale == track.target.scale)
        #expect(again.revision == track.revision)
        #expect(again.timeToLive == track.timeToLive)
        #expect(again.history == track.history)
        #expect(again.cadence == track.cadence && again.cadence.lastUpdate != nil)
        for seconds in [0.3, 1.0, 50.0] {
            let instant = start.advanced(bySeconds: seconds)
            #expect(again.reading(at: instant) == track.reading(at: instant))
        }
    }

    @Test func `restored tracks with equal rendering share one object, others don't`() throws {
        let renderings = RenderingCache(planner: NoFormats())
        func rendering(_ kind: ResourceKind, _ json: String) throws -> Rendering {
            var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
            let name = ResourceName(kind, "x")
            let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
            _ = try engine.apply(.update(name, update), at: Instant(nanoseconds: 0))
            let track = try #require(engine.track(name))
            let again = try TrackRecord.track(name, TrackRecord.contents(of: track), renderings: renderings)
            #expect(again.rendering == track.rendering)
            return again.rendering
        }
        func isShared(_ one: Rendering, _ other: Rendering) -> Bool {
            switch (one, other) {
            case (.ticker(let one), .ticker(let other)): one === other
            case (.progress(let one), .progress(let other)): one === other
            default: false
            }
        }
        let ticker = try rendering(.ticker, #"{"to":5,"label":"Hits: 0"}"#)
        #expect(isShared(ticker, try rendering(.ticker, #"{"to":7,"label":"Hits: 0"}"#)))
        #expect(!isShared(ticker, try rendering(.ticker, #"{"to":7.5,"label":"Hits: 0"}"#)))
        #expect(!isShared(ticker, try rendering(.ticker, #"{"to":7,"label":"Hits: 0!"}"#)))
        #expect(!isShared(ticker, try rendering(.ticker, #"{"to":7,"label":"Hits: 0","format":{"grouping":false}}"#)))
        let progress = try rendering(.progress, #"{"current":5}"#)
        #expect(isShared(progress, try rendering(.progress, #"{"current":6}"#)))
        #expect(!isShared(progress, try rendering(.progress, #"{"current":6,"maximum":50}"#)))
        #expect(!isShared(progress, try rendering(.progress, #"{"current":6,"maximum":"100.00"}"#)))
        #expect(!isShared(progress, try rendering(.progress, #"{"current":6,"appearance":{"shape":"pie"}}"#)))
    }

    @Test func `a progress reads back equal, looks and all`() throws {
        let name = ResourceName(.progress, "p")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let json =
            #"{"current":3,"maximum":"7.5","label":"{current} of {maximum}","format":{"locale":"de-DE"},"appearance":{"shape":"pie","own":[1]}}"#
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .progress, role: .update)
        let start = Instant(nanoseconds: 5_000_000_000)
        _ = try engine.apply(.update(name, update), at: start)
        let track = try #require(engine.track(name))
        let again = try TrackRecord.track(
            name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
        #expect(again.rendering == track.rendering)
        #expect(again.run?.motion == track.run?.motion)
        #expect(again.pace == track.pace && again.pace.startTime != nil)
    }

    @Test func `a schedule reads back equal, paused or not`() throws {
        let json = #"{"every":"PT15M","count":5,"ifMissed":"skip","label":"in 5","do":[{"notify":"n"}]}"#
        let (_, definition) = try ScheduleDecoder.definition(Array(json.utf8), rules: NoCalendar())
        let name = ResourceName(.schedule, "s")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let start = Instant(nanoseconds: 5_000_000_000)
        _ = try engine.apply(.schedule(name, definition), at: start)
        for isPaused in [false, true] {
            if isPaused { _ = try engine.apply(.pauseSchedule(name), at: start.advanced(bySeconds: 100)) }
            let schedule = try #require(engine.schedule(name))
            let contents = ScheduleRecord.contents(of: schedule)
            #expect(try ScheduleRecord.schedule(name, contents, rules: NoCalendar()) == schedule)
        }
    }

    @Test func `an ended countdown reads back equal`() throws {
        let json = #"{"in":5,"label":"in {clock}","ended":"now","ttl":60,"do":[]}"#
        let (_, definition) = try ScheduleDecoder.definition(Array(json.utf8), rules: NoCalendar())
        let name = ResourceName(.schedule, "s")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let start = Instant(nanoseconds: 5_000_000_000)
        _ = try engine.apply(.schedule(name, definition), at: start)
        engine.advance(to: start.advanced(bySeconds: 6))
        let schedule = try #require(engine.schedule(name))
        #expect(schedule.isEnded)
        for (seconds, text) in [(6, "in 0:00"), (6.9, "in 0:00"), (7, "now"), (60, "now")] {
            let shown = ScheduleEncoder.text(of: schedule, at: start.advanced(bySeconds: seconds))
            #expect(String(decoding: shown, as: UTF8.self) == text)
        }
        let contents = ScheduleRecord.contents(of: schedule)
        #expect(try ScheduleRecord.schedule(name, contents, rules: NoCalendar()) == schedule)
    }

    /// Every hour, counted from the anchor.
    private struct Hours: CalendarRules {
        func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
            CalendarRecurrence(text: "\(text) \(zone ?? "")") { instant, anchor in
                let passed = (instant.seconds(since: anchor) / 3_600).rounded(.down)
                return anchor.advanced(bySeconds: (passed + 1) * 3_600)
            }
        }
    }

    @Test func `whitespace around a request is not stored`() throws {
        let text = #"{"ticker":"t","to":1}"#
        let spaced = Array(" \t\(text)\r".utf8)
        guard case .update(_, let line) = try BatchDecoder.command(spaced[...]) else { return #expect(Bool(false)) }
        #expect(line.source == Array(text.utf8))
        let body = Array("\n{\"to\":1} \r\n".utf8)
        #expect(try UpdateDecoder.update(body, kind: .ticker, role: .update).source == Array(#"{"to":1}"#.utf8))
        let schedule = #"{"in":1,"do":[]}"#
        let (_, definition) = try ScheduleDecoder.definition(Array("\n\(schedule)\n\n".utf8), rules: NoCalendar())
        #expect(definition.source == Array(schedule.utf8))
    }

    @Test func `a calendar rule keeps its anchor after a restart`() throws {
        let json = #"{"every":"P1M","timeZone":"Europe/Berlin","do":[{"notify":"n"}]}"#
        let (_, definition) = try ScheduleDecoder.definition(Array(json.utf8), rules: Hours())
        let name = ResourceName(.schedule, "s")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let start = Instant(nanoseconds: 5_000_000_000)
        _ = try engine.apply(.schedule(name, definition), at: start)
        engine.advance(to: start.advanced(bySeconds: 9_000))
        let schedule = try #require(engine.schedule(name))
        #expect(schedule.anchor == start && schedule.due == start.advanced(bySeconds: 10_800))
        let contents = ScheduleRecord.contents(of: schedule)
        #expect(try ScheduleRecord.schedule(name, contents, rules: Hours()) == schedule)
    }

    private static let damaged: [[UInt8]] = [
        [], Array("{}".utf8), RecordWriter.bytes { _ in }, RecordWriter.bytes { $0.member("revision", integer: 1) },
        RecordWriter.bytes {
            $0.member("revision", "x")
            $0.member("target", "1")
        },
    ]

    @Test(arguments: damaged) func `a damaged record is an error, not a track`(body: [UInt8]) {
        #expect(throws: Problem.self) {
            try TrackRecord.track(
                ResourceName(.ticker, "t"), RecordContents(body: body), renderings: RenderingCache(planner: NoFormats())
            )
        }
    }
}
