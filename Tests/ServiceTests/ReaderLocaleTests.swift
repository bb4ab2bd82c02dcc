// What somebody sees who asks for another locale than the poster's, by values: no socket, and one thread that compiles.

import Base
import Board
import EventStream
import Gateway
import Labels
import Machine
import OperatingSystem
import TestSupport
import Testing
import Wire

@testable import TweencastService

@Suite struct ReaderLocaleTests {
    private static let euros = #""format":{"locale":"en-US","style":"currency","currency":"EUR"}"#

    /// A board of one ticker.
    private func script(_ json: String) throws -> NodeScript {
        let script = NodeScript()
        _ = try script.post("a", json)
        script.store.settle()
        script.takePosted()
        return script
    }

    private func look(_ script: NodeScript, _ query: Query) -> NotedExchange {
        let responder = NotedExchange()
        script.receive(.asked(.query(query, responder)))
        return responder
    }

    /// Looks in a locale as often as it takes until its formats are compiled.
    private func text(of script: NodeScript, in locale: String) throws -> String {
        #expect(script.preparation.start())
        defer { script.preparation.stop() }
        let formats = try #require(script.node.core.machine.engine.track(ResourceName(.ticker, "a")))
            .rendering.formats(in: locale)
        let compiled = Mailbox<Void>(capacity: 1)
        #expect(script.preparation.prepare(formats) { _ = compiled.post(()) })
        _ = compiled.receiveFirst()
        return look(script, .resource(ResourceName(.ticker, "a"), preview: 0, locale: locale)).text
    }

    @Test(arguments: [
        (euros, "de-DE", "1.234,50\u{A0}€"), (euros, "fr-FR", "1\u{202F}234,50\u{A0}€"),
        (euros, "ar-EG", "\u{200F}١٬٢٣٤٫٥٠\u{A0}€"), (euros, "hi-IN", "€1,234.50"),
    ])
    func `a read with a locale shows the poster's currency as that locale writes it`(
        format: String, locale: String, number: String
    ) throws {
        let script = try script(#"{"label":"Total: 1","to":"1234.50","duration":0,\#(format)}"#)
        let text = try text(of: script, in: locale)
        #expect(text.contains("\"text\":\"Total: \(number)\""), "\(text)")
        // What was posted stays as it was posted.
        #expect(text.contains(#""format":{"locale":"en-US","style":"currency","currency":"EUR","#), "\(text)")
    }

    @Test(arguments: [
        ("Users: 1,234", "7654321", "de-DE", "Users: 7.654.321"),
        ("Users: 1,234", "7654321", "hi-IN", "Users: 76,54,321"),
        ("Year 1999", "2026", "de-DE", "Year 2026"), ("Load 0.5", "12.25", "de-DE", "Load 12,25"),
        ("Cost $1,234.50", "98765.40", "de-DE", "Cost $98.765,40"), ("Users: 1,234", "98765", "ar-EG", "Users: ٩٨٬٧٦٥"),
        ("{n, plural, one {# day} other {# days}}", "1", "ar-EG", "١ day"),
        ("{n, plural, one {# day} other {# days}}", "1.5", "de-DE", "1,5 days"),
    ])
    func `a number that was read from its label is written by the reader's locale`(
        label: String, target: String, locale: String, shown: String
    ) throws {
        let script = try script(#"{"label":"\#(label)","to":"\#(target)","duration":0}"#)
        let text = try text(of: script, in: locale)
        #expect(text.contains("\"text\":\"\(shown)\""), "\(text)")
    }

    @Test func `a read waits for formats not yet compiled, and the tick thread does not`() throws {
        let script = try script(#"{"label":"Total: 1","to":"1234.50","duration":0,\#(Self.euros)}"#)
        let compiled = script.compilations
        let page = Query.tracks(.ticker, limit: 10, after: nil, locale: "de-DE", within: .everything, of: nil)
        let waiting = [
            look(script, .resource(ResourceName(.ticker, "a"), preview: 0, locale: "de-DE")), look(script, page),
        ]
        #expect(waiting.allSatisfy { $0.answer == nil })
        #expect(script.compilations == compiled)
        #expect(script.preparation.start())
        let later = Mailbox<Void>(capacity: 1)
        #expect(script.preparation.prepare([]) { _ = later.post(()) })
        _ = later.receiveFirst()
        script.preparation.stop()
        #expect(script.compilations == compiled + 1)
        script.takePosted()
        for answer in waiting { #expect(answer.text.contains("Total: 1.234,50\u{A0}€"), "\(answer.text)") }
        #expect(script.compilations == compiled + 1)
    }
}
