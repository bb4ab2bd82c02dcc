// Records of builds in which `{current}` was where a progress moves show what they did.

import Base
import Board
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct StoredTemplatesTests {
    private static let start = Instant(nanoseconds: 5_000_000_000)
    private static let own = #"{"current":80,"duration":4,"label":"{current} of {maximum}"}"#
    /// Long enough for a part of its own.
    private static let actions =
        #"[{"progress":"q","by":1,"label":"{{current}} {current}"},{"ticker":"t","to":1,"label":"{current} 5"},"#
        + #"{"notify":"n","data":{"progress":"q","label":"{current}","pad":"\#(String(repeating: "x", count: 600))"}}]"#

    /// Returns the record as such a build wrote it.
    private static func old(_ contents: RecordContents) -> RecordContents {
        var old = contents
        old.body[0] = RecordWriter.versionOfOldTemplates
        return old
    }

    private static func track(_ kind: ResourceKind, _ updates: String...) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(kind, "x")
        for json in updates {
            let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
            _ = try engine.apply(.update(name, update), at: start)
        }
        return try #require(engine.track(name))
    }

    private static func read(_ contents: RecordContents, _ kind: ResourceKind) throws -> Track {
        try TrackRecord.track(
            ResourceName(kind, "x"), contents, renderings: RenderingCache(planner: NoFormats()))
    }

    private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test func `a stored label with the old name current is read and rewritten with target`() throws {
        let track = try Self.track(
            .progress, Self.own, #"{"current":90,"interrupt":"queue","indeterminate":"{current} so far"}"#)
        let read = try Self.read(Self.old(TrackRecord.contents(of: track)), .progress)
        guard case .progress(let rendering) = read.rendering else { throw LabelError(.unbalancedBrace, at: 0) }
        #expect(rendering.style.label == "{target} of {maximum}")
        #expect(read.waiting.map(\.update.indeterminate) == ["{target} so far"])
        let again = TrackRecord.contents(of: read)
        #expect(again.body.first == RecordWriter.version)
        #expect(try Self.read(again, .progress).rendering == read.rendering)
    }

    @Test func `a label with current in a record of today's version is unchanged`() throws {
        let track = try Self.track(.progress, Self.own)
        let read = try Self.read(TrackRecord.contents(of: track), .progress)
        #expect(read.rendering == track.rendering)
    }

    @Test func `in stored actions of the old version only labels of a progress are rewritten`() throws {
        let update = #"{"to":5,"duration":4,"label":"{current} 5","then":\#(Self.actions)}"#
        let track = try Self.track(.ticker, update)
        let read = try Self.read(Self.old(TrackRecord.contents(of: track)), .ticker)
        let expected = Self.actions.replacing(#"{{current}} {current}"#, with: #"{{current}} {target}"#)
        #expect(Self.text(read.run?.then?.source) == expected)
        #expect(read.rendering == track.rendering)
    }

    @Test(arguments: [
        (
            #"{"label":"{current}","milestones":[{"at":1,"do":[{"progress":"p","label":"{current}"}]}]}"#,
            ResourceKind?.some(.progress),
            #"{"label":"{target}","milestones":[{"at":1,"do":[{"progress":"p","label":"{target}"}]}]}"#
        ),
        (
            #"{"label":"{current}","then":[{"schedule":{"id":"s","label":"{current}","do":[]}}]}"#, .ticker,
            #"{"label":"{current}","then":[{"schedule":{"id":"s","label":"{current}","do":[]}}]}"#
        ),
        (
            #"{"in":1, "do":[{"progress":"p","indeterminate":"\u007bcurrent}\n"}] }"#, nil,
            #"{"in":1, "do":[{"progress":"p","indeterminate":"{target}\n"}] }"#
        ),
    ])
    func `stored JSON of a client is rewritten only in labels of a progress`(
        _ json: String, _ kind: ResourceKind?, _ renewed: String
    ) throws {
        #expect(Self.text(try StoredTemplates.renewed(Array(json.utf8), of: kind)) == renewed)
    }
}
