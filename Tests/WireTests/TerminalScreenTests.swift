// The lines of a terminal: names that wait for their topics, other sizes, and what stands below the rows.

import Base
import Testing

@testable import Wire

@Suite struct TerminalScreenTests {
    private var terminal = Terminal()
    private var screen = TerminalScreenTests.screen("a", "b")

    private static func screen(
        _ names: String..., change: (inout TerminalLayout) -> Void = { _ in }
    ) -> TerminalScreen {
        var layout = TerminalLayout()
        (layout.width, layout.height, layout.hasColor) = (40, 10, false)
        change(&layout)
        return TerminalScreen(layout, names: names, mostRows: 1_000)
    }

    private static func frame(_ topic: String, _ text: String, fraction: Double? = nil) -> TerminalFrame {
        let id = String(topic.split(separator: ":")[1])
        return TerminalFrame(topic: topic, name: TerminalText(id), text: text, fraction: fraction)
    }

    private mutating func draw() throws { try terminal.show(screen.draw()) }

    @Test mutating func `each name has a row, and rows change in place`() throws {
        screen = Self.screen("revenue", "build")
        try draw()
        #expect(terminal.lines == ["revenue  …", "build    …", ""])
        screen.show(Self.frame("ticker:revenue", "$5"))
        screen.show(Self.frame("progress:build", "50%", fraction: 0.5))
        try draw()
        let bar = String(repeating: "█", count: 7) + "▌" + String(repeating: " ", count: 7)
        #expect(terminal.lines == ["revenue  $5", "build    ▕\(bar)▏ 50%", ""])
        #expect(screen.draw().isEmpty)
    }

    @Test mutating func `a ticker and a progress of one name have a row each`() throws {
        screen = Self.screen("a", "a")
        screen.show(Self.frame("progress:a", "1%"))
        screen.show(Self.frame("ticker:a", "5"))
        screen.show(Self.frame("progress:a", "2%"))
        try draw()
        #expect(terminal.lines == ["a  2%", "a  5", ""])
    }

    @Test mutating func `a progress bar takes the columns its text leaves, and is left out if they are few`() throws {
        let text = "12 of 300 files"
        for (width, bar) in [(40, 18), (33, 12), (29, 8), (28, nil)] {
            terminal = Terminal()
            screen = Self.screen("p") { ($0.width, $0.isUnicode) = (width, false) }
            screen.show(Self.frame("progress:p", text, fraction: 0.5))
            try draw()
            let blocks = bar.map { String(repeating: "#", count: $0 / 2) + String(repeating: "-", count: $0 / 2) }
            #expect(terminal.lines[0] == "p  " + (blocks.map { "[\($0)] " } ?? "") + text, "\(width)")
        }
    }

    @Test func `no line is wider than the terminal`() {
        for width in 4...40 {
            var screen = Self.screen("a-rather-long-name", "b") { $0.width = width }
            screen.show(Self.frame("ticker:b", String(repeating: "漢", count: 60)))
            screen.show(Self.frame("progress:a-rather-long-name", "12 of 300 files", fraction: 0.04))
            for line in screen.draw().split(separator: UInt8(ascii: "\n")) {
                #expect(TerminalLook.columns(of: Array(line.dropLast())) <= width, "\(width)")
            }
        }
    }

    @Test func `colours take no columns`() {
        let line = TerminalLook.unwrapped("\u{1B}[2ma \u{1B}[0m  ▕\u{1B}[36m███\u{1B}[0m▏ 残り")
        #expect(TerminalLook.columns(of: line) == 14)
    }

    @Test mutating func `narrowing the terminal clears the lines that it has wrapped`() throws {
        screen = Self.screen("a")
        screen.show(Self.frame("ticker:a", String(repeating: "x", count: 30)))
        try draw()
        screen.resize(width: 12, height: 10)
        let text = String(decoding: screen.draw(), as: UTF8.self)
        #expect(text == "\u{1B}[3A\r\u{1B}[J\u{1B}[?7l\u{1B}[Ka  xxxxxxxx…\u{1B}[?7h\r\n")
        screen.resize(width: 40, height: 10)
        try draw()
        #expect(terminal.lines == ["a  \(String(repeating: "x", count: 30))", ""])
    }

    @Test mutating func `rows that fit are all shown, and others are counted until the terminal is larger`() throws {
        screen = Self.screen { $0.height = 5 }
        for number in 0..<4 { screen.show(Self.frame("ticker:a-\(number)", "1")) }
        try draw()
        #expect(terminal.lines == ["a-0  1", "a-1  1", "a-2  1", "a-3  1", ""])
        screen.show(Self.frame("ticker:a-4", "1"))
        screen.show(Self.frame("ticker:a-3", "2"))
        try draw()
        #expect(terminal.lines == ["a-0  1", "a-1  1", "a-2  1", "… and 2 more", ""])
        screen.resize(width: 40, height: 6)
        try draw()
        #expect(terminal.lines == ["a-0  1", "a-1  1", "a-2  1", "a-3  2", "a-4  1", ""])
    }

    @Test mutating func `topics beyond the most rows are counted as well`() throws {
        screen = Self.screen { $0.height = 15 }
        for number in 0..<3_000 {
            screen.show(Self.frame("ticker:many-\(number)", "1"))
            screen.show(Self.frame("ticker:many-\(number)", "2"))
        }
        try draw()
        #expect(terminal.lines.suffix(2) == ["… and 2987 more", ""])
        screen.remove("ticker:many-2999")
        screen.remove("ticker:many-500")
        try draw()
        #expect(terminal.lines.suffix(2) == ["… and 2985 more", ""])
    }

    @Test mutating func `a connection error stands below the rows until it is over`() throws {
        screen.status = "no connection\u{1B}[2J"
        try draw()
        #expect(terminal.lines == ["a  …", "b  …", "no connection[2J", ""])
        screen.status = nil
        try draw()
        #expect(terminal.lines == ["a  …", "b  …", "", ""])
    }

    @Test mutating func `a removed topic's row says removed until the topic is back, and is not reused`() throws {
        screen = Self.screen("a")
        screen.show(Self.frame("ticker:a", "5"))
        screen.remove("ticker:a")
        try draw()
        #expect(terminal.lines == ["a  removed", ""])
        screen.show(Self.frame("ticker:b", "1"))
        screen.show(Self.frame("progress:a", "6%"))
        try draw()
        #expect(terminal.lines == ["a  6%", "b  1", ""])
    }

    @Test mutating func `a reset removes topics without a name of their own and keeps the named rows`() throws {
        screen = Self.screen("a")
        screen.show(Self.frame("ticker:a", "5"))
        screen.show(Self.frame("ticker:b-1", "6"))
        try draw()
        screen.reset()
        try draw()
        #expect(terminal.lines == ["a  …", "", ""])
        screen.show(Self.frame("ticker:a", "7"))
        try draw()
        #expect(terminal.lines == ["a  7", "", ""])
    }

    @Test mutating func `a screen that is forgotten is drawn again below`() throws {
        try draw()
        screen.forget()
        try draw()
        #expect(terminal.lines == ["a  …", "b  …", "a  …", "b  …", ""])
    }
}
