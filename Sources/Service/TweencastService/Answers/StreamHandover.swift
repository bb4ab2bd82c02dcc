// The step from a request to a stream: what the transport calls once the socket is ours, or won't be.

import Base
import EventStream
import HTTPTransport
import Publishing

/// Subscribes a stream as soon as its socket is there.
final class StreamHandover: StreamContext {
    private let opening: OpenedStream
    private let post: @Sendable (Message) -> Void

    init(_ opening: OpenedStream, post: @escaping @Sendable (Message) -> Void) {
        self.opening = opening
        self.post = post
    }

    func opened(_ stream: StreamID) {
        post(.open(opening, stream))
    }

    func failed() {}
}

/// Gives up the place of a stream that was subscribed ahead of its socket, should that not come.
final class StreamReservation: StreamContext {
    let reservation: StreamID?
    private let acceptor: any StreamAcceptor

    init(_ stream: StreamID, of acceptor: any StreamAcceptor) {
        reservation = stream
        self.acceptor = acceptor
    }

    func opened(_ stream: StreamID) {}

    func failed() {
        if let reservation { acceptor.abandon(reservation) }
    }
}

/// A shard is what a stream loop sends.
final class ShardFeed: StreamFeed {
    private var shard: Shard
    private let report: @Sendable ([ClientReport], UInt64) -> Void

    /// - Parameter report: Takes what somebody wants to know of the streams, with the ticket of who asked.
    init(_ shard: consuming Shard, report: @escaping @Sendable ([ClientReport], UInt64) -> Void) {
        self.shard = shard
        self.report = report
    }

    /// What others may read from their threads.
    var counters: ShardCounters { shard.counters }

    func isEnding(_ stream: StreamID) -> Bool { shard.isEnding(stream) }

    func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64) {
        shard.lagChanged(stream, isLagging: isLagging, now: now)
    }

    func inspected(_ sockets: [StreamSocketReport], ticket: UInt64) {
        let reports = sockets.map { socket in
            let key = socket.stream
            return ClientReport(
                socket: socket, statistics: shard.statistics(of: key) ?? StreamStatistics(),
                waitingEvents: shard.waitingEvents(of: key))
        }
        report(reports, ticket)
    }

    func opened(_ stream: StreamID, now: Int64) { shard.opened(stream, now: now) }
    func closed(_ stream: StreamID, _ closure: ClosedSocket) { shard.closed(stream, StreamEnd(closure)) }
    func receive(now: Int64) { shard.receive(now: now) }
    func sent(now: Int64) { shard.sent(now: now) }
    func nextReady(now: Int64) -> StreamID? { shard.nextReady(now: now) }

    func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
        shard.fill(stream, now: now, into: &buffer)
    }

    var nextDeadline: Int64 { shard.nextDeadline }
}

extension StreamEnd {
    /// As the socket's side has it.
    init(_ closure: ClosedSocket) {
        let reason: StreamEndReason =
            switch closure.reason {
            // What its shard ends has a reason of the shard's own.
            case .hangup, .ended: .client
            case .stalled: .stalled
            case .abandoned: .abandoned
            case .stopped: .stopped
            }
        self.init(reason, bytes: closure.sentBytes, opened: closure.opened)
    }
}
