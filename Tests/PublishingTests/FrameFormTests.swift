// Which frames are news to those who listen.

import Base
import Board
import EventStream
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

@Suite struct FrameFormTests {
    private var form = FrameForm(.json, FramePrefix())
    private var buffers = FrameBuffers()
    private let now = Instant(nanoseconds: 0)

    /// What a progress of 100 shows.
    private func state(_ current: Int, label: String = "{current}") throws -> FrameState {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let body = #"{"label":"\#(label)","current":\#(current),"maximum":100,"duration":0}"#
        let name = ResourceName(.progress, "t")
        let update = try UpdateDecoder.update(Array(body.utf8), kind: .progress, role: .update)
        _ = try engine.apply(.update(name, update), at: now)
        var text: [UInt8] = []
        return FrameState(.track(try #require(engine.track(name))), at: now, in: &text)
    }

    private mutating func show(_ current: Int) throws -> FrameAudience? { form.show(try state(current), &buffers) }

    private mutating func begin(_ current: Int, isDue: Bool = true) throws -> Bool {
        form.begin(try state(current), isDue: isDue, &buffers)
    }

    @Test mutating func `the first stream's greeting makes no frame due at the next tick`() throws {
        let states = try [50, 60].map { try state($0, label: "of {maximum}") }
        let isGreeted = form.begin(states[0], isDue: false, &buffers)
        let audiences = [form.show(states[0], &buffers), form.show(states[1], &buffers)]
        #expect(states[0].text == states[1].text)
        #expect(!isGreeted && audiences == [nil, .all])
    }

    @Test mutating func `a state shown only in a later stream's greeting is sent to earlier streams`()
        throws
    {
        let isGreeted = try begin(1)
        let audiences = try [show(1), show(1)]
        #expect(isGreeted && audiences == [.exceptGreeted, nil])
    }

    @Test mutating func `a changed state in a later stream's greeting is sent only to earlier streams`() throws {
        let first = try show(1)
        let isGreeted = try begin(2)
        let audiences = try [show(2), show(3)]
        #expect(first == .all && isGreeted && audiences == [.exceptGreeted, .all])
    }

    @Test mutating func `a state that changes back is sent only to streams greeted meanwhile`() throws {
        _ = try (show(1), begin(2))
        let audiences = try [show(1), show(1)]
        #expect(audiences == [.greetedOnly, nil])
    }

    @Test mutating func `streams greeted with different states all get the newest`() throws {
        _ = try (show(1), begin(2), begin(3))
        let audience = try show(3)
        #expect(audience == .all)
    }
}
