// Each field of an update, from the request to the answer after a restart. What takes the tables of fields as its cases
// needs no test of its own for a new one, only a sample.

import Base
import Board
import Foundation
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

/// A field in a request.
struct FieldCase: CustomTestStringConvertible {
    var kind: ResourceKind
    var name: String
    /// Members of the request.
    var members: String
    /// The member of the answer that tells of it: mostly its own, and that member's value.
    var told: String
    var shown: String
    /// It changes how the number gets there.
    var moves = false
    var testDescription: String { "\(kind) \(name)" }

    static let all = [ResourceKind.ticker, .progress].flatMap { kind in
        TrackUpdate.MotionField.allCases.flatMap { motion($0, of: kind) }
            + cycles(of: kind) + RenderingField.all(of: kind).map { rendering($0, of: kind) }
    }

    /// What says how often a way is gone, beside a spring.
    private static func cycles(of kind: ResourceKind) -> [FieldCase] {
        [
            ("repeat", "1.5", "iterations", "2.5"), ("autoreverse", "true", "iterations", "2"),
            ("autoreverse", "true", "direction", #""alternate""#),
            ("direction", #""reverse""#, "direction", #""reverse""#),
            ("endDelay", "0.5", "endDelay", "0.5"), ("repeatDelay", "0.5", "repeatDelay", "0.5"),
        ].map { name, value, told, shown in
            var sample = FieldCase(kind, name, value, with: #""spring":{"dampingRatio":0.5},"#)
            (sample.told, sample.shown, sample.moves) = (told, shown, true)
            return sample
        }
    }

    private init(_ kind: ResourceKind, _ name: String, _ value: String, shown: String? = nil, with members: String = "")
    {
        self.kind = kind
        self.name = name
        self.members = #"\#(members)"\#(name)":\#(value)"#
        told = name
        self.shown = shown ?? value
    }

    private static func motion(_ field: TrackUpdate.MotionField, of kind: ResourceKind) -> [FieldCase] {
        field.names.map { name in
            let value =
                switch field {
                case .duration: "3"
                case .delay: "0.25"
                case .endDelay: "0.5"
                case .curve:
                    name == "easing" ? #""steps(4)""# : #"{"dampingRatio":0.5,"response":1,"initialVelocity":2}"#
                case .repeat: "1.5"
                case .repeatDelay: "0.25"
                case .autoreverse, .clamp: "true"
                case .direction: #""reverse""#
                case .rate: "-0.5"
                case .animated: "false"
                case .interrupt: #""reject""#
                case .milestones: "[2,2.50]"
                }
            let cycles = field == .repeatDelay ? #""repeat":1,"# : ""
            var sample = FieldCase(
                kind, name, value, shown: field == .milestones ? "[2,2.5]" : nil, with: cycles)
            sample.moves = field != .interrupt && field != .milestones
            // Such a motion is over at once: it tells itself by the value.
            if field == .animated { (sample.told, sample.shown, sample.moves) = ("value", "5", false) }
            return sample
        }
    }

    private static func rendering(_ field: RenderingField, of kind: ResourceKind) -> FieldCase {
        switch field {
        case .label: FieldCase(kind, "label", #""5 is 50""#)
        case .prefix: FieldCase(kind, "prefix", #""$""#)
        case .suffix: FieldCase(kind, "suffix", #""€""#)
        case .index: FieldCase(kind, "index", "1", with: #""label":"1 of 2","#)
        case .maximum: FieldCase(kind, "maximum", "40.5")
        case .initial: FieldCase(kind, "initial", "2.5")
        case .indeterminate: FieldCase(kind, "indeterminate", #""Waiting…""#)
        case .appearance:
            FieldCase(
                kind, "appearance",
                #"{"shape":"pie","startAngle":-90.5,"clockwise":false,"margin":4,"padding":2,"own":[1]}"#)
        case .decimals: FieldCase(kind, "decimals", "3")
        case .format:
            FieldCase(
                kind, "format", #"{"locale":"de-CH","minimumDecimals":1}"#,
                shown:
                    #"{"locale":"de-CH","style":"decimal","grouping":"auto","sign":"auto","currencyDisplay":"symbol","#
                    + #""currencySign":"standard","unitDisplay":"short","notation":"standard","compactDisplay":"short","#
                    + #""minimumDecimals":1,"trailingZeros":"auto","rounding":"half-expand"}"#)
        case .ttl: FieldCase(kind, "ttl", "90")
        }
    }
}

@Suite struct FieldTests {
    private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
    /// In the middle of every sample's motion.
    private static let later = start.advanced(bySeconds: 0.1)

    private static func update(_ members: String, _ kind: ResourceKind, _ role: UpdateDecoder.Role = .update) throws
        -> TrackUpdate
    {
        try UpdateDecoder.update(Array("{\(members)}".utf8), kind: kind, role: role)
    }

    /// What moves the number, and the sample where there is one.
    private static func move(_ kind: ResourceKind, _ sample: String = "") -> String {
        (kind == .progress ? #""current":5"# : #""to":5"#) + (sample.isEmpty ? "" : ",") + sample
    }

    /// A board and the track on it after some commands.
    private static func play(_ kind: ResourceKind, _ commands: (ResourceName) throws -> [Command]) throws -> Track {
        let name = ResourceName(kind, "x")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        for command in try commands(name) { _ = try engine.apply(command, at: start) }
        return try #require(engine.track(name))
    }

    /// The track that a start makes of its record.
    private static func restarted(_ track: Track) throws -> Track {
        try TrackRecord.track(
            track.name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
    }

    /// What is told of a field, be it of the track or of its motion.
    private static func told(_ name: String, of track: Track) throws -> String? {
        var json = JSONWriter()
        TrackEncoder.append(track, at: later, to: &json)
        let document = try UpdateDecoder.document(json.bytes)
        var fields = try FieldReader(document, document.root, pointer: "")
        let node = fields.read("motion")
        var motion = try FieldReader(document, try #require(node), pointer: "/motion")
        let member = motion.read(name) ?? fields.read(name)
        return member.map { String(decoding: document.source(of: $0), as: UTF8.self) }
    }

    @Test(arguments: FieldCase.all.filter { $0.name != "interrupt" })
    func `a field comes through request, motion, record, restart and answer`(sample: FieldCase) throws {
        let plain = try Self.play(sample.kind) { [.update($0, try Self.update(Self.move(sample.kind), sample.kind))] }
        let track = try Self.play(sample.kind) {
            [.update($0, try Self.update(Self.move(sample.kind, sample.members), sample.kind))]
        }
        #expect(try Self.told(sample.told, of: plain) != sample.shown)
        #expect(try Self.told(sample.told, of: track) == sample.shown)
        if sample.moves { #expect(track.run?.motion != plain.run?.motion) }
        let again = try Self.restarted(track)
        #expect(try Self.told(sample.told, of: again) == sample.shown)
        #expect(again.run == track.run && again.rendering == track.rendering && again.timeToLive == track.timeToLive)
    }

    @Test(arguments: FieldCase.all.filter { $0.name != "interrupt" })
    func `a field set with PUT applies to later updates, also after a restart`(sample: FieldCase) throws {
        let definition = try Self.update(sample.members, sample.kind, .definition)
        let defined = try Self.play(sample.kind) { [.define($0, definition)] }
        #expect(try Self.told("definition", of: defined) == "{\(sample.members)}")
        let update = try Self.update(Self.move(sample.kind), sample.kind)
        for var engine in try [defined, Self.restarted(defined)].map(Self.board) {
            _ = try engine.apply(.update(defined.name, update), at: Self.start)
            let track = try #require(engine.track(defined.name))
            #expect(try Self.told(sample.told, of: track) == sample.shown)
        }
    }

    @Test(arguments: [ResourceKind.ticker, .progress])
    func `an interruption mode set with PUT applies to later updates, also after a restart`(kind: ResourceKind) throws {
        let definition = try Self.update(#""interrupt":"reject""#, kind, .definition)
        let defined = try Self.play(kind) { [.define($0, definition)] }
        for var engine in try [defined, Self.restarted(defined)].map(Self.board) {
            _ = try engine.apply(.update(defined.name, try Self.update(Self.move(kind), kind)), at: Self.start)
            #expect(throws: CommandError.running(defined.name)) {
                try engine.apply(.update(defined.name, try Self.update(#""by":9"#, kind)), at: Self.later)
            }
        }
    }

    private static func board(_ track: Track) -> Engine {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        engine.restore(track.name, .track(track), at: start)
        return engine
    }

    @Test(arguments: [ResourceKind.ticker, .progress])
    func `then actions are shown as they were posted, also after a restart`(kind: ResourceKind) throws {
        let actions = #"[{"ticker":"y", "to":"1.50"},{"notify":"n","data":{"a":[1]}}]"#
        let track = try Self.play(kind) {
            [.update($0, try Self.update(Self.move(kind, #""then":\#(actions)"#), kind))]
        }
        #expect(try Self.told("then", of: track) == actions)
        #expect(try Self.told("then", of: Self.restarted(track)) == actions)
    }

    @Test func `a milestone that was crossed is no longer shown`() throws {
        let name = ResourceName(.ticker, "x")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        _ = try engine.apply(
            .update(name, try Self.update(#""to":5,"duration":1,"milestones":[1,4.5]"#, .ticker)), at: Self.start)
        engine.passMilestones(slot: try #require(engine.slot(of: name)), at: Self.start.advanced(bySeconds: 0.5))
        #expect(try Self.told("milestones", of: #require(engine.track(name))) == "[4.5]")
    }

    /// The contract's schemas by their names, as text.
    static func schemas() throws -> [String: Substring] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Sources/Service/TweencastService/openapi.yaml"), encoding: .utf8)
        let schemas = try #require(text.firstRange(of: "\n  schemas:\n"))
        let heads = text[schemas.upperBound...].matches(of: /(?m)^    ([A-Z][A-Za-z]*):.*$/)
        let ends = heads.dropFirst().map(\.range.lowerBound) + [text.endIndex]
        return Dictionary(
            zip(heads, ends).map { (String($0.output.1), text[$0.range.upperBound..<$1]) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: FieldCase.all)
    func `each field stands in openapi.yaml, in the request and in the answer`(sample: FieldCase) throws {
        let schemas = try Self.schemas()
        let kind = sample.kind == .ticker ? "Ticker" : "Progress"
        func names(_ schema: String) throws -> Bool {
            try #require(schemas[schema]).contains("\n        \(sample.name):")
        }
        let isFace = RenderingField(rawValue: sample.name) != nil
        #expect(try names(isFace ? "\(kind)Face" : "Timing"))
        guard sample.name != "interrupt" else { return }
        #expect(try names(isFace ? kind : "Motion"))
    }
}
