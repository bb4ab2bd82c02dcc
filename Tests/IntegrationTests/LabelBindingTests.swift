// Labels of a program that show numbers of a server.

import Foundation
import LabelMotion
import TestSupport
import Testing
import TweencastClient

@MainActor @Suite struct LabelBindingTests {
    @Test func `a label shows what is bound to it, until the binding ends`() async throws {
        let server = try ServerProcess()
        let client = Client("http://localhost:\(server.port)")
        let (texts, shown) = AsyncStream<String>.makeStream()
        let (label, progress) = (ShownLabel(shown), ShownLabel(AsyncStream.makeStream().continuation))
        let binding = client.ticker("a").bind(to: label)
        client.progress("p").bind(to: progress)
        try await client.ticker("a").set(250, duration: .milliseconds(100), label: "$0")
        for await text in texts where text == "$250" { break }
        binding.end()
        try await client.ticker("a").set(7, duration: .zero)
        try await client.progress("p").set(30, duration: .zero)
        while progress.text != "30%" { await Task.yield() }
        #expect(label.text == "$250")
    }

    @Test func `a label bound with a valid token shows the ticker, one without reports 401`() async throws {
        let server = try GuardedServer()
        let address = "http://localhost:\(server.server.port)"
        let (texts, shown) = AsyncStream<String>.makeStream()
        let (label, strange) = (ShownLabel(shown), ShownLabel(AsyncStream.makeStream().continuation))
        let client = Client(address, token: GuardedServer.Visitor.admin.token)
        let binding = client.ticker("a").bind(to: label)
        let refused = Client(address).ticker("a").bind(to: strange)
        try await client.ticker("a").set(250, duration: .milliseconds(100), label: "$0")
        for await text in texts where text == "$250" { break }
        let refusal = await #expect(throws: ClientError.self) { try await refused.ended() }
        guard case .refused(let problem)? = refusal else {
            Issue.record("\(refusal as Any)")
            return
        }
        #expect(problem.status == 401)
        #expect(strange.text.isEmpty)
        binding.end()
        try await binding.ended()
    }

    /// A label that reports its texts.
    private final class ShownLabel: TextLabel {
        var text = "" {
            didSet { shown.yield(text) }
        }
        private let shown: AsyncStream<String>.Continuation

        init(_ shown: AsyncStream<String>.Continuation) { self.shown = shown }
    }
}
