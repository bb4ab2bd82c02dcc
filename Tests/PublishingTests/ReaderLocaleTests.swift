// Locales of readers: their numbers, and labels whose formats are not compiled there yet.

import Base
import Board
import EventStream
import Labels
import Machine
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Publishing

/// Knows no format in any locale until it is told to; then numbers are in Arabic digits.
private final class SlowPlanner: ReaderPlanner {
    private let isReady = Atomic(false)
    private let asked = Mutex<[NumberFormat]>([])
    let locales = Mutex<[String]>([])

    /// What was to be compiled.
    var wanted: [NumberFormat] { asked.withLock { $0 } }

    func words(in locale: String) throws(CommandError) -> TimeWords { .english }

    func finish() { isReady.store(true, ordering: .relaxed) }

    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        guard format.locale != "no" else { throw .invalid(field: "format/locale", reason: "none") }
        var plan = NumberPlan.plain(decimals: decimals ?? 0)
        if format.locale == "ar", let digits = DigitSet(zero: "\u{660}") { plan.digits = digits }
        return plan
    }

    func setLocales(_ locales: [String]) { self.locales.withLock { $0 = locales } }
    func knows(_ formats: [NumberFormat]) -> Bool { isReady.load(ordering: .relaxed) }
    func compile(_ formats: [NumberFormat]) { asked.withLock { $0 += formats } }
    func prepare(_ formats: [NumberFormat], finish: @escaping @Sendable () -> Void) -> Bool { true }
}

@Suite struct ReaderLocaleTests {
    @Test func `a locale keeps its number until its last reader leaves, and the number is reused`() {
        var locales = ReaderLocales()
        func add(_ locale: String) -> UInt8? { locales.add(locale, of: nil) }
        #expect([add("de-DE"), add("ar-EG"), add("de-DE")] == [1, 2, 1])
        #expect(locales.inUse == ["de-DE", "ar-EG"])
        locales.remove(1, of: nil)
        #expect(locales[1] == "de-DE")
        locales.remove(1, of: nil)
        #expect(locales[1] == nil && locales[0] == nil && locales[9] == nil)
        #expect(add("fr-FR") == 1)
        for number in 3...ReaderLocales.maximumCount { #expect(add("l\(number)") == UInt8(number)) }
        #expect(add("one-more") == nil && !locales.admits("one-more", of: nil))
        #expect(add("fr-FR") == 1 && locales.admits("fr-FR", of: nil))
        #expect(locales.count == ReaderLocales.maximumCount)
    }

    @Test func `one owner's streams cannot take all locales: a share stays free for others`() {
        var locales = ReaderLocales()
        for _ in 0..<3 {
            let own = (0..<64).compactMap { locales.add("a\($0)", of: "a") }
            #expect(own.count == 32 && !locales.admits("a32", of: "a"))
            #expect(locales.add("a31", of: "a") == own[31])
            // Where others read already there is room for everybody.
            let shared = own.compactMap { number in locales[number].flatMap { locales.add($0, of: "b") } }
            let further = (0..<64).compactMap { locales.add("b\($0)", of: "b") }
            #expect(shared == own && further.count == 16)
            #expect(locales.add("c", of: nil) != nil && locales.count == 49)
            locales.remove(own[31], of: "a")
            // A locale that is still read counts towards those who do.
            for number in own { locales.remove(number, of: "a") }
            #expect(locales.count == 49 && !locales.admits("more", of: "b") && locales.admits("more", of: "a"))
            for number in shared + further { locales.remove(number, of: "b") }
            #expect(locales.inUse == ["c"] && locales.count == 1)
            locales.remove(49, of: nil)
            #expect(locales.count == 0)
        }
    }

    @Test func `closing a stream frees its owner's locale`() throws {
        planner.finish()
        for round in 0..<3 {
            for slot in UInt32(0)..<40 { try script.open("a", slot: slot, locale: "l\(round)-\(slot)", of: "a") }
            script.tick()
            #expect(script.sent().count { $0 == #"data: {"reason":"locales"}"# } == 8)
            try script.open("a", slot: 40, locale: "de", of: "b")
            script.tick()
            #expect(!script.sent().contains { $0.contains("locales") })
            #expect(script.publisher.localeCount == 33)
            for slot in UInt32(0)...40 { script.close(slot) }
            #expect(script.publisher.localeCount == 0 && script.publisher.patternCount == 0)
            #expect(planner.locales.withLock { $0.isEmpty })
        }
    }

    private let planner = SlowPlanner()
    private let script: PublisherScript

    init() { script = PublisherScript(planner: planner) }

    private func frame(_ value: String, _ text: String) -> String {
        #"data: {"ticker":"a","value":\#(value),"text":"\#(text)"}"#
    }

    @Test func `frames in a locale wait until its format is compiled`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a", locale: "ar")
        #expect(planner.locales.withLock { $0 } == ["ar"])
        script.script.wait(0.5)
        script.tick()
        #expect(script.sent().isEmpty)
        #expect(planner.wanted.contains { $0.locale == "ar" && $0.grouping == .never })
        #expect(script.publisher.wantsTick, "it looks again at the next tick")
        planner.finish()
        script.tick()
        #expect(script.sent() == [frame("5", "A ٥")])
        script.script.wait(0.5)
        script.tick()
        let sent = script.sent()
        #expect(sent.first == frame("10", "A ١٠"))
        #expect(sent.last?.contains(#""value":10,"text":"A ١٠""#) == true)
        script.tick()
        #expect(script.sent().isEmpty)
        #expect(!script.publisher.wantsTick)
    }

    @Test func `a completion in a locale not yet compiled has the poster's text and isn't delayed`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":1}"#))
        try script.open("a", locale: "ar")
        script.script.wait(1)
        script.tick()
        let sent = script.sent()
        #expect(sent.first == frame("10", "A 10"))
        #expect(sent.last?.contains(#""text":"A 10""#) == true)
        planner.finish()
        script.tick()
        #expect(script.sent() == [frame("10", "A ١٠")])
    }

    @Test func `a ticker created and removed in one turn is shown in the reader's locale`() throws {
        planner.finish()
        try script.open("a*", locale: "ar")
        _ = script.sent()
        script.take(
            try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#),
            .command(CommandRequest(.remove(ResourceName(.ticker, "a")), as: .noContent)))
        script.tick()
        let sent = script.sent()
        #expect(sent.first == frame("10", "A ١٠"))
        #expect(sent.count { $0.contains(#""text":"A ١٠""#) } == 2, "\(sent)")
    }

    @Test func `a number that a locale cannot format is shown as it was posted`() throws {
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10}"#))
        planner.finish()
        try script.open("a", locale: "no")
        #expect(script.sent() == [frame("0", "A 0")])
    }

    @Test func `a changed label is shown in the reader's locale from its next frame on`() throws {
        planner.finish()
        script.take(try MachineScript.update("a", #"{"label":"A 0","to":10,"duration":0}"#))
        try script.open("a", locale: "ar")
        _ = script.sent()
        script.take(try MachineScript.update("a", #"{"label":"B 0","to":10,"duration":0}"#))
        script.tick()
        #expect(script.sent().prefix(3) == [frame("10", "B ١٠"), "id: e-2", "event: complete"])
    }
}
