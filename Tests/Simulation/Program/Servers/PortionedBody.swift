// An answer whose body is made while its client reads it, with all that happens between two portions.

import HTTPTransport

/// The way of a body's portions from a server to a client.
final class PortionedBody: PortionReceiver, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))
    /// The longest that a client takes for a portion.
    private static let pauses: [Int64] = [.milliseconds(1), .milliseconds(20), .milliseconds(150)]
    /// The share of those that may leave which do.
    private static let leaving = 0.3

    private let world: World
    private var response: HTTPResponse
    private let source: any BodySource
    private let pause: Int64
    private let isImpatient: Bool
    private var hasLast = false
    /// Whether a portion was requested and has not come.
    private var isAwaiting = false
    /// Whether the client has all of it, or has left, or the process has died.
    private var isOver = false
    /// Called when the service has something to do.
    var wake: () -> Void = {}
    /// Receives what the client has in the end.
    var ended: (Reply) -> Void = { _ in }

    /// - Parameter response: With the first portion.
    init(_ world: World, _ response: HTTPResponse, _ source: any BodySource, isImpatient: Bool) {
        (self.world, self.response, self.source) = (world, response, source)
        self.isImpatient = isImpatient && world.happens(Self.leaving)
        pause = world.pick(Self.pauses)
    }

    func begin() {
        // The source would hold the socket that it is asked to fill.
        response.rest = nil
        goOnLater()
        if isImpatient { world.after(world.nanoseconds(0...(3 * pause))) { [self] in leave() } }
    }

    private func goOnLater() {
        let time = world.nanoseconds(Self.latency) + world.nanoseconds(0...pause)
        world.after(time) { [self] in goOn() }
    }

    /// The client has read what it was sent.
    private func goOn() {
        guard !isOver else { return }
        if hasLast {
            end(with: .response(response))
            source.ended()
            return wake()
        }
        world.history.mark("portion requested")
        isAwaiting = true
        source.wantsMore(self)
        wake()
    }

    func append(_ portion: [UInt8], isLast: Bool) {
        guard isAwaiting else { return }
        isAwaiting = false
        // Only now does a server notice that its client has left.
        guard !isOver else { return source.ended() }
        response.body += portion
        hasLast = isLast
        goOnLater()
    }

    private func leave() {
        // Who has the last portion has all.
        guard !isOver, !hasLast else { return }
        world.history.mark("client left inside a body")
        end(with: .cut(response.body))
        guard !isAwaiting else { return }
        source.ended()
        wake()
    }

    /// The process dies.
    func die() {
        guard !isOver else { return }
        world.history.mark("body cut off by the end of its server")
        isOver = true
        // What the kernel had not sent of the last portion is lost.
        let rest: Reply = hasLast ? .cut(Array(response.body.dropLast())) : .cut(response.body)
        let reply = hasLast && world.happens(0.5) ? .response(response) : rest
        world.after(world.nanoseconds(Self.latency)) { [self] in ended(reply) }
    }

    private func end(with reply: Reply) {
        isOver = true
        ended(reply)
    }
}
