// Members of frames: each form of a topic is sent what differs from what that form was sent last.

import Base
import Board
import TestSupport
import Testing
import Tween
import Wire

@testable import EventStream
@testable import Publishing

@Suite struct FrameExtrasTests {
    private let wheels = Variant(text: false, stamp: false, wheels: .odometer)
    private let display = Variant(text: false, stamp: false, display: .strings)
    private let now = Instant(nanoseconds: 0)
    private var frames = TopicFrames(ResourceName(.ticker, "t"))

    private func track(_ json: String) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        let name = ResourceName(.ticker, "t")
        _ = try engine.apply(.update(name, update), at: now)
        return try #require(engine.track(name))
    }

    private func state(_ track: Track, at instant: Instant? = nil) -> FrameState {
        var text: [UInt8] = []
        return FrameState(.track(track), at: instant ?? now, in: &text)
    }

    private mutating func show(_ state: FrameState, _ variant: Variant) -> FrameAudience? {
        var buffers = FrameBuffers()
        return frames.withForm(of: variant) { form in form.show(state, &buffers) }
    }

    private mutating func show(_ track: Track, _ variant: Variant) -> Bool { show(state(track), variant) != nil }

    /// Shows the end of a motion.
    private mutating func end(_ track: Track, _ variant: Variant) -> Bool {
        var text: [UInt8] = []
        let end = FrameState(.end(track.reading(at: now), track, isRemoved: false), at: now, in: &text)
        return show(end, variant) != nil
    }

    /// What a frame has between its text and its end.
    private mutating func members(_ track: Track, _ variant: Variant, at instant: Instant? = nil) -> String {
        let state = state(track, at: instant)
        var (buffers, frame) = (FrameBuffers(), [UInt8]())
        frames.withForm(of: variant) { form in
            form.make(state, &buffers)
            form.append(state, as: variant, nil, to: &frame)
        }
        let text = Array(#""text":""#.utf8) + state.text + Array("\"".utf8)
        return String(decoding: frame[(frame.firstRange(of: text)?.upperBound ?? 0)...].dropLast(), as: UTF8.self)
    }

    @Test mutating func `an equal frame is not sent again, separately for each form`() throws {
        let track = try track(#"{"to":42,"duration":0}"#)
        var shown = [show(track, wheels), show(track, wheels), show(track, display), show(track, display)]
        #expect(shown == [true, false, true, false])
        let rounded = try self.track(#"{"to":43.4,"decimals":0,"duration":0}"#)
        let other = try self.track(#"{"to":43,"duration":0}"#)
        shown = [show(rounded, wheels), end(other, wheels), end(other, wheels), show(rounded, wheels)]
        #expect(shown == [true, true, false, false], "a last frame has the exact number, once")
        _ = show(track, wheels)
        shown = [show(other, wheels), show(track, wheels), show(other, display)]
        #expect(shown == [true, true, true])
    }

    @Test mutating func `only a form with parts gets the parts of the text`() throws {
        let track = try track(#"{"label":"5 \"!","to":-42,"duration":0}"#)
        let parts = Variant(text: false, stamp: false, display: .parts)
        let members = members(track, parts)
        let text =
            #"{"type":"minusSign","value":"-"},{"type":"integer","value":"42"},{"type":"literal","value":" \"!"}"#
        #expect(members.hasSuffix(#","parts":[\#(text)]}"#))
        #expect(!self.members(track, display).contains("parts"))
        #expect(!parts.isText && !parts.isPlain && parts.hasDisplay)
    }

    @Test mutating func `a form that is watched again gets its state anew`() throws {
        let track = try track(#"{"to":42,"duration":0}"#)
        _ = show(track, wheels)
        _ = show(track, display)
        frames.keep(VariantSet(), WatchedVariants(VariantSet(), [display]))
        var shown = [show(track, display), show(track, wheels)]
        #expect(shown == [false, true])
        frames.keep(VariantSet(), WatchedVariants(VariantSet(), []))
        shown = [show(track, display), show(track, wheels)]
        #expect(shown == [true, true])
    }

    @Test mutating func `a later stream's greeting makes the next frame due for earlier streams only`() throws {
        let one = try track(#"{"to":1,"duration":0}"#)
        let two = try track(#"{"to":2,"duration":0}"#)
        func begin(_ track: Track, isDue: Bool) -> Bool {
            var buffers = FrameBuffers()
            let state = state(track)
            return frames.withForm(of: wheels) { form in form.begin(state, isDue: isDue, &buffers) }
        }
        let isGreeted = [begin(one, isDue: false), begin(two, isDue: true)]
        let audience = show(state(two), wheels)
        #expect(isGreeted == [false, true] && audience == .exceptGreeted)
    }

    @Test mutating func `two wheel styles of one track produce equal wheels in any order`() throws {
        let continuous = Variant(text: false, stamp: false, wheels: .continuous)
        let tracks = try [
            #"{"to":42.5,"duration":0}"#, #"{"to":42.5,"duration":0,"label":"x 0"}"#, #"{"to":7,"duration":0}"#,
        ]
        .map { try track($0) }
        for _ in 0..<2 {
            for track in tracks {
                let made = [wheels, continuous].map { members(track, $0) }
                frames = TopicFrames(ResourceName(.ticker, "t"))
                #expect(made == [members(track, wheels), members(track, wheels)])
            }
        }
    }

    @Test(arguments: [
        (Variant.Wheels.up, 7.5, 2.5), (.down, 2.5, 7.5), (.shortest, 7.5, 2.5), (.strip, 2.5, 2.5),
    ])
    mutating func `wheels turn through zero when a number changes its sign`(
        style: Variant.Wheels, before: Double, behind: Double
    ) throws {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let body = #"{"label":"0","from":15,"to":-15,"duration":6,"easing":"linear","decimals":0}"#
        let update = try UpdateDecoder.update(Array(body.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: now)
        let variant = Variant(text: false, stamp: false, wheels: style)
        let told = try [0.0, 1.5, 3, 4.5].map { seconds in
            members(try #require(engine.track(name)), variant, at: now.advanced(bySeconds: seconds))
        }
        #expect(
            told == [
                #","wheels":[[1,1],[0,5]]"#, #","wheels":[[1,1,0.5],[0,\#(before)]]"#, #","wheels":[[0,0]]"#,
                #","wheels":["-",[1,1,0.5],[0,\#(behind)]]"#,
            ])
    }

    @Test(arguments: Variant.Wheels.allCases)
    mutating func `a paused or cancelled number's wheels stand on the digits of its text`(style: Variant.Wheels) throws
    {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let body = #"{"label":"0","from":0,"to":100,"duration":10,"easing":"linear","decimals":0}"#
        let update = try UpdateDecoder.update(Array(body.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: now)
        let variant = Variant(text: false, stamp: false, wheels: style)
        func members(at seconds: Double) throws -> String {
            self.members(try #require(engine.track(name)), variant, at: now.advanced(bySeconds: seconds))
        }
        let moving = try [0, 4.262].map { try members(at: $0) }
        #expect(moving.last?.contains(".") == true)
        let paused = now.advanced(bySeconds: 4.262)
        _ = try engine.apply(.play(name, .pause), at: paused)
        #expect(try members(at: 6) == #","wheels":[[1,4],[0,3]]"#)
        _ = try engine.apply(.play(name, .resume), at: paused)
        #expect(try [4.27, 4.28].map { try members(at: $0) }.last?.contains(".") == true)
        _ = try engine.apply(.play(name, .cancel), at: paused)
        #expect(try members(at: 6) == #","wheels":[[1,4],[0,3]]"#)
    }

    @Test(arguments: [(Variant.json, true), (Variant(text: true, stamp: false), false)])
    func `plain forms and extended ones are told apart in a set of forms`(variant: Variant, isPlain: Bool) {
        #expect(variant.isPlain == isPlain)
        var set = VariantSet()
        set.insert(variant)
        #expect(set.isPlain == isPlain && set.plain.isEmpty != isPlain && set.extended.isEmpty == isPlain)
    }
}
