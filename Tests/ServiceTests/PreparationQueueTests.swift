// Formats are compiled before a request reaches the tick thread, wherever in it they stand.

import Base
import Board
import Glibc
import Labels
import Machine
import OperatingSystem
import Storage
import Synchronization
import TestSupport
import Testing
import Tween
import Wire

@testable import Gateway
@testable import TweencastService

@Suite struct PreparationQueueTests {
    private static func format(_ number: Int) -> NumberFormat {
        var format = NumberFormat(locale: "de-x-a\(number)", style: .currency, currency: "EUR")
        format.currencyDisplay = .name
        return format
    }

    private static func json(_ number: Int, style: String = "currency", currency: String = "EUR") -> String {
        #"{"locale":"de-x-a\#(number)","style":"\#(style)","currency":"\#(currency)"}"#
    }

    /// Has a queue prepare what a command needs, as the gateway does, and waits for it.
    private static func prepare(_ uses: [FormatUse], _ planner: LocalePlanner) -> [PreparationQueue.Failure] {
        let queue = PreparationQueue(planner)
        let isStarted = queue.start()
        let finished = Mailbox<[PreparationQueue.Failure]>(capacity: 1)
        let isTaken = queue.prepare(uses) { _ = finished.post($0) }
        #expect(isStarted && isTaken)
        defer { queue.stop() }
        return finished.receiveFirst() ?? []
    }

    @Test(arguments: [1, 256, 257, 5_000])
    func `a batch is decoded in order, a long one on the preparation thread`(count: Int) {
        let queue = PreparationQueue(LocalePlanner())
        #expect(queue.start())
        defer { queue.stop() }
        let caller = pthread_self()
        let isOther = Mutex(false)
        let decoded = Mailbox<[Result<Command, Problem>]>(capacity: 1)
        let lines = (0..<count).map { Array(($0 == 0 ? "{" : #"{"ticker":"t\#($0)","to":1}"#).utf8)[...] }
        let isTaken = queue.decode(lines) { _, line throws(Problem) in
            if pthread_equal(caller, pthread_self()) == 0 { isOther.withLock { $0 = true } }
            return try BatchDecoder.command(line)
        } finish: {
            _ = decoded.post($0)
        }
        #expect(isTaken)
        let names = (decoded.receiveFirst() ?? []).map { line -> String? in
            guard case .success(.update(let name, _)) = line else { return nil }
            return name.id
        }
        #expect(names == (0..<count).map { $0 == 0 ? nil : "t\($0)" })
        #expect(isOther.withLock { $0 } == (count > PreparationQueue.shortBatch))
    }

    private static func command(_ line: String) throws -> Command {
        try BatchDecoder.command(Array(line.utf8)[...])
    }

    @Test(arguments: ["decimal", "percent", "currency", "compact"])
    func `the tick thread compiles nothing for a single update, whatever its decimals are`(style: String) throws {
        let script = NodeScript()
        let format = Self.json(1, style: style)
        let first = try Self.command(#"{"ticker":"a","to":"1.2345","format":\#(format)}"#)
        _ = Self.prepare(FormatUse.all(in: first), script.planner)
        #expect(script.compilations == 1)
        _ = try script.post("a", #"{"to":"1.2345","duration":0,"format":\#(format)}"#)
        _ = try script.post("a", #"{"by":"0.1","duration":1,"interrupt":"queue"}"#)
        _ = try script.post("a", #"{"by":"0.0000001","duration":1,"interrupt":"queue","label":"7"}"#)
        _ = try script.post("b", #"{"to":12,"decimals":3,"format":\#(format)}"#)
        script.now = script.now.advanced(bySeconds: 5)
        script.turn()
        #expect(script.compilations == 1)
    }

    @Test func `the tick thread compiles no number format for nested actions and batches`() throws {
        let script = NodeScript()
        let inner = #"{"ticker":"c","to":3,"duration":0,"format":\#(Self.json(3))}"#
        let then = #"{"ticker":"b","to":2,"duration":0,"format":\#(Self.json(2)),"then":[\#(inner)]}"#
        let line = #"{"ticker":"a","to":1,"duration":0,"format":\#(Self.json(1)),"then":[\#(then)]}"#
        let uses = FormatUse.all(in: try Self.command(line))
        #expect(uses.map(\.pointer) == ["", "then/0/", "then/0/then/0/"])
        _ = Self.prepare(uses, script.planner)
        #expect(script.compilations == 3)
        _ = script.batch([line])
        let source = Array(#"{"in":0,"do":[\#(then)]}"#.utf8)
        let (_, definition) = try ScheduleDecoder.definition(source, rules: NoCalendar())
        let name = ResourceName(.schedule, "s")
        #expect(FormatUse.all(in: .schedule(name, definition)).map(\.pointer) == ["do/0/", "do/0/then/0/"])
        script.receive(
            .asked(.change(.command(CommandRequest(.schedule(name, definition), as: .noContent)), nil)))
        for _ in 0..<10 {
            script.now = script.now.advanced(bySeconds: 1)
            script.turn()
        }
        #expect(script.target("c") == 3)
        #expect(script.compilations == 3)
    }

    @Test func `an invalid number format is rejected with its line and a pointer to its field`() throws {
        let bad = Self.json(1, currency: "NOPE")
        let line = #"{"ticker":"a","to":1,"then":[{"notify":"n"},{"ticker":"b","to":2,"format":\#(bad)}]}"#
        let uses = FormatUse.all(in: try Self.command(line), line: 7)
        let failures = Self.prepare(uses, LocalePlanner())
        #expect(failures.map(\.line) == [7])
        #expect(failures.first?.problem.pointer == "/then/1/format/currency")
        #expect(failures.first?.problem.status == 422)
    }

    @Test(arguments: [false, true])
    func `an unknown locale of a reader is refused by the name of its parameter or field`(isInBody: Bool) {
        let failures = Self.prepare([ReaderLocale.use("a--b", isInBody: isInBody)], LocalePlanner())
        #expect(failures.map(\.problem.status) == [422])
        #expect(failures.first?.problem.pointer == (isInBody ? "/locale" : "?locale"))
    }

    @Test func `the formats of one request are bounded`() {
        let uses = (0..<FormatUse.maximumCount + 5).map { number in
            let isSchedule = number > FormatUse.maximumCount
            return FormatUse(
                line: number, pointer: "", format: NumberFormat(locale: "en-x-a\(number)"),
                localeField: isSchedule ? "locale" : nil)
        }
        let failures = Self.prepare(uses, LocalePlanner())
        #expect(failures.map(\.line) == (FormatUse.maximumCount..<FormatUse.maximumCount + 5).map { $0 })
        #expect(failures.prefix(2).map(\.problem.pointer) == ["/format", "/locale"])
    }

    @Test(arguments: [FormatUse(line: 0, pointer: "", format: format(1)), ReaderLocale.use("de-DE")])
    func `a preparation queue that stops answers waiting requests with 503`(use: FormatUse) {
        let queue = PreparationQueue(LocalePlanner())
        let failures = Mutex<[PreparationQueue.Failure]>([])
        _ = queue.prepare([use]) { found in
            failures.withLock { $0 = found }
        }
        let isCrowded = (0..<PreparationQueue.capacity).contains { number in
            !queue.prepare([FormatUse(line: 0, pointer: "", format: Self.format(number + 2))]) { _ in }
        }
        #expect(isCrowded)
        queue.stop()
        let isStarted = queue.start()
        queue.stop()
        #expect(isStarted && failures.withLock { $0.first?.problem.status } == 503)
    }
}
