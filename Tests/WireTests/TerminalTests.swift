// Streams on a terminal: the same events, as lines that are drawn again in place.

import Base
import EventStream
import Testing

@testable import Wire

@Suite struct TerminalTests {
    private var terminal = Terminal()
    private var screen: TerminalEncoder

    init() { screen = Self.screen() }

    private static func screen(_ change: (inout TerminalLayout) -> Void = { _ in }) -> TerminalEncoder {
        var size = TerminalLayout()
        size.hasColor = false
        change(&size)
        return TerminalEncoder(size)
    }

    private static func frame(_ json: String) -> [UInt8] { SSE.frame(json.utf8) }

    private mutating func show(_ events: [UInt8]...) throws {
        try terminal.show(screen.encoded(Array(events.joined())[...]))
    }

    @Test mutating func `each topic has a line, drawn again in its place`() throws {
        try show(
            SSE.event("hello", payload: "{}".utf8), Self.frame(#"{"ticker":"a.b","value":1,"text":"1 °C"}"#),
            Self.frame(#"{"ticker":"long-name","value":2,"text":"two"}"#))
        #expect(terminal.lines == ["a.b        1 °C", "long-name  two", ""])
        try show(Self.frame(#"{"ticker":"a.b","value":12,"text":"12 °C"}"#))
        #expect(terminal.lines == ["a.b        12 °C", "long-name  two", ""] && terminal.row == 2)
        #expect(screen.encoded(Self.frame(#"{"ticker":"a.b","value":12,"text":"12 °C"}"#)[...]) == [])
        #expect(screen.encoded(SSE.heartbeat[...]) == [0x0D])
    }

    @Test mutating func `a label with a bar of its own has no second one`() throws {
        screen = Self.screen { ($0.width, $0.showsNames) = (44, false) }
        try show(Self.frame(#"{"progress":"p","fraction":0.5,"text":"█████░░░░░ 50%"}"#))
        #expect(terminal.lines[0] == "█████░░░░░ 50%")
    }

    @Test mutating func `a progress has a bar, which is only full at its end`() throws {
        screen = Self.screen { ($0.width, $0.showsNames) = (44, false) }
        func bar(_ fraction: Double) -> [UInt8] {
            Self.frame(#"{"progress":"p","fraction":\#(fraction),"text":"\#(Int(fraction * 100))%"}"#)
        }
        for (fraction, filled, edge) in [(0.0, 0, ""), (0.0001, 0, "▏"), (0.5, 11, ""), (0.9999, 21, "▉"), (1, 22, "")]
        {
            try show(bar(fraction))
            let blocks = String(repeating: "█", count: filled) + edge
            let spaces = String(repeating: " ", count: 22 - blocks.count)
            #expect(terminal.lines[0] == "▕\(blocks)\(spaces)▏ \(Int(fraction * 100))%")
        }
    }

    @Test(arguments: [
        (#"\u001b[2J\u001b]0;title\u0007ok"#, "[2J]0;titleok"), (#"a\rb\nc\u0000"#, "a b c"),
        (#"\u009b31mred"#, "31mred"),
        (#"\u202egnirts"#, "gnirts"), (#"12 \u0665 \u200fعربي"#, "12 \u{665} \u{200F}عربي"),
    ])
    mutating func `control characters in a label don't reach the terminal`(text: String, shown: String) throws {
        screen = Self.screen { $0.showsNames = false }
        try show(Self.frame(#"{"ticker":"t","text":"\#(text)"}"#))
        #expect(terminal.lines == [shown, ""])
    }

    @Test(arguments: [
        ("0123456789012345678901234", "0123456789012345678…"), ("残り十二日残り十二日残", "残り十二日残り十二…"),
        ("e\u{301}e\u{301}", "e\u{301}e\u{301}"), ("👩‍👩‍👧👍🏽🇩🇪", "👩‍👩‍👧👍🏽🇩🇪"),
    ])
    mutating func `a text is cut to the columns that it takes`(text: String, shown: String) throws {
        screen = Self.screen { ($0.width, $0.showsNames) = (20, false) }
        try show(Self.frame(#"{"ticker":"t","text":"\#(text)"}"#))
        #expect(terminal.lines == [shown, ""] && TerminalText(shown).columns <= 20)
    }

    @Test mutating func `topics that don't fit the terminal are counted`() throws {
        screen = Self.screen { $0.height = 4 }
        for name in ["a", "b", "c", "d"] { try show(Self.frame(#"{"ticker":"\#(name)","text":"1"}"#)) }
        #expect(terminal.lines == ["a  1", "b  1", "… and 2 more", ""])
        try show(Self.frame(#"{"ticker":"c","text":"2"}"#), Self.frame(#"{"ticker":"b","text":"2"}"#))
        #expect(terminal.lines == ["a  1", "b  2", "… and 2 more", ""])
    }

    @Test mutating func `an unreadable frame and a topic without a row are hidden`() throws {
        screen = Self.screen { $0.height = 3 }
        try show(Self.frame(#"{"ticker":"first","text":"1"}"#))
        var outcomes: [(isHidden: Bool, bytes: Int)] = []
        for (link, json) in [
            (0, #"{"ticker":"a"}"#), (0, #"{"ticker":"a","text":"1"}"#), (1, #"{"ticker":"b","text":"1"}"#),
            (1, #"{"ticker":"b","text":"2"}"#),
        ] {
            var frame = NewestFrame()
            frame.replace(by: Chunk.of(Self.frame(json))[...])
            var buffer: [UInt8] = []
            let outcome = screen.append(&frame, on: link, to: &buffer)
            let isHidden = if case .hidden(let size) = outcome { size == frame.size } else { false }
            outcomes.append((isHidden, buffer.count))
        }
        #expect(outcomes.map(\.isHidden) == [true, false, true, true])
        // The first topic without a row is counted on the terminal, and its next frame changes nothing.
        #expect(outcomes.map { $0.bytes > 0 } == [false, true, true, false])
    }

    @Test mutating func `a topic with an empty text keeps its line, and one without a fraction has no bar`() throws {
        for (name, text) in [("a", "1"), ("b", ""), ("c", "3")] {
            try show(Self.frame(#"{"progress":"\#(name)","text":"\#(text)","fraction":0.5}"#))
        }
        #expect(terminal.row == 3 && terminal.lines[1].hasPrefix("b  ▕██"))
        try show(Self.frame(#"{"progress":"a","text":"120 rows"}"#), Self.frame(#"{"progress":"c","text":""}"#))
        #expect(terminal.lines[0] == "a  120 rows" && terminal.lines[2] == "c  " && terminal.row == 3)
    }

    @Test mutating func `a removed topic's line goes to the next hidden topic`() throws {
        screen = Self.screen { $0.height = 4 }
        for name in ["a", "b", "c", "d"] { try show(Self.frame(#"{"ticker":"\#(name)","text":"1"}"#)) }
        for name in (0..<100) {
            try show(Self.frame(#"{"ticker":"x\#(name)","text":"1"}"#))
            try show(SSE.event("removed", payload: #"{"ticker":"x\#(name)"}"#.utf8))
        }
        #expect(terminal.lines == ["a  1", "b  1", "… and 2 more", ""])
        try show(SSE.event("removed", payload: #"{"ticker":"a"}"#.utf8))
        try show(Self.frame(#"{"ticker":"d","text":"2"}"#))
        #expect(terminal.lines == ["d  2", "b  1", "c  1", ""])
        try show(SSE.event("removed", payload: #"{"ticker":"b"}"#.utf8), Self.frame(#"{"ticker":"e","text":""}"#))
        #expect(terminal.lines == ["d  2", "e  ", "c  1", ""])
    }

    @Test mutating func `an event without a text gives no line to a counted topic`() throws {
        screen = Self.screen { $0.height = 4 }
        for name in ["a", "b", "c", "d"] { try show(Self.frame(#"{"ticker":"\#(name)","text":"1"}"#)) }
        try show(SSE.event("removed", payload: #"{"ticker":"a"}"#.utf8))
        try show(SSE.event("milestone", payload: #"{"ticker":"d","value":50}"#.utf8))
        #expect(terminal.lines == ["a  removed", "b  1", "… and 2 more", ""])
        try show(Self.frame(#"{"ticker":"d","text":"51"}"#))
        #expect(terminal.lines == ["d  51", "b  1", "c  1", ""])
    }

    @Test mutating func `the terminal says that a topic was removed and that the server ended the stream`() throws {
        try show(Self.frame(#"{"ticker":"a","text":"1"}"#))
        try show(SSE.event("removed", payload: #"{"ticker":"a","reason":"deleted"}"#.utf8))
        try show(SSE.event("bye", payload: #"{"reason":"draining"}"#.utf8))
        #expect(terminal.lines == ["The server ended this stream: draining.", "a  removed", ""])
    }

    @Test mutating func `notifications stand above the lines, which go on`() throws {
        screen = Self.screen { $0.height = 4 }
        func notification(_ json: String) -> [UInt8] { SSE.event("notification", payload: json.utf8) }
        try show(notification(#"{"notification":"first","data":"hello"}"#))
        #expect(terminal.lines == ["first  hello", ""])
        for name in ["a", "b", "c", "d"] { try show(Self.frame(#"{"ticker":"\#(name)","text":"1"}"#)) }
        try show(
            notification(#"{"notification":"Doors","data":{"open":false},"by":{"ticker":"a"}}"#),
            Self.frame(#"{"ticker":"b","text":"2"}"#), notification(#"{"notification":"\u001b[2J"}"#))
        let notices = ["first  hello", #"Doors  {"open":false}"#, "[2J"]
        #expect(terminal.lines == notices + ["a  1", "b  2", "… and 2 more", ""] && terminal.row == 6)
        try show(Self.frame(#"{"ticker":"a","text":"3"}"#))
        #expect(terminal.lines == notices + ["a  3", "b  2", "… and 2 more", ""])
        // A terminal that counts other columns cuts it off, and writes over no line below.
        let long = screen.encoded(notification(#"{"notification":"long"}"#)[...])
        #expect(String(decoding: long, as: UTF8.self).contains("\u{1B}[?7l\u{1B}[Klong\u{1B}[?7h"))
        try terminal.show(long)
        // The line that counts the others is the last one's once there are no others.
        try show(SSE.event("removed", payload: #"{"ticker":"d"}"#.utf8), notification(#"{"notification":"last"}"#))
        #expect(terminal.lines == notices + ["long", "last", "a  3", "b  2", "c  1", ""])
    }

    /// Shows a frame as a stream that reads it newest.
    private static func append(
        _ frame: inout NewestFrame, to screen: inout TerminalEncoder
    ) -> (text: String, isMade: Bool, isHidden: Bool) {
        var bytes: [UInt8] = []
        let outcome = screen.append(&frame, on: 0, to: &bytes)
        Chunk.unwrap(&bytes)
        return switch outcome {
        case .made: (String(decoding: bytes, as: UTF8.self), true, false)
        case .shared: (String(decoding: bytes, as: UTF8.self), false, false)
        case .hidden: (String(decoding: bytes, as: UTF8.self), false, true)
        }
    }

    @Test func `the line of a frame is made once for all terminals of a size`() {
        var frame = NewestFrame()
        var screens = [80, 80, 40].map { width in Self.screen { ($0.width, $0.showsNames) = (width, false) } }
        for (text, made) in [
            ("first", [true, true, true]), ("second", [true, false, true]), ("third", [true, false, true]),
        ] {
            frame.replace(by: Chunk.of(Self.frame(#"{"ticker":"t","text":"\#(text)"}"#))[...])
            for index in screens.indices {
                let shown = Self.append(&frame, to: &screens[index])
                #expect(shown.text.contains(text) && shown.isMade == made[index], "\(index), \(text)")
                #expect(Self.append(&frame, to: &screens[index]).text.isEmpty, "what is shown is not drawn again")
            }
        }
    }

    @Test mutating func `a link reused for another topic shows that topic's line`() throws {
        var frame = NewestFrame()
        for (name, text) in [("a", "1"), ("a", "2"), ("b", "3"), ("a", "4"), ("b", "5")] {
            frame.replace(by: Chunk.of(Self.frame(#"{"ticker":"\#(name)","text":"\#(text)"}"#))[...])
            try terminal.show(Array(Self.append(&frame, to: &screen).text.utf8))
        }
        #expect(terminal.lines == ["a  4", "b  5", ""])
    }

    @Test mutating func `a screen is full until a topic with a line is removed`() throws {
        screen = Self.screen { $0.height = 4 }
        for name in ["a", "b", "c"] { try show(Self.frame(#"{"ticker":"\#(name)","text":"1"}"#)) }
        #expect(screen.isFull)
        var frame = NewestFrame()
        frame.replace(by: Chunk.of(Self.frame(#"{"ticker":"d","text":"1"}"#))[...])
        let hidden = Self.append(&frame, to: &screen)
        #expect(hidden.isHidden)
        try terminal.show(Array(hidden.text.utf8))
        #expect(terminal.lines == ["a  1", "b  1", "… and 2 more", ""])
        try show(SSE.event("removed", payload: #"{"ticker":"a"}"#.utf8))
        #expect(!screen.isFull)
        #expect(!Self.append(&frame, to: &screen).isHidden && screen.isFull)
    }

    @Test func `a text of many bytes is cut before it is read`() {
        let long = "0 " + String(repeating: "e\u{301}\u{301}\u{301}", count: 1_000)
        let cut = TerminalText(long, mostBytes: 1_000)
        #expect(
            cut.text.utf8.count <= 1_003 && cut.text.utf8.starts(with: "0 e\u{301}".utf8) && cut.text.hasSuffix("…"))
        #expect(cut.columns == 2 + 143 + 1)
        #expect(TerminalText("12 km", mostBytes: 5) == TerminalText("12 km"))
        #expect(TerminalText("12 €", mostBytes: 4).text == "12 …")
    }

    @Test(arguments: [
        ("🇩🇪🇫🇷🇮🇹", 4, "🇩🇪…"), ("👩‍👩‍👧👍🏽x", 4, "👩‍👩‍👧…"), ("กำกำกำ", 4, "กำ…"), ("किकिकि", 4, "कि…"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("残残", 3, "残…"), ("ab", 1, "…"), ("ab", 0, ""),
    ])
    func `a text is cut between grapheme clusters`(text: String, columns: Int, shown: String) {
        #expect(TerminalText(text).fitted(to: columns).text == shown)
    }

    @Test func `plain text has a line for each frame`() {
        let events = [
            SSE.event("hello", payload: "{}".utf8), SSE.frame("  1 °C\u{1B}[2J".utf8), SSE.heartbeat,
            SSE.frame("two\nlines".utf8), SSE.event("complete", payload: "{}".utf8),
        ]
        #expect(TextLines().encoded(Array(events.joined())[...]) == Array("  1 °C[2J\ntwo lines\n".utf8))
    }

    @Test(arguments: [
        ("short", 10, "short"), ("exactly ten", 11, "exactly ten"), ("longer than that", 6, "longe…"), ("", 5, ""),
        (String(repeating: "漢", count: 1_000), 7, "漢漢漢…"), (String(repeating: "y", count: 4_000), 3, "yy…"),
        ("e" + String(repeating: "\u{301}", count: 2_000), 5, "e" + String(repeating: "\u{301}", count: 31) + "…"),
        ("👨‍👩‍👧‍👦 x", 4, "👨‍👩‍👧‍👦 x"), ("abc", 0, ""),
    ])
    func `a text cut by bytes before columns shows the same for ordinary characters`(
        text: String, columns: Int, shown: String
    ) {
        #expect(TerminalText(Array(text.utf8), fittedTo: columns).text == shown)
    }
}
