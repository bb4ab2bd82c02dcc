// Frames made from samples, in every form, compared with those made from their tracks.

import Base
import Board
import CAllocations
import EventStream
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

@Suite struct FramePassTests {
    private static let variants: [Variant] =
        Variant.Wheels.allCases.flatMap { wheels in
            [
                Variant(text: false, stamp: false, wheels: wheels),
                Variant(text: false, stamp: true, wheels: wheels, display: .parts),
            ]
        } + [
            Variant(text: false, stamp: false, display: .strings), Variant(text: true, stamp: false),
            Variant(text: true, stamp: true),
        ]

    private static let tickers = [
        #"{"label":"$0","to":12345.5,"duration":20,"decimals":2}"#,
        #"{"label":"a \"9,999.5\" b","from":9999.5,"to":-12,"duration":20}"#,
        #"{"from":998.7,"to":1003.25,"duration":20,"easing":"linear","delay":1}"#,
        #"{"label":"٣ x","from":-5,"to":5,"duration":20,"spring":{"dampingRatio":0.3}}"#,
        #"{"to":1e15,"duration":20}"#, #"{"label":"keycap 1️⃣","to":9,"duration":20}"#, message,
    ]

    /// Its frames are made from the track in every form.
    private static let message = #"{"label":"{n, plural, one {# coin} other {# coins}}","to":9,"duration":20}"#

    @Test(arguments: variants)
    func `a frame written from a sample equals one written from its track, in every form`(variant: Variant) throws {
        for body in Self.tickers {
            let script = PublisherScript()
            script.take(try MachineScript.update("a", body))
            try script.open("a", variant: variant)
            script.tick()
            _ = script.sent()
            var made = 0
            for step in 1...40 {
                // At other phases of a second, with a retargeting on the way.
                script.script.wait(step.isMultiple(of: 3) ? 0.7 : 0.3)
                if step == 20 { script.take(try MachineScript.update("a", #"{"to":77.25,"duration":30}"#)) }
                script.tick()
                while script.publisher.hasFramesToContinue {
                    script.publisher.continueFrames(of: script.script.machine, at: script.script.now)
                }
                let frame = script.sent().last { $0.hasPrefix("data: ") }
                made += script.publisher.pass.left.isEmpty ? 1 : 0
                // A stream that begins now is shown the state of the tick, made from the track.
                try script.open("a", slot: 1, variant: variant)
                let snapshot = script.sent().last { $0.hasPrefix("data: ") }
                script.close(1)
                if let frame { #expect(frame == snapshot) }
            }
            // A text alone is made from the track if the label's is escaped in JSON.
            #expect(made > 0 || body == Self.message || variant.isText && body.contains("\\"))
        }
    }

    @Test func `a frame with wheels makes at most 3 allocations more than one without`() throws {
        let count = 500
        let wheels = Variant(text: false, stamp: false, wheels: .odometer)
        let allocations = try [Variant.json, wheels].map { variant in
            let script = PublisherScript()
            for index in 0..<count {
                script.take(try MachineScript.update("t\(index)", #"{"to":1000000,"duration":3600,"decimals":2}"#))
            }
            try script.open("*", variant: variant)
            return Int(script.allocationsPerTick())
        }
        // An optimised build makes none; this one makes some for closures and generic values, and a few for each tick.
        #expect(allocations[1] <= allocations[0] + 3 * count + 10, "\(allocations)")
    }
}

extension PublisherScript {
    /// The allocations of a tick's frames, when all buffers have their size.
    fileprivate func allocationsPerTick() -> UInt64 {
        var counts: [UInt64] = []
        for _ in 0..<4 {
            script.wait(0.1)
            take()
            let before = tweencast_allocations()
            flush()
            while publisher.hasFramesToContinue { publisher.continueFrames(of: script.machine, at: script.now) }
            counts.append(tweencast_allocations() - before)
            _ = sent()
        }
        return counts.min() ?? 0
    }
}
