// Members of frames: each form of a topic is sent what differs from what that form was sent last.

import Base
import Board
import EventStream
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

@Suite struct FrameExtrasTests {
    private let wheels = Variant(text: false, stamp: false, wheels: .odometer)
    private let display = Variant(text: false, stamp: false, display: .strings)
    private let topic = TopicIndex(rawValue: 7)
    private let now = Instant(nanoseconds: 0)
    private var extras = FrameExtras()

    private func track(_ json: String) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        let name = ResourceName(.ticker, "t")
        _ = try engine.apply(.update(name, update), at: now)
        return try #require(engine.track(name))
    }

    private mutating func show(_ track: Track, _ variant: Variant, final value: Double? = nil) -> Bool {
        extras.make(variant, of: track, showing: track.position(at: now), topic: topic, at: now)
        return extras.show(Array("text".utf8), fraction: nil, value: value, isFinal: value != nil) != nil
    }

    @Test mutating func `a frame that shows the same is not sent, in each form for itself`() throws {
        let track = try track(#"{"to":42,"duration":0}"#)
        var shown = [show(track, wheels), show(track, wheels), show(track, display), show(track, display)]
        #expect(shown == [true, false, true, false])
        shown = [show(track, wheels, final: 42), show(track, wheels, final: 42), show(track, wheels)]
        #expect(shown == [true, false, false], "a last frame has the exact number, once")
        let other = try self.track(#"{"to":43,"duration":0}"#)
        shown = [show(other, wheels), show(track, wheels), show(other, display)]
        #expect(shown == [true, true, true])
    }

    @Test mutating func `who asks for parts has those of the text, and nobody else`() throws {
        let track = try track(#"{"label":"5 \"!","to":-42,"duration":0}"#)
        let parts = Variant(text: false, stamp: false, display: .parts)
        _ = show(track, parts)
        let members = String(decoding: extras.members.bytes, as: UTF8.self)
        let text =
            #"{"type":"minusSign","value":"-"},{"type":"integer","value":"42"},{"type":"literal","value":" \"!"}"#
        #expect(members.hasSuffix(#","parts":[\#(text)]}"#))
        _ = show(track, display)
        #expect(!String(decoding: extras.members.bytes, as: UTF8.self).contains("parts"))
        #expect(!parts.isText && !parts.isPlain && parts.hasDisplay)
    }

    @Test mutating func `a form that is watched again begins anew`() throws {
        let track = try track(#"{"to":42,"duration":0}"#)
        _ = show(track, wheels)
        _ = show(track, display)
        var left = VariantSet()
        left.insert(display)
        extras.keep(left, and: [], of: topic)
        var shown = [show(track, display), show(track, wheels)]
        #expect(shown == [false, true])
        extras.forget(topic)
        shown = [show(track, display), show(track, wheels)]
        #expect(shown == [true, true])
    }

    @Test mutating func `a later stream's beginning is news to those alone who were there`() throws {
        let one = try track(#"{"to":1,"duration":0}"#)
        let two = try track(#"{"to":2,"duration":0}"#)
        extras.make(wheels, of: one, showing: one.position(at: now), topic: topic, at: now)
        var isGreeted = [extras.begin([1], fraction: nil, isDue: false)]
        extras.make(wheels, of: two, showing: two.position(at: now), topic: topic, at: now)
        isGreeted.append(extras.begin([1], fraction: nil, isDue: true))
        let audience = extras.show([1], fraction: nil)
        #expect(isGreeted == [false, true] && audience == .exceptGreeted)
    }

    @Test mutating func `forms with wheels of one style tell the same, whatever was made before`() throws {
        let stamped = Variant(text: false, stamp: true, wheels: .odometer)
        let continuous = Variant(text: false, stamp: false, wheels: .continuous)
        let tracks = try [
            #"{"to":42.5,"duration":0}"#, #"{"to":42.5,"duration":0,"label":"x 0"}"#, #"{"to":7,"duration":0}"#,
        ]
        .map { try track($0) }
        for _ in 0..<2 {
            for track in tracks {
                var made: [FrameMembers] = []
                for variant in [wheels, continuous, stamped] {
                    extras.make(variant, of: track, showing: track.position(at: now), topic: topic, at: now)
                    made.append(extras.members)
                }
                var alone = FrameExtras()
                alone.make(stamped, of: track, showing: track.position(at: now), topic: nil, at: now)
                #expect(made == [alone.members, alone.members, alone.members])
            }
        }
    }

    @Test(arguments: [
        (Variant.Wheels.up, 7.5, 2.5), (.down, 2.5, 7.5), (.shortest, 7.5, 2.5), (.strip, 2.5, 2.5),
    ])
    mutating func `wheels of a number whose sign changes turn by way of zero`(
        style: Variant.Wheels, before: Double, behind: Double
    ) throws {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let body = #"{"label":"0","from":15,"to":-15,"duration":6,"easing":"linear","decimals":0}"#
        let update = try UpdateDecoder.update(Array(body.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: now)
        let variant = Variant(text: false, stamp: false, wheels: style)
        let told = try [0.0, 1.5, 3, 4.5].map { seconds in
            let (now, track) = (now.advanced(bySeconds: seconds), try #require(engine.track(name)))
            extras.make(variant, of: track, showing: track.position(at: now), topic: topic, at: now)
            return String(decoding: extras.members.bytes, as: UTF8.self)
        }
        #expect(
            told == [
                #","wheels":[[1,1],[0,5]]"#, #","wheels":[[1,1,0.5],[0,\#(before)]]"#, #","wheels":[[0,0]]"#,
                #","wheels":["-",[1,1,0.5],[0,\#(behind)]]"#,
            ])
    }

    @Test(arguments: Variant.Wheels.allCases)
    mutating func `what is paused or cut off stands on the digits of its text`(style: Variant.Wheels) throws {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let body = #"{"label":"0","from":0,"to":100,"duration":10,"easing":"linear","decimals":0}"#
        let update = try UpdateDecoder.update(Array(body.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: now)
        let variant = Variant(text: false, stamp: false, wheels: style)
        func members(at seconds: Double, _ extras: inout FrameExtras) throws -> String {
            let (now, track) = (now.advanced(bySeconds: seconds), try #require(engine.track(name)))
            extras.make(variant, of: track, showing: track.position(at: now), topic: topic, at: now)
            return String(decoding: extras.members.bytes, as: UTF8.self)
        }
        let moving = try [0, 4.262].map { try members(at: $0, &extras) }
        #expect(moving.last?.contains(".") == true)
        let paused = now.advanced(bySeconds: 4.262)
        _ = try engine.apply(.play(name, .pause), at: paused)
        #expect(try members(at: 6, &extras) == #","wheels":[[1,4],[0,3]]"#)
        _ = try engine.apply(.play(name, .resume), at: paused)
        #expect(try [4.27, 4.28].map { try members(at: $0, &extras) }.last?.contains(".") == true)
        _ = try engine.apply(.play(name, .cancel), at: paused)
        #expect(try members(at: 6, &extras) == #","wheels":[[1,4],[0,3]]"#)
    }

    @Test(arguments: [(Variant.json, true), (Variant(text: true, stamp: false), false)])
    func `forms of a number alone are no business of this`(variant: Variant, isPlain: Bool) {
        #expect(variant.isPlain == isPlain)
        var set = VariantSet()
        set.insert(variant)
        #expect(set.isPlain == isPlain && set.plain.isEmpty != isPlain && set.extended.isEmpty == isPlain)
    }
}
