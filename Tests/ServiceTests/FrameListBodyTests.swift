// Lists of frames in portions: an answer holds no more than one, however long the list is.

import Base
import Board
import Gateway
import HTTPTransport
import Testing
import Wire

@testable import TweencastService

@Suite struct FrameListBodyTests {
    private func frames(_ label: String, fps: Double, as form: FrameList.Form = .json) throws -> HTTPResponse {
        let script = NodeScript()
        _ = try script.post("t", #"{"label":"\#(label)0","to":1000,"duration":60}"#)
        let responder = NotedExchange()
        var selection = FrameList.Selection(from: .sinceStart(0), to: .sinceStart(60))
        selection.framesPerSecond = fps
        script.receive(.asked(.query(.frames(ResourceName(.ticker, "t"), selection, form, locale: nil), responder)))
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
}
