// `Prefer`: how it is read, and what an answer without its resource is.

import Base
import Board
import HTTPTransport
import Machine
import Testing
import Wire

@testable import Gateway

@Suite struct PreferTests {
    @Test(arguments: [
        ("return=minimal", true), ("Return = MINIMAL", true), ("return=\"minimal\"", true),
        ("return=\"mini\\mal\"", true), ("respond-async, wait=10,return=minimal", true), (",, return=minimal ,", true),
        ("return=minimal;foo=bar;baz", true), ("return=minimal ; foo=\"a;b,c\" ;", true),
        ("note=\"return=representation, \\\"\", return=minimal", true),
        // The first one counts.
        ("return=minimal, return=representation", true), ("return=representation,return=minimal", false),
        ("return, return=minimal", false), ("return=minimal,return", true),
        ("", false), ("return=representation", false), ("return", false), ("return=\"\"", false),
        ("return=minimalist", false), ("returns=minimal", false), ("x-return=minimal", false),
        ("wait;return=minimal", false), ("minimal", false),
        // Where one can't be read, nobody knows where the next begins.
        ("return=minimal junk", false), ("a b, return=minimal", false), ("return=\"minimal", false),
        ("=1, return=minimal", false), ("return==minimal", false), ("a=\"b, return=minimal", false),
    ])
    func `Prefer's return preference is parsed as RFC 7240 says`(text: String, isMinimal: Bool) {
        #expect(Preferences(text).returnsMinimal == isMinimal)
    }

    @Test func `preferences keep their order, with names in lower case and values as they are`() {
        let all = Preferences("Wait = 10;x, Handling=\"Strict \\\" \"").all
        let expected = [("wait", "10"), ("handling", "Strict \" ")]
        #expect(all == expected.map { Preferences.Preference(name: $0.0, value: $0.1) })
    }

    private static let tag = "ETag: \"3\""
    private static let json = "Content-Type: application/json"

    private static func again(_ status: Int, _ headers: [String]) -> Answer {
        .again(KeptAnswer(status: status, headers: headers, content: .body(Array("{}".utf8))), state: nil)
    }

    @Test(arguments: [
        (again(202, [json, tag]), 204, ["ETag", "Idempotency-Replayed", "Preference-Applied"]),
        (again(200, [json, tag]), 204, ["ETag", "Idempotency-Replayed", "Preference-Applied"]),
        (
            again(202, [json, tag, "Location: /v1/tickers/a"]), 201,
            ["ETag", "Location", "Idempotency-Replayed", "Preference-Applied"]
        ),
    ])
    func `return minimal leaves out the body and keeps the headers of the resource`(
        answer: Answer, status: Int, names: [String]
    ) {
        let minimal = HTTPResponse.minimal(answer)
        #expect(minimal.status == status && minimal.body.isEmpty)
        let common = ["X-Content-Type-Options", "Cache-Control"]
        #expect(minimal.headers.map(\.name) == common + names)
        #expect(minimal.headers.last?.value == "return=minimal")
    }

    @Test(
        arguments: [
            .problem(Problem(412, "Precondition Failed", "no")), .problem(Problem(401, "Unauthorized", "who")),
            .noContent,
            .schedules(isPaused: true, count: 2), again(204, []),
        ] as [Answer])
    func `return minimal changes no answer without a resource`(answer: Answer) {
        let (minimal, whole) = (HTTPResponse.minimal(answer), HTTPResponse.answer(answer))
        #expect(minimal.status == whole.status && minimal.body == whole.body)
        #expect(minimal.headers.map(\.name) == whole.headers.map(\.name))
        #expect(!minimal.headers.contains { $0.name == "Preference-Applied" })
    }
}
