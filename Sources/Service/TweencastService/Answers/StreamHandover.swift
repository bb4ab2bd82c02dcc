// Turns a request into a stream: callbacks for the transport's handover of the socket, successful or not.

import Base
import EventStream
import HTTPTransport
import Publishing

/// Subscribes a stream once its socket is open.
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

/// Releases the place of a stream that was subscribed before its socket opened, if the socket fails to open.
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

/// Feeds a stream loop from a shard.
final class ShardFeed: StreamFeed {
    private var shard: Shard
    private let report: @Sendable ([ClientReport], UInt64) -> Void

    /// - Parameter report: Receives the reports of an inspection, with its number.
    init(_ shard: consuming Shard, report: @escaping @Sendable ([ClientReport], UInt64) -> Void) {
        self.shard = shard
        self.report = report
    }

    /// Counters that other threads may read.
    var counters: ShardCounters { shard.counters }

    func isEnding(_ stream: StreamID) -> Bool { shard.isEnding(stream) }

    func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64) {
        shard.lagChanged(stream, isLagging: isLagging, now: now)
    }

    func inspected(_ sockets: [StreamSocketReport], number: UInt64) {
        let reports = sockets.map { socket in
            let key = socket.stream
            return ClientReport(
                socket: socket, statistics: shard.statistics(of: key) ?? StreamStatistics(),
                waitingEvents: shard.waitingEvents(of: key))
        }
        report(reports, number)
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
    /// Converts the socket's reason.
    init(_ closure: ClosedSocket) {
        let reason: StreamEndReason =
            switch closure.reason {
            // If the shard ended the stream, the shard has its own reason.
            case .hangup, .ended: .client
            case .stalled: .stalled
            case .abandoned: .abandoned
            case .stopped: .stopped
            }
        self.init(reason, bytes: closure.sentBytes, opened: closure.opened)
    }
}
