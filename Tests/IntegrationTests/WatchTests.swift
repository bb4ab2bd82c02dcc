// What `tweencast watch` draws, byte by byte, and when it ends.

import Base
import OperatingSystem
import Testing

@testable import TweencastClient
@testable import tweencast

@Suite struct WatchTests {
    private static let size = TerminalSize(columns: 40, rows: 10)
    private static let plain = WatchScreen.Style(hasColours: false, isUnicode: true)

    private static func screen(_ names: String..., style: WatchScreen.Style = plain) throws -> WatchScreen {
        WatchScreen(try names.map { try ClientName($0, takesPatterns: true) }, style)
    }

    /// Returns a drawing without the sequences around it, which turn wrapping off and on.
    private static func drawing(_ screen: inout WatchScreen, _ size: TerminalSize = size) -> String {
        let text = screen.draw(size)
        let (off, on) = ("\u{1B}[?7l", "\u{1B}[?7h")
        #expect(text.isEmpty || text.hasPrefix(off) && text.hasSuffix(on))
        return text.isEmpty ? "" : String(text.dropFirst(off.count).dropLast(on.count))
    }

    private static func frame(_ kind: Topic.Kind, _ id: String, _ text: String, fraction: Double? = nil)
        -> ResourceFrame
    {
        ResourceFrame(topic: Topic(kind, id), text: text, value: nil, fraction: fraction)
    }

    @Test func `each name has a row, and rows change in place`() throws {
        var screen = try Self.screen("revenue", "build")
        #expect(Self.drawing(&screen) == "revenue  …\u{1B}[K\nbuild    …\u{1B}[K\n")
        screen.show(Self.frame(.ticker, "revenue", "$5"))
        #expect(Self.drawing(&screen) == "\r\u{1B}[2Arevenue  $5\u{1B}[K\n\n")
        #expect(Self.drawing(&screen) == "")
        screen.show(Self.frame(.progress, "build", "50%", fraction: 0.5))
        let bar = String(repeating: "█", count: 12) + String(repeating: "░", count: 12)
        #expect(Self.drawing(&screen) == "\r\u{1B}[2A\nbuild    \(bar)  50%\u{1B}[K\n")
    }

