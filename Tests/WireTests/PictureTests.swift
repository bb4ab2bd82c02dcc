// Numbers as pictures: well-formed whatever a label has, moving to their end, the same at rest.

import Base
import Board
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct PictureTests {
    private static let now = Instant(nanoseconds: 1_000_000_000)

    /// A track after an update.
    private static func track(_ kind: ResourceKind, _ json: String) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(kind, "a.b")
        let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
        _ = try engine.apply(Command.update(name, update), at: now)
        return try #require(engine.track(name))
    }

    private static func picture(
        _ kind: ResourceKind, _ json: String, after seconds: Double = 0,
        _ change: (inout PictureOptions) -> Void = { _ in }
    ) throws -> TrackPicture {
        var options = PictureOptions(style: kind == .ticker ? .badge : .bar)
        change(&options)
        return TrackPicture(try track(kind, json), options, at: now.advanced(bySeconds: seconds))
    }

    private static func text(_ picture: TrackPicture) throws -> String {
        let svg = picture.svg
        let text = String(decoding: svg, as: UTF8.self)
        var open: [Substring] = []
        for tag in text.matches(of: /<(\/?)([a-zA-Z]+)((?: [a-z:A-Z-]+="[^"<&]*(?:&[a-z#0-9]+;[^"<&]*)*")*)(\/?)>/) {
            if tag.1 == "/" {
                try #require(open.popLast() == tag.2, "\(text)")
            } else if tag.4.isEmpty {
                open.append(tag.2)
            }
        }
        let rest = text.replacing(/<\/?[a-zA-Z]+(?: [a-z:A-Z-]+="[^"<]*")*\/?>/, with: "")
        #expect(open.isEmpty && !rest.contains("<") && !rest.contains(/&(?![a-z#0-9]+;)/), "\(rest)")
        return text
    }

    @Test(arguments: PictureOptions.Style.allCases, PictureOptions.Theme.allCases)
    func `every picture style is well-formed SVG, at rest and moving`(
        style: PictureOptions.Style, theme: PictureOptions.Theme
    )
        throws
    {
        for (json, isMoving) in [
            (#"{"current":42,"duration":0}"#, false), (#"{"current":42,"duration":3}"#, true),
            (#"{"current":100,"duration":0}"#, false), (#"{"indeterminate":"Waiting","duration":0}"#, false),
            (#"{"current":1,"duration":1,"repeat":"forever"}"#, true),
        ] {
            let picture = try Self.picture(.progress, json) { ($0.style, $0.theme) = (style, theme) }
            let svg = try Self.text(picture)
            #expect(picture.isMoving == isMoving, "\(json)")
            // A badge shows a text alone, which may stay the same.
            if style != .badge { #expect(svg.contains("fill=\"freeze\"") == isMoving, "\(json)") }
            #expect(svg.contains("prefers-color-scheme") == (theme == .auto))
        }
    }

    @Test(arguments: [
        #"</text><script>alert(1)</script> 1"#, #"\" onload=\"alert(1) 1"#, #"& &amp; ' 1"#,
        #"\u0000\u0001\u001b[2J\ufffe 1"#,
        "1,50 €", "₹12,34,567 बिक्री", "المبيعات ١٢٣", "残り十二日 1", "👩‍👩‍👧 1",
    ])
    func `a label can't break out of its text`(label: String) throws {
        let svg = try Self.text(try Self.picture(.ticker, #"{"label":"\#(label)","to":7}"#, after: 1))
        #expect(!svg.contains("<script") && !svg.contains(" onload=\"") && !svg.contains("\u{1B}"))
        let own = try Self.text(try Self.picture(.ticker, #"{"to":1,"duration":0}"#) { $0.label = "</text><b>\"" })
        #expect(own.contains("&lt;/text&gt;&lt;b&gt;&quot;"))
    }

    @Test func `a moving number shows each text in its turn, and stays at the last`() throws {
        let picture = try Self.picture(.ticker, #"{"label":"0 l","from":0,"to":10,"duration":1,"easing":"linear"}"#)
        let svg = try Self.text(picture)
        let shown: [Substring] = svg.matches(of: />(\d+) l<(set [^>]*>)?/).map { $0.1 }
        let numbers = (0...10).map { Substring(String($0)) }
        #expect(shown == numbers)
        #expect(svg.contains(#">10 l<set attributeName="visibility" to="visible" begin="1s" fill="freeze"/>"#))
        #expect(svg.contains(#">3 l<set attributeName="visibility" to="visible" begin="0.3s" end="0.4s"/>"#))
        let later = try Self.text(
            try Self.picture(.ticker, #"{"label":"0 l","from":0,"to":10,"duration":1}"#, after: 2))
        #expect(later.contains(">10 l</text>") && !later.contains("<set"))
    }

    @Test(arguments: [0.77, 5, 6.863, 7, 10, 59.999])
    func `each text begins where the one before ends`(duration: Double) throws {
        let json = #"{"label":"0 l","from":0,"to":100000,"duration":\#(duration),"easing":"linear"}"#
        let svg = try Self.text(try Self.picture(.ticker, json))
        let first = try #require(svg.firstMatch(of: /to="hidden" begin="([\d.]+)s"/)).1
        let others = svg.matches(of: /to="visible" begin="([\d.]+)s"(?: end="([\d.]+)s")?/)
        #expect(others.count >= 7)
        let begins: [Substring] = others.map { $0.1 }
        let ends: [Substring] = others.compactMap { $0.2 }
        #expect(begins == [first] + ends)
    }

    @Test func `the picture of the longest label stays below 128 KiB`() throws {
        let label = String(repeating: #"\""#, count: 4_000) + " 5"
        let picture = try Self.picture(.ticker, #"{"label":"\#(label)","to":900000,"duration":300}"#)
        #expect(picture.svg.count < 131_072)
    }

    @Test(arguments: ["e" + String(repeating: "\u{301}", count: 15), "\u{200D}", "\u{E0100}", "\u{301}"])
    func `a label of very long or zero-width characters is cut and gives a small picture`(character: String) throws {
        let label = String(repeating: character, count: 4_000 / character.utf8.count - 8)
        let picture = try Self.picture(.ticker, #"{"label":"0 \#(label)","to":900000,"duration":300}"#)
        #expect(picture.svg.count < 200_000)
        #expect(try Self.text(picture).contains("…"))
    }

    @Test func `the picture of a repeating motion shows values from all of its cycle`() throws {
        let json = #"{"label":"0 l","from":0,"to":100,"duration":0.5,"easing":"linear","repeat":"forever"}"#
        let svg = try Self.text(try Self.picture(.ticker, json))
        let shown = Set(svg.matches(of: />(\d+) l</).map { String($0.1) })
        #expect(shown.isSuperset(of: ["20", "40", "60", "80"]), "\(shown)")
    }

    @Test(arguments: [
        (#""duration":15,"delay":1"#, 16.0), (#""duration":15,"endDelay":1"#, 16), (#""duration":15"#, 15),
        (#""duration":8,"autoreverse":true"#, 12), (#""duration":80"#, 60),
    ])
    func `a picture shows one pass of up to a minute, and twelve seconds of more`(timing: String, span: Double)
        throws
    {
        let track = try Self.track(.ticker, #"{"label":"0 l","from":0,"to":100,\#(timing)}"#)
        #expect(PictureFrames(track, at: Self.now).span == span)
    }

    @Test func `a bar, a ring and a pie fill by the fraction`() throws {
        let half = #"{"current":50,"duration":0}"#
        #expect(try Self.text(Self.picture(.progress, half) { $0.width = 100 }).contains(#"<rect y="20" width="50" "#))
        for style in [PictureOptions.Style.ring, .pie] {
            let svg = try Self.text(try Self.picture(.progress, half) { ($0.style, $0.width) = (style, 50) })
            #expect(svg.contains(#"stroke-dasharray="50 100""#) && svg.contains(#"viewBox="0 0 50 50""#))
        }
        let moving = try Self.text(
            try Self.picture(.progress, #"{"current":100,"duration":0.2,"easing":"linear"}"#) { $0.style = .ring })
        #expect(moving.contains(#"dur="0.2s" values="0 100;50 100;100 100""#))
        #expect(moving.contains(##"<set attributeName="stroke" to="#2da44e" begin="0.2s" fill="freeze"/>"##))
    }

    @Test(arguments: [PictureOptions.Style.bar, .ring, .pie])
    func `a progress without a maximum is drawn with stripes`(style: PictureOptions.Style) throws {
        func svg(_ json: String) throws -> String {
            try Self.text(try Self.picture(.progress, json) { $0.style = style })
        }
        let unknown = try svg(#"{"indeterminate":"Waiting","maximum":null,"duration":0}"#)
        #expect(unknown.contains(style == .bar ? "url(#s)" : #"stroke-dasharray="2.5 2.5""#))
        for current in [0, 100] {
            let known = try svg(#"{"current":\#(current),"duration":0}"#)
            #expect(!known.contains("url(#s)") && !known.contains(#""2.5 2.5""#))
        }
    }

    @Test func `a progress bar's colour changes when it becomes complete or incomplete`() throws {
        func svg(_ updates: String...) throws -> String {
            var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
            let name = ResourceName(.progress, "p")
            for json in updates {
                let update = try UpdateDecoder.update(Array(json.utf8), kind: .progress, role: .update)
                _ = try engine.apply(Command.update(name, update), at: Self.now)
            }
            let track = try #require(engine.track(name))
            return try Self.text(TrackPicture(track, PictureOptions(style: .bar), at: Self.now))
        }
        let falling = try svg(#"{"current":100,"duration":0}"#, #"{"current":50,"duration":1,"delay":2}"#)
        #expect(falling.contains(##"fill="#2da44e""##) && falling.contains(##"to="#0969da" begin="2.1s""##))
        let early = try svg(#"{"current":100,"duration":1,"endDelay":5,"easing":"linear"}"#)
        #expect(early.contains(##"to="#2da44e" begin="1s""##))
    }

    @Test func `a progress with a colour of its own keeps it when complete`() throws {
        let moving = try Self.picture(.progress, #"{"current":100,"duration":1}"#) { $0.color = "tomato" }
        #expect(try !Self.text(moving).contains("#2da44e"))
    }

    @Test(
        arguments: [
            ("2da44e", "#2da44e"), ("#FFF", "#FFF"), ("Tomato", "tomato"), ("12345", nil), ("red;}", nil), ("a\"", nil),
            ("", nil),
            ("url(x)", nil),
        ] as [(String, String?)])
    func `a colour is accepted as a name or as hex digits, all else is refused`(text: String, color: String?) {
        #expect(PictureOptions.color(text) == color)
    }

    @Test func `the shields.io endpoint has the ticker's text as message`() throws {
        let json = try Self.picture(.ticker, #"{"label":"5 \"stars\"","to":5,"duration":0}"#).shieldsEndpoint
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"schemaVersion":1,"label":"a.b","message":"5 \"stars\"","color":"blue","cacheSeconds":300}"#)
    }
}
