// A source of portions that a test steers, and the reading of chunked bodies.

import HTTPTransport
import TestSupport

/// Gives numbered portions, at once or when the test says so.
final class PortionSource: BodySource {
    struct State {
        var asked = 0
        var ended = 0
        var waiting: (any PortionReceiver)?
    }

    let state = Watched(State())
    private let portions: [[UInt8]]
    private let isLater: Bool

    /// - Parameter isLater: Portions are given by `give` alone.
    init(_ portions: [[UInt8]], isLater: Bool = false) {
        self.portions = portions
        self.isLater = isLater
    }

    func wantsMore(_ body: any PortionReceiver) {
        state.update {
            $0.asked += 1
            $0.waiting = body
        }
        if !isLater { give() }
    }

    func ended() { state.update { $0.ended += 1 } }

    /// Gives the next portion to the body that waits for it.
    func give() {
        let (body, index) = state.update { state in
            defer { state.waiting = nil }
            return (state.waiting, state.asked - 1)
        }
        guard portions.indices.contains(index) else { return }
        body?.append(portions[index], isLast: index == portions.count - 1)
    }

    /// Waits for the question and gives, until all are given.
    func giveAll() {
        for asked in 1...portions.count {
            state.wait { $0.asked == asked && $0.waiting != nil }
            give()
        }
    }
}

extension RawConnection {
    /// A chunked body; nil when it is cut off.
    func readChunks() throws -> String? {
        var body = ""
        while true {
            guard let line = try read(through: "\r\n"), let size = Int(line.dropLast(1), radix: 16) else { return nil }
            guard let chunk = try read(count: size + 2) else { return nil }
            if size == 0 { return body }
            body += String(decoding: chunk.utf8.dropLast(2), as: UTF8.self)
        }
    }

    /// The head of an answer, in lower case.
    func readHead() throws -> String? { try read(through: "\r\n\r\n")?.lowercased() }
}
