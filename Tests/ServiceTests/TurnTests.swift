// The order of a turn: what sees which of its requests.

import Base
import Board
import Gateway
import Machine
import Testing
import Wire

@testable import TweencastService

@Suite struct TurnTests {
    private let script = NodeScript()
    private let name = ResourceName(.ticker, "a")

    private func update(to target: Int) throws -> Message {
        let update = try UpdateDecoder.update(
            Array(#"{"to":\#(target),"duration":0}"#.utf8), kind: .ticker, role: .update)
        return .asked(.change(.command(CommandRequest(.update(name, update), as: .noContent)), nil))
    }

    @Test func `a query sees the requests before it in its turn, and none after it`() throws {
        let reads = (0..<3).map { _ in NotedExchange() }
        let queries = reads.map { Message.asked(.query(.resource(name, preview: 0, locale: nil), $0)) }
        let messages = [queries[0], try update(to: 1), queries[1], try update(to: 2), try update(to: 3), queries[2]]
        #expect(script.node.runTurn(with: messages[...], at: script.now) == messages.count)
        #expect(reads.map(\.status) == [404, 200, 200])
        #expect(reads[1].text.contains(#""revision":"1""#) && reads[2].text.contains(#""revision":"3""#))
    }
}
