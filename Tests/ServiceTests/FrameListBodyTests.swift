// Lists of frames in portions: an answer holds no more than one, however long the list is.

import Base
import Board
import Gateway
import HTTPTransport
import Synchronization
import Testing
import Wire

@testable import TweencastService

@Suite struct FrameListBodyTests {
    private func frames(
        _ label: String, fps: Double, as form: FrameList.Form = .json, cost: AnswerCost = AnswerCost { _ in }
    ) throws -> HTTPResponse {
        let script = NodeScript()
        _ = try script.post("t", #"{"label":"0 \#(label)","to":1000,"duration":60}"#)
        let responder = NotedExchange()
        var selection = FrameList.Selection(from: .sinceStart(0), to: .sinceStart(60))
        selection.framesPerSecond = fps
        let query = Query.frames(ResourceName(.ticker, "t"), selection, form, locale: nil, cost: cost)
        script.receive(.asked(.query(query, responder)))
        return try #require(responder.answer)
    }

    @Test(arguments: FrameList.Form.allCases)
    func `a list of fifteen megabytes is answered with its first portion`(form: FrameList.Form) throws {
        let answer = try frames(String(repeating: "y", count: 4_000), fps: 60, as: form)
        #expect(answer.status == 200)
        #expect((StreamedBody.portion..<StreamedBody.portion + 5_000).contains(answer.body.count))
        #expect(answer.rest is FrameListBody)
    }

    @Test func `a list that fits into a portion is whole`() throws {
        let answer = try frames("", fps: 1)
        #expect(answer.body.count < StreamedBody.portion && answer.rest == nil)
        #expect(answer.body.last == UInt8(ascii: "}"))
    }

    @Test(arguments: [(4_000, 60.0, 3_500...3_700), (0, 60, 40...150), (0, 0.1, 0...0)])
    func `a frame list is charged by its bytes before it is made`(label: Int, fps: Double, requests: ClosedRange<Int>)
        throws
    {
        let counted = Mutex(0)
        let cost = AnswerCost { count in counted.withLock { $0 += count } }
        _ = try frames(String(repeating: "y", count: label), fps: fps, cost: cost)
        let sum = counted.withLock { $0 }
        #expect(requests.contains(sum), "\(sum)")
    }

    @Test func `a frame list without a body is charged only the portion that is made`() throws {
        let counted = Mutex(0)
        let cost = AnswerCost(hasBody: false) { count in counted.withLock { $0 += count } }
        _ = try frames(String(repeating: "y", count: 4_000), fps: 60, cost: cost)
        let sum = counted.withLock { $0 }
        #expect((4...5).contains(sum), "\(sum)")
    }

    @Test func `a frame list beyond the client's rate is refused with 429`() throws {
        let cost = AnswerCost { _ throws(Problem) in throw Problem(429, "Too Many Requests", "slow down", retryAfter: 1)
        }
        let answer = try frames("", fps: 60, cost: cost)
        #expect(answer.status == 429 && answer.rest == nil)
    }
}
