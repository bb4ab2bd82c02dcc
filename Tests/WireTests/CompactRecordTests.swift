// The compact form of records: what was written once is read by every later version, and damage is an error and no more.

import Base
import Board
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct CompactRecordTests {
    private static let start = Instant(nanoseconds: 1_700_000_000_123_456_789)

    /// Records as they were written once.
    private static func golden(_ kind: String) throws -> [VectorCase] { try VectorCase.all(kind, in: "records.json") }

    private static func bytes(hex: String) -> [UInt8] {
        let digits = Array(hex.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func text(_ case: VectorCase, _ name: String) throws -> String {
        guard case .text(let text) = `case`.input[name] else { throw Missing(name: name) }
        return text
    }

    private struct Missing: Error { let name: String }

    /// What a record of a kind says, as the bytes that are written of it today.
    private static func read(_ kind: String, _ body: [UInt8]) throws(Problem) -> [UInt8] {
        let contents = RecordContents(body: body)
        let renderings = RenderingCache(planner: NoFormats())
        switch kind {
        case "schedule":
            return ScheduleRecord.contents(
                of: try ScheduleRecord.schedule(ResourceName(.schedule, "x"), contents, rules: NoCalendar())
            ).body
        case "delivery": return DeliveryRecord.body(of: try DeliveryRecord.delivery("x", body: body))
        case "progress":
            return TrackRecord.contents(
                of: try TrackRecord.track(ResourceName(.progress, "x"), contents, renderings: renderings)
            ).body
        default:
            return TrackRecord.contents(
                of: try TrackRecord.track(ResourceName(.ticker, "x"), contents, renderings: renderings)
            ).body
        }
    }

    @Test(arguments: ["ticker", "progress", "schedule", "delivery"])
    func `records are read as they were written, and written the same again`(kind: String) throws {
        for record in try Self.golden(kind) {
            let written = try Self.bytes(hex: Self.text(record, "bytes"))
            // Formats differ in the name of a placeholder, which only one of these has.
            let today = try? Self.bytes(hex: Self.text(record, "today"))
            let expected = today ?? [RecordWriter.version] + written.dropFirst()
            #expect(Self.hex(try Self.read(kind, written)) == Self.hex(expected), "\(record.id)")
        }
    }

    @Test func `the keys of field names in records never change`() throws {
        let record = try #require(try Self.golden("keys").first)
        guard case .list(let list) = record.input["names"] else { throw Missing(name: "names") }
        let names = list.compactMap { name -> String? in if case .text(let text) = name { text } else { nil } }
        #expect(names.count > 90 && Array(RecordKey.names.prefix(names.count)) == names)
        #expect(RecordKey.names.count <= RecordKey.mostNames)
        #expect(Set(RecordKey.names).count == RecordKey.names.count)
        for (index, name) in RecordKey.names.enumerated() {
            #expect(RecordKey.key(of: name) == UInt8(index + 1) && RecordKey.name(of: UInt8(index + 1)) == name)
        }
        for name in ["", "x", "delays", "\u{212A}ind"] { #expect(RecordKey.key(of: name) == nil) }
    }

    // MARK: - Values

    @Test(arguments: [
        0, 1, 15, 16, -1, 0.5, 0.1, 0.3, -12.001, 1e-7, 123_456.789, 9_007_199_254_740_992, 1e300, -1e300, -0.0,
        .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, 9_007_199_254_740.992, -9_007_199_254_740.991,
        4_503_599_627_370.5,
    ])
    func `a double in a record reads back to its last bit`(value: Double) throws {
        var fields = try Self.fields { $0.member("delay", value) }
        #expect(try fields.number("delay")?.bitPattern == value.bitPattern)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func `an infinite or NaN value is written to a record as null`(value: Double) throws {
        var fields = try Self.fields { $0.member("delay", value) }
        guard case .null? = fields.read("delay")?.content else { return #expect(Bool(false)) }
    }

    @Test(arguments: [
        "0", "0.00", "-12.50", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001",
    ])
    func `a decimal reads back with its digits`(text: String) throws {
        let value = try #require(ExactDecimal(parsing: text))
        var fields = try Self.fields {
            $0.member("target", exact: value)
            $0.list("milestones") { $0.exact(value) }
        }
        let target = try fields.decimal("target")
        #expect(target?.description == text)
        guard case .array(let list)? = fields.read("milestones")?.content else { return #expect(Bool(false)) }
        for element in list { #expect(try fields.decimal(element, named: "milestones").description == text) }
        #expect(list.count == 1)
    }

    @Test func `members of every type in a record read back equal`() throws {
        let instants = [Int64.max, .min, 0, 5, 1_700_000_000_000_000_000, 1_700_000_000_000_000_001]
        let long = String(repeating: "é", count: 100)
        var fields = try Self.fields { record in
            record.member("label", long)
            record.member("prefix", "")
            record.member("nobody has this name", String(repeating: "x", count: 127))
            record.member("dated", true)
            record.member("paused", false)
            record.member("sequence", 9_007_199_254_740_991)
            for (name, instant) in zip(RecordKey.names.suffix(6), instants) {
                record.member(name, at: Instant(nanoseconds: instant))
            }
            record.member("revision", integer: .min)
            record.member("body", raw: Array(" {\"a\":[1]} ".utf8))
            record.member("run") { $0.list("pace") { $0.object { $0.member("to", 1) } } }
        }
        #expect(try fields.string("label") == long && fields.string("prefix") == "")
        #expect(try fields.string("nobody has this name")?.utf8.count == 127)
        #expect(try fields.bool("dated") == true && fields.bool("paused") == false)
        #expect(try fields.number("sequence") == 9_007_199_254_740_991)
        for (name, instant) in zip(RecordKey.names.suffix(6), instants) {
            #expect(try fields.instant(name).nanoseconds == instant)
        }
        #expect(try fields.integer64("revision") == .min)
        let taken = (fields.read("body"), fields.read("run"))
        let body = try #require(taken.0)
        #expect(try fields.source(of: body, "body") == Array("{\"a\":[1]}".utf8))
        let run = try #require(taken.1)
        #expect(throws: Problem.self) { try fields.source(of: run, "run") }
        try fields.finish()
    }

    private static func fields(_ members: (inout RecordWriter) -> Void) throws(Problem) -> FieldReader {
        let document = try RecordParser.document(RecordWriter.bytes(members))
        return try FieldReader(document, document.root, pointer: "")
    }

    // MARK: - What is no record

    // 1 is the form of builds before 1.0.0, and { begins one of JSON.
    @Test(arguments: [0, 1, RecordWriter.version + 1, UInt8(ascii: "{")])
    func `a record of an unknown version is refused, and the error names both versions`(form: UInt8) throws {
        let problem = #expect(throws: Problem.self) { try RecordParser.document([form, 0]) }
        #expect(problem?.detail == "the record is of form \(form), this program knows \(RecordWriter.version)")
        #expect(throws: Problem.self) { try RecordParser.document([]) }
    }

    @Test func `members with unknown keys in a record are skipped`() throws {
        let known = RecordWriter.bytes { $0.member("dated", true) }
        let unknown = UInt8(RecordKey.names.count + 1)
        let body = known.dropLast() + [unknown, RecordTag.object, unknown, RecordTag.yes, 0, 0]
        let document = try RecordParser.document(Array(body))
        var fields = try FieldReader(document, document.root, pointer: "")
        #expect(try fields.bool("dated") == true)
        try fields.finish()
    }

    @Test(
        arguments: [
            [], [0, 0], [1, RecordTag.yes, 1, RecordTag.yes, 0], [128, RecordTag.yes, 0], [1, 0x47, 0],
            [1, RecordTag.double, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F, 0], [1, 0x82, 0xC3, 0x28, 0], [1, 0x85, 0x41, 0],
            [1, RecordTag.text, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0], [1, RecordTag.json, 0, 0],
            [1, RecordTag.json, 2, 0x5B, 0x5B, 0], [1, RecordTag.list, RecordTag.yes, 0], [255, 1, 0xFF, 2, 0],
        ] as [[UInt8]])
    func `a record with malformed members is reported as damaged`(members: [UInt8]) throws {
        let problem = #expect(throws: Problem.self) { try RecordParser.document([RecordWriter.version] + members) }
        #expect(problem?.detail.contains("damaged") == true)
    }

    @Test func `a record nested 100000 levels deep is refused`() {
        for step in [[RecordTag.list], [RecordTag.object, 1]] {
            let deep = [[UInt8]](repeating: step, count: 100_000).joined()
            #expect(throws: Problem.self) { try RecordParser.document([RecordWriter.version, 1] + Array(deep)) }
        }
    }

    @Test(arguments: ["ticker", "progress", "schedule", "delivery"])
    func `a truncated record is refused, one with a flipped bit is refused or read as a valid one`(kind: String) throws
    {
        for record in try Self.golden(kind) {
            let body = Self.bytes(hex: try Self.text(record, "bytes"))
            for count in body.indices {
                #expect(throws: Problem.self) { try Self.read(kind, Array(body.prefix(count))) }
            }
            for bit in 0..<(body.count * 8) {
                var flipped = body
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                guard let other = try? Self.read(kind, flipped) else { continue }
                #expect(try Self.read(kind, other) == other, "\(record.id), bit \(bit)")
            }
        }
    }

    // MARK: - All kinds

    @Test(arguments: 0..<20) func `schedules read back equal`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let name = ResourceName(.schedule, "s")
        for _ in 0..<20 {
            let count = random.pick(["", #""count":\#(random.int(1...9)),"#, #""ifMissed":"skip","#])
            let when = random.pick([
                #""in":\#(random.int(1...99))"#, #""every":\#(random.int(1...99)).5,\#(count)"label":"l""#,
            ])
            let padding = String(repeating: "x", count: random.pick([0, 600]))
            let json = #"{\#(when),"do":[{"notify":"n","data":"\#(padding)"}]}"#
            let (_, definition) = try ScheduleDecoder.definition(Array(json.utf8), rules: NoCalendar())
            var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
            _ = try engine.apply(.schedule(name, definition), at: Self.start)
            let later = Self.start.advanced(bySeconds: Double(random.int(0...300)))
            while !engine.advance(to: later) {}
            if random.chance(0.5) { _ = try? engine.apply(.pauseSchedule(name), at: later) }
            guard var schedule = engine.schedule(name) else { continue }
            if random.chance(0.3) {
                schedule.origin = ResourceName(random.pick([.ticker, .progress, .schedule]), "o")
                // Its definition is then the board's own.
                schedule.definition.meaning = nil
            }
            let contents = ScheduleRecord.contents(of: schedule)
            #expect(try ScheduleRecord.schedule(name, contents, rules: NoCalendar()) == schedule, "\(json)")
        }
    }

    @Test(arguments: [nil, "500", ""], [false, true])
    func `deliveries read back equal`(failure: String?, isDead: Bool) throws {
        var delivery = Delivery(
            id: "d", url: "http://a/?b=ü", body: Array(#"{"a":[1,"x"]}"#.utf8), by: ResourceName(.progress, "p"),
            created: Self.start)
        (delivery.attempts, delivery.due) = (17, Self.start.advanced(bySeconds: 60))
        (delivery.failure, delivery.isDead) = (failure, isDead)
        #expect(try DeliveryRecord.delivery("d", body: DeliveryRecord.body(of: delivery)) == delivery)
    }
}