    @Test func `a bar has the room that its text leaves, or none`() throws {
        var screen = try Self.screen("p", style: WatchScreen.Style(hasColours: true, isUnicode: false))
        screen.show(Self.frame(.progress, "p", "50%", fraction: 0.5))
        #expect(
            Self.drawing(&screen, TerminalSize(columns: 17, rows: 5)) == "p  ####\u{1B}[2m----\u{1B}[0m  50%\u{1B}[K\n")
        screen.forget()
        #expect(Self.drawing(&screen, TerminalSize(columns: 12, rows: 5)).hasSuffix("p  50%\u{1B}[K\n"))
    }

    @Test func `a label with a bar of its own has no second one`() throws {
        var screen = try Self.screen("p")
        screen.show(Self.frame(.progress, "p", "█████░░░░░ 50%", fraction: 0.5))
        #expect(Self.drawing(&screen) == "p  █████░░░░░ 50%\u{1B}[K\n")
    }

    @Test func `no line is as wide as the terminal`() throws {
        for columns in 1...40 {
            var screen = try Self.screen("a-rather-long-name", "b")
            screen.show(Self.frame(.ticker, "b", String(repeating: "漢", count: 60)))
            screen.show(Self.frame(.progress, "a-rather-long-name", "12 of 300 files", fraction: 0.04))
            for line in Self.drawing(&screen, TerminalSize(columns: columns, rows: 10)).split(separator: "\n") {
                let shown = TerminalText(String(line).replacing("\u{1B}[K", with: ""))
                #expect(shown.columns < max(columns, 4), "\(columns): \(line)")
            }
        }
    }

    @Test func `a terminal that became narrower has broken the lines`() throws {
        var screen = try Self.screen("a")
        screen.show(Self.frame(.ticker, "a", String(repeating: "x", count: 30)))
        _ = screen.draw(Self.size)
        let text = Self.drawing(&screen, TerminalSize(columns: 12, rows: 10))
        #expect(text == "\r\u{1B}[3A\u{1B}[Ja  xxxxxxx…\u{1B}[K\n")
        #expect(Self.drawing(&screen) == "\r\u{1B}[1A\u{1B}[Ja  \(String(repeating: "x", count: 30))\u{1B}[K\n")
    }

    @Test func `more rows than the terminal has are counted`() throws {
        var screen = try Self.screen("a-*")
        for number in 0..<20 { screen.show(Self.frame(.ticker, "a-\(number)", "1")) }
        let lines = Self.drawing(&screen, TerminalSize(columns: 40, rows: 5)).split(separator: "\n")
        #expect(lines.count == 4 && lines.last == "17 more\u{1B}[K")
    }

    @Test func `what has no row is counted, too`() throws {
        var screen = try Self.screen("many-*")
        for number in 0..<3_000 {
            screen.show(Self.frame(.ticker, "many-\(number)", "1"))
            screen.show(Self.frame(.ticker, "many-\(number)", "2"))
        }
        let size = TerminalSize(columns: 40, rows: 15)
        #expect(Self.drawing(&screen, size).hasSuffix("2987 more\u{1B}[K\n"))
        screen.remove(Topic(.ticker, "many-2999"))
        #expect(Self.drawing(&screen, size).hasSuffix("2986 more\u{1B}[K\n"))
    }

    @Test func `an interruption is told below the rows, and forgotten`() throws {
        var screen = try Self.screen("a")
        screen.tell("no connection\u{1B}[2J")
        #expect(Self.drawing(&screen).hasSuffix("no connection[2J\u{1B}[K\n"))
        screen.tell(nil)
        #expect(Self.drawing(&screen) == "\r\u{1B}[2A\n\u{1B}[J")
    }

    @Test func `a removed resource says so until it is back`() throws {
        var screen = try Self.screen("a")
        screen.show(Self.frame(.ticker, "a", "5"))
        screen.remove(Topic(.ticker, "a"))
        #expect(Self.drawing(&screen).contains("a  removed"))
        screen.show(Self.frame(.ticker, "a", "6"))
        #expect(Self.drawing(&screen).contains("a  6"))
    }

    @Test func `a reset leaves the names alone`() throws {
        var screen = try Self.screen("a", "b-*")
        screen.show(Self.frame(.ticker, "a", "5"))
        screen.show(Self.frame(.ticker, "b-1", "6"))
        _ = screen.draw(Self.size)
        screen.reset()
        #expect(Self.drawing(&screen) == "\r\u{1B}[2Aa  …\u{1B}[K\n\u{1B}[J")
        screen.show(Self.frame(.ticker, "a", "7"))
        #expect(Self.drawing(&screen).contains("a  7"))
    }

    @Test func `an outage is reported once, and not before a connection has failed`() {
        var outage = WatchOutage(server: "http://a")
        let failure = StreamItem.disconnected(reason: "refused")
        #expect(outage.take(failure) == "no connection to http://a (refused), trying again")
        #expect(outage.take(failure) == nil)
        #expect(outage.take(.connected) == nil)
        #expect(outage.take(failure) == nil)
        #expect(outage.take(failure) != nil)
        #expect(outage.take(failure) == nil)
    }

    @Test func `a file's line is empty once what it shows is lost`() throws {
        var lines = WatchFileLines([try ClientName("a"), try ClientName("b")])
        #expect(lines.take(.frame(Self.frame(.progress, "a", "1%"))) == "1%\n\n")
        #expect(lines.take(.frame(Self.frame(.ticker, "a", "5"))) == "5\n\n")
        #expect(lines.take(Self.event("removed", Topic(.progress, "a"), "deleted")) == nil)
        #expect(lines.take(Self.event("removed", Topic(.ticker, "a"), "deleted")) == "\n\n")
        #expect(lines.take(.frame(Self.frame(.ticker, "b", "6"))) == "\n6\n")
        let reset = StreamEvent(name: "reset", topic: nil, reason: "unknown", frame: nil, json: "")
        #expect(lines.take(.event(reset)) == "\n\n")
    }

    // MARK: - The end

    private static func goals(_ names: String...) throws -> WatchGoals {
        WatchGoals(try names.map { try ClientName($0, takesPatterns: true) })
    }

    private static func event(_ name: String, _ topic: Topic, _ reason: String?, fraction: Double? = nil) -> StreamItem
    {
        let frame = ResourceFrame(topic: topic, text: "", value: nil, fraction: fraction)
        return .event(StreamEvent(name: name, topic: topic, reason: reason, frame: frame, json: ""))
    }

    @Test func `all names have to be done`() throws {
        var goals = try Self.goals("a", "progress:b")
        #expect(goals.take(Self.event("complete", Topic(.ticker, "a"), "superseded")) == nil)
        #expect(goals.take(Self.event("complete", Topic(.ticker, "a"), "finished")) == nil)
        #expect(goals.take(Self.event("complete", Topic(.ticker, "b"), "finished")) == nil)
        #expect(goals.take(Self.event("complete", Topic(.progress, "b"), "finished", fraction: 0.5)) == nil)
        #expect(goals.take(Self.event("complete", Topic(.progress, "b"), "finished", fraction: 1)) == .done)
    }

    @Test func `a progress that is full already is done`() throws {
        var goals = try Self.goals("b")
        #expect(goals.take(.frame(Self.frame(.progress, "b", "100%", fraction: 1))) == .done)
    }

    @Test(arguments: [("removed", "deleted"), ("complete", "cancelled"), ("complete", "removed")])
    func `what is cut off is a failure`(name: String, reason: String) throws {
        var goals = try Self.goals("room-*")
        #expect(goals.take(Self.event(name, Topic(.ticker, "other"), reason)) == nil)
        #expect(goals.take(Self.event(name, Topic(.ticker, "room-1"), reason)) == .failed)
    }
}
