// Lists in portions: one document, whatever is removed or comes while it is being sent.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Synchronization
import TestSupport
import Testing
import Wire

@testable import TweencastService

@Suite struct ListBodyTests {
    /// A board of tickers with labels of a kilobyte.
    private func script(_ count: Int) throws -> NodeScript {
        let script = NodeScript()
        let label = String(repeating: "x", count: 1_000)
        for number in 0..<count {
            _ = try script.post("t\(1_000 + number)", #"{"to":\#(number),"duration":0,"label":"\#(label) 0"}"#)
        }
        script.store.settle()
        return script
    }

    private func list(_ script: NodeScript, limit: Int = 1_000, of owner: String? = nil) -> NotedExchange {
        let responder = NotedExchange()
        let query = Query.tracks(
            .ticker, limit: limit, after: nil, locale: nil, within: .everything, of: owner)
        script.receive(.asked(.query(query, responder)))
        while script.node.isBusy { script.turn() }
        return responder
    }

    /// Asks for portions as the transport does.
    private func read(
        _ responder: NotedExchange, _ script: NodeScript, between: (Int) throws -> Void = { _ in }
    ) throws -> [[UInt8]] {
        guard let list = responder.portions else { return [responder.answer?.body ?? []] }
        var portions = [responder.answer?.body ?? []]
        var isLast = false
        while !isLast {
            try between(portions.count)
            let given = Mutex<([UInt8], Bool)?>(nil)
            script.receive(
                .wantsPortion(
                    RequestedChunk(list: list) { bytes, isLast in given.withLock { $0 = (bytes, isLast) } }))
            let portion = try #require(given.withLock { $0 })
            portions.append(portion.0)
            isLast = portion.1
        }
        list.ended()
        script.takePosted()
        return portions
    }

    private func ids(_ portions: [[UInt8]]) throws -> (ids: [String], next: String?) {
        let body = Array(portions.joined())
        _ = try UpdateDecoder.document(body)
        let text = String(decoding: body, as: UTF8.self)
        let next = text.split(separator: #""next":""#).dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
        let ids = text.split(separator: #"{"ticker":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
        return (ids, next)
    }

    @Test func `a short list is sent whole`() throws {
        let script = try script(3)
        let responder = list(script)
        #expect(responder.portions == nil)
        #expect(try ids(read(responder, script)).ids == ["t1000", "t1001", "t1002"])
        #expect(responder.text.hasSuffix("]}"))
    }

    @Test(arguments: [(100, 1_000, nil), (100, 99, "t1098"), (100, 100, nil)] as [(Int, Int, String?)])
    func `a long list comes in portions and is one document`(count: Int, limit: Int, next: String?) throws {
        let script = try script(count)
        let responder = list(script, limit: limit)
        #expect(responder.header("Content-Type") == "application/json")
        let portions = try read(responder, script)
        #expect(portions.count > 3)
        #expect(portions.allSatisfy { $0.count < 2 * StreamedBody.portion })
        let read = try ids(portions)
        #expect(read.ids == (0..<min(count, limit)).map { "t\(1_000 + $0)" })
        #expect(read.next == next)
        #expect(script.node.core.lists.count == 0)
    }

    @Test func `resources removed while a list is being sent are left out`() throws {
        let script = try script(60)
        let responder = list(script)
        let portions = try read(responder, script) { number in
            guard number == 1 else { return }
            for id in 1_020..<1_060 {
                script.receive(
                    .asked(
                        .change(
                            .command(CommandRequest(.remove(ResourceName(.ticker, "t\(id)")), as: .noContent)), nil)))
            }
            script.store.settle()
        }
        let read = try ids(portions)
        #expect(read.ids == (0..<20).map { "t\(1_000 + $0)" })
    }

    @Test func `lists under way are bounded, and those that ended make room`() throws {
        let script = try script(60)
        let lists = (0..<ListBody.maximumCount).map { _ in list(script) }
        #expect(lists.allSatisfy { $0.portions != nil })
        let refused = list(script)
        #expect(refused.status == 503 && refused.header("Retry-After") != nil)
        lists[0].portions?.ended()
        script.takePosted()
        #expect(list(script).portions != nil)
    }

    @Test func `a list that fits into one portion is served beyond the limit of lists in progress`() throws {
        let script = try script(60)
        let lists = (0..<ListBody.maximumCount).map { _ in list(script) }
        let short = list(script, limit: 3)
        #expect(short.status == 200)
        #expect(try ids(read(short, script)).ids.count == 3)
        for list in lists { list.portions?.ended() }
        script.takePosted()
        #expect(script.node.core.lists.count == 0)
    }

    @Test func `one owner can hold at most half of the lists in progress`() throws {
        let script = try script(60)
        for _ in 0..<2 {
            let lists = (0..<ListBody.maximumCount).map { _ in list(script, of: "a") }
            #expect(lists.count { $0.portions != nil } == ListBody.maximumCount / 2)
            #expect(lists.last?.status == 503)
            let other = list(script, of: "b")
            #expect(try ids(read(other, script)).ids.count == 60)
            for list in lists { list.portions?.ended() }
            script.takePosted()
            #expect(script.node.core.lists.count == 0)
        }
    }

    @Test func `a turn makes few list portions, and a change does not wait behind lists`() throws {
        let script = try script(200)
        let lists = (0..<60).map { _ in NotedExchange() }
        let change = NotedExchange()
        let query = Query.tracks(
            .ticker, limit: 1_000, after: nil, locale: nil, within: .everything, of: nil)
        var messages = lists.map { Message.asked(.query(query, $0)) }
        messages.append(
            .asked(
                .change(
                    .command(CommandRequest(.remove(ResourceName(.ticker, "t1000")), as: .noContent)),
                    PendingResponse(change))))
        let taken = script.node.runTurn(with: messages[...], at: script.now)
        script.store.settle()
        let begun = lists.count { $0.status != nil }
        #expect(taken == 61 && change.status == 204)
        #expect((1...ListPager.bytesPerTurn / StreamedBody.portion).contains(begun))
        while script.node.isBusy { script.turn() }
        #expect(lists.allSatisfy { $0.status == 200 })
    }
}
