// `tweencast exec` and `pipe`: their words, and what is remembered of runs.

import Foundation
import TestSupport
import Testing
import TweencastClient

@testable import tweencast

@Suite struct WorkTests {
    @Test func `exec takes the command after the dashes`() throws {
        let request = try ExecRequest(
            try ClientArguments(.exec, ["build", "--label", "x", "--", "make", "-j", "--label"]))
        #expect(request.id == "build" && request.words == ["make", "-j", "--label"] && request.label == "x")
    }

    @Test(arguments: [
        ["build"], ["build", "make"], ["build", "--"], ["--", "build"], ["a b", "--", "make"],
        ["a", "echo", "--", "b"],
        ["--", "a", "make"],
    ])
    func `exec without a command after dashes is refused`(words: [String]) {
        #expect(throws: ClientUsage.self) { try ExecRequest(try ClientArguments(.exec, words)) }
    }

    @Test func `pipe takes --total and --bytes`() throws {
        let request = try PipeRequest(try ClientArguments(.pipe, ["p", "--total", "1000", "--bytes"]))
        #expect(request.id == "p" && request.total?.description == "1000" && request.countsBytes)
        #expect(throws: ClientUsage.self) { try PipeRequest(try ClientArguments(.pipe, ["p", "--total", "many"])) }
    }

    @Test func `the estimate is the median of the last five runs`() throws {
        let folder = TemporaryFolder()
        var history = RunHistory(in: folder.path, of: "a.b")
        #expect(history.estimate == nil)
        for duration in [90.0, 1, 2, 30, 4, 3] { history.add(duration) }
        #expect(history.estimate == 3)
        #expect(RunHistory(in: folder.path, of: "a.b").durations == [1, 2, 30, 4, 3])
        #expect(RunHistory(in: folder.path, of: "other").estimate == nil)
    }

    @Test func `invalid lines in a run history are skipped`() {
        #expect(RunHistory.parse("x\n-1\nnan\ninf\n5\n\n") == [5])
    }

    @Test func `the state folder comes from XDG or the home folder`() {
        #expect(RunHistory.folder { ["XDG_STATE_HOME": "/s", "HOME": "/h"][$0] } == "/s")
        #expect(RunHistory.folder { ["XDG_STATE_HOME": "s", "HOME": "/h"][$0] } == "/h/.local/state")
        #expect(RunHistory.folder { _ in nil } == nil)
    }

    @Test func `exec's bar takes the estimate for its first motion and twice that for its second`() {
        #expect(ExecCourse(estimate: nil).first == nil)
        #expect(ExecCourse(estimate: 10).first == .seconds(10))
        #expect(ExecCourse(estimate: 10).second == .seconds(20))
    }
}
