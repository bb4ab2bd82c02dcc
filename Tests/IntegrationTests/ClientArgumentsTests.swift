// The words of a client's commands, as values.

import Base
import Testing
import TweencastClient

@testable import tweencast

@Suite struct ClientArgumentsTests {
    private static let environment = ClientSettings { _ in nil }

    private static func request(_ text: String) throws -> ClientRequest {
        var words = text.split(separator: " ").map(String.init)
        let command = try #require(ClientCommand(rawValue: words.removeFirst()))
        return try #require(try ClientRequest(try ClientArguments(command, words), environment))
    }

    @Test func `set takes an id, a number and options of its motion`() throws {
        guard
            case .set(let id, let number, let motion) = try Self.request(
                "set a.b -12.50 --duration=2 --label $0 --key k")
        else {
            Issue.record("no set")
            return
        }
        #expect(id == "a.b" && number.description == "-12.50")
        #expect(motion.duration == .seconds(2) && motion.label == "$0" && motion.key == "k" && !motion.printsJSON)
    }

    @Test(arguments: [
        ("progress p 42/100", "42", "100"), ("progress p 42", "42", nil), ("progress p .5/1.5", "0.5", "1.5"),
        ("progress p -5/200", "-5", "200"),
    ])
    func `progress takes a current value with an optional total after a slash`(
        text: String, number: String, total: String?
    ) throws {
        guard case .progress("p", let current, let maximum, _) = try Self.request(text) else {
            Issue.record("no progress")
            return
        }
        #expect(current.description == number && maximum?.description == total)
    }

    @Test func `notify sends its text as a JSON string, or as JSON with --json`() throws {
        guard case .notify("n", let json, nil) = try Self.request("notify n a\"\\\u{1}") else {
            Issue.record("no notification")
            return
        }
        #expect(json == #""a\"\\\u0001""#)
        guard case .notify("n", "[1]", nil) = try Self.request("notify n [1] --json"),
            case .notify("n", nil, nil) = try Self.request("notify n")
        else {
            Issue.record("no notification")
            return
        }
    }

    @Test(arguments: [
        "set a", "set a b", "set a 1 2", "set a/b 1", "set .. 1", "set a 1 --nonsense", "set a 1 --json=1",
        "set a 1 --key",
        "set a 1 --duration x", "set a 1 --duration -1", "get", "get a b", "progress p 1/", "progress p 1/2/3",
        "list a b",
        "notify", "get a --duration 1", "set progress:a 1", "add schedule:a 1", "progress ticker:a 1",
        "notify ticker:a",
        "set ticker: 1", "set ticker:a/b 1",
    ])
    func `command lines with wrong or missing words are refused as usage errors`(text: String) {
        #expect(throws: ClientUsage.self) { try Self.request(text) }
    }

    @Test func `a command takes its own kind before the id`() throws {
        guard case .set("a", _, _) = try Self.request("set ticker:a 1"),
            case .add("x:a", _, _) = try Self.request("add x:a 1"),
            case .progress("a:b", _, nil, _) = try Self.request("progress progress:a:b 1"),
            case .notify("n", nil, nil) = try Self.request("notify notification:n"),
            case .list("room-") = try Self.request("list room-*")
        else {
            Issue.record("another id")
            return
        }
        #expect(try PipeRequest(try ClientArguments(.pipe, ["progress:p"])).id == "p")
        #expect(try ExecRequest(try ClientArguments(.exec, ["progress:p", "--", "true"])).id == "p")
    }

    @Test func `the environment sets server, token and idempotency key`() throws {
        let set = ClientSettings { ["TWEENCAST_URL": "http://a", "TWEENCAST_TOKEN": "t", "TWEENCAST_KEY": "k"][$0] }
        #expect(set.server == "http://a" && set.token == "t" && set.key == "k")
        let empty = ClientSettings { _ in "" }
        #expect(empty.server == ClientSettings.usualServer && empty.token == nil && empty.key == nil)
        guard case .add(_, _, let motion) = try ClientRequest(try ClientArguments(.add, ["a", "1"]), set) else {
            Issue.record("no add")
            return
        }
        #expect(motion.key == "k")
    }

    @Test func `every client command is a command of the program, and its help has all flags`() {
        for command in ClientCommand.allCases {
            #expect(Command(rawValue: command.rawValue) != nil)
            for flag in command.flags { #expect(command.help.contains("  \(flag.head) "), "\(command) \(flag)") }
        }
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", "a[31mb"), ("a\nb\tc", "a b c"), ("\u{9B}2J", "2J"), ("\u{2028}", " "),
        ("1.234,50 €", "1.234,50 €"), ("٣ تفاحات", "٣ تفاحات"),
    ])
    func `nothing in a label controls a terminal`(text: String, shown: String) {
        #expect(TerminalText(text).text == shown)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("e\u{301}a", 2, "e\u{301}a"),
        ("👍🏽x", 3, "👍🏽x"), ("abc", 0, ""),
    ])
    func `a text is cut to the terminal's columns`(text: String, columns: Int, shown: String) {
        let cut = TerminalText(text).fitted(to: columns)
        #expect(cut.text == shown && cut.columns <= columns)
    }
}
