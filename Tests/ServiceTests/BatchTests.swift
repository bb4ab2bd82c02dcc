// Batches: in parts, in turns, and with no line acknowledged that is not kept.

import Base
import Board
import Gateway
import Storage
import TestSupport
import Testing
import Tween
import Wire

@testable import Machine
@testable import TweencastService

@Suite struct BatchTests {
    private let full = StoreError(.full, "no room")

    private static func lines(_ count: Int, _ id: String = "a") -> [String] {
        (0..<count).map { _ in #"{"ticker":"\#(id)","by":1,"duration":0}"# }
    }

    private static func statuses(_ responder: NotedExchange) -> [Int] {
        responder.text.split(separator: "\n").compactMap { line in
            line.split(separator: ":").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        }
    }

    @Test func `a long batch leaves room for ticks and others between its parts`() throws {
        let script = NodeScript()
        let batch = script.batch(Self.lines(1_000))
        let done = script.target("a") ?? 0
        #expect(done <= Double(Machine.linesPerPart))
        let other = try script.post("b", #"{"to":1}"#)
        #expect((script.target("a") ?? 0) <= 2 * Double(Machine.linesPerPart))
        script.store.settle()
        #expect(other.status == 202 && batch.status == nil)
        script.finishPortions()
        #expect(script.target("a") == 1_000 && batch.status == nil)
        script.store.settle()
        #expect(batch.status == 200 && batch.header("Content-Type") == "application/x-ndjson")
        #expect(Self.statuses(batch).count == 1_000)
    }

    @Test(arguments: [(1_000, 4), (5_000, 4), (200, 16), (1, 16)])
    func `other changes wait behind at most a few parts of a long batch`(resources: Int, parts: Int) throws {
        let script = NodeScript()
        let lines = (0..<5_000).map { #"{"ticker":"a\#($0 % resources)","by":1,"duration":0}"# }
        _ = script.batch(lines)
        for _ in 0..<20 { script.turn() }
        #expect(script.store.waiting == parts)
        let other = try script.post("b", #"{"to":1}"#)
        script.store.settle(parts + 1)
        #expect(other.status == 202)
        script.finishPortions()
        script.store.settle()
        #expect(script.target("a0") == Double(5_000 / resources))
    }

    @Test func `several batches take turns`() {
        let script = NodeScript()
        _ = script.batch(Self.lines(1_000, "a"))
        _ = script.batch(Self.lines(1_000, "b"))
        for _ in 0..<6 { script.turn() }
        let difference = abs((script.target("a") ?? 0) - (script.target("b") ?? 0))
        #expect(difference <= 2 * Double(Machine.linesPerPart))
        script.finishPortions()
        #expect(script.target("a") == 1_000 && script.target("b") == 1_000)
    }

    @Test func `a turn executes fewer lines of a batch when their events are long`() {
        let script = NodeScript()
        let data = String(repeating: "x", count: 4_000)
        let then = (0..<32).map { _ in #"{"notify":"n","data":"\#(data)"}"# }.joined(separator: ",")
        let line = #"{"ticker":"a","by":1,"duration":0,"then":[\#(then)]}"#
        _ = script.batch(Array(repeating: line, count: 60))
        #expect((script.target("a") ?? 0) < 10)
    }

    @Test func `a turn ends once its messages have published many bytes, and each is answered once`() throws {
        let script = NodeScript()
        let data = String(repeating: "x", count: 4_000)
        let then = (0..<32).map { _ in #"{"notify":"n","data":"\#(data)"}"# }.joined(separator: ",")
        let update = try UpdateDecoder.update(
            Array(#"{"to":1,"duration":0,"then":[\#(then)]}"#.utf8), kind: .ticker, role: .update)
        let exchanges = (0..<60).map { _ in NotedExchange() }
        var messages = exchanges.enumerated().map { number, exchange in
            let change = Command.update(ResourceName(.ticker, "t\(number)"), update)
            return Message.asked(
                .change(.command(CommandRequest(change, as: .noContent)), PendingResponse(exchange)))
        }
        messages.removeFirst(script.node.runTurn(with: messages[...], at: script.now))
        #expect((51..<60).contains(messages.count))
        // What is left for the next turns is answered by them, once.
        while !messages.isEmpty {
            script.store.settle()
            #expect(exchanges.count { $0.status != nil } == exchanges.count - messages.count)
            messages.removeFirst(script.node.runTurn(with: messages[...], at: script.now))
        }
    }

    @Test func `batch lines after a failed commit are answered with 507, those before as stored`() {
        let script = NodeScript()
        let batch = script.batch(Self.lines(700))
        script.store.settle()
        let kept = script.target("a") ?? 0
        script.turn()
        script.store.settle(failing: full)
        script.takePosted()
        script.store.settle()
        #expect(batch.status == 200)
        let statuses = Self.statuses(batch)
        #expect(statuses.count == 700)
        #expect(statuses.count { $0 < 300 } == Int(kept))
        #expect(statuses.dropFirst(Int(kept)).allSatisfy { $0 == 507 })
        script.store.finishRecovery()
        script.takePosted()
        #expect(script.target("a") == kept)
    }

    @Test func `a batch of which nothing is kept is refused as a whole`() {
        let script = NodeScript()
        let batch = script.batch(Self.lines(2 * Machine.linesPerPart))
        script.finishPortions()
        script.store.settle(failing: full)
        #expect(batch.status == 507)
    }

    @Test(arguments: [10, 64, 65, 700])
    func `a batch that is sent again counts once and has the same answer`(count: Int) {
        let script = NodeScript()
        let first = script.batch(Self.lines(count), key: "k")
        script.finishPortions()
        let early = script.batch(Self.lines(count), key: "k")
        script.store.settle()
        let late = script.batch(Self.lines(count), key: "k")
        #expect(script.target("a") == Double(count))
        #expect(first.status == 200 && early.text == first.text && late.text == first.text)
        #expect(late.header("Content-Type") == "application/x-ndjson")
        let restarted = NodeScript(stored: script.store.answers)
        let after = restarted.batch(Self.lines(count), key: "k")
        #expect(after.text == first.text && restarted.target("a") == nil)
    }

    @Test func `a batch that is sent again while it is under way is done once, for both`() {
        let script = NodeScript()
        let first = script.batch(Self.lines(800), key: "k")
        let second = script.batch(Self.lines(800), key: "k")
        script.finishPortions()
        script.store.settle()
        #expect(script.target("a") == 800)
        #expect(first.status == 200 && second.text == first.text)
    }

    @Test func `a batch cut off by a crash goes on where it stopped`() {
        let script = NodeScript()
        _ = script.batch(Self.lines(800), key: "k")
        script.turn()
        let done = Int(script.target("a") ?? 0)
        script.store.settle()
        let restarted = NodeScript(stored: script.store.answers)
        let again = restarted.batch(Self.lines(800), key: "k")
        restarted.finishPortions()
        restarted.store.settle()
        #expect(done > 0 && restarted.target("a") == Double(800 - done))
        #expect(Self.statuses(again).count == 800)
    }

    @Test func `a batch cut off by an outage goes on where it stopped`() {
        let script = NodeScript()
        let first = script.batch(Self.lines(800), key: "k")
        script.store.settle()
        script.turn()
        script.loseStore()
        script.recoverStore()
        #expect(first.status == 200)
        let again = script.batch(Self.lines(800), key: "k")
        script.finishPortions()
        script.store.settle()
        #expect(script.target("a") == 800)
        #expect(Self.statuses(again).count == 800 && Self.statuses(again).allSatisfy { $0 < 300 })
    }

    @Test func `batches under way are bounded in lines and bytes`() {
        let budget = BatchBudget()
        let whole = budget.reserve(lines: BatchBudget.maximumLines, bytes: 1)
        #expect(whole != nil)
        let more = budget.reserve(lines: 1, bytes: 1)
        #expect(more == nil)
        let other = BatchBudget()
        let large = other.reserve(lines: 1, bytes: BatchBudget.maximumBytes)
        let tooLarge = other.reserve(lines: 1, bytes: 1)
        #expect(large != nil && tooLarge == nil)
    }

    @Test func `a finished batch releases its share of the batch budget`() {
        let budget = BatchBudget()
        let script = NodeScript()
        _ = script.batch(
            Self.lines(800), reservation: budget.reserve(lines: BatchBudget.maximumLines, bytes: 1))
        let during = budget.reserve(lines: 1, bytes: 1)
        script.finishPortions()
        script.store.settle()
        let after = budget.reserve(lines: 1, bytes: 1)
        #expect(during == nil && after != nil)
    }
}
