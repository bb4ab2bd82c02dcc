// The destination of a stream's bytes. Each is a socket that a loop waits on: the loop keeps bytes that aren't accepted,
// and the kernel holds back what it can't send at once. Plain sockets can also be sent to through a ring (`SendRing`).

import Base
package import OperatingSystem

/// A stream's destination. Only its loop uses it.
package enum StreamOutlet: Sendable {
    /// For a slot without a stream.
    case nowhere
    /// A socket owned by the loop.
    case socket(SharedDescriptor)
    /// The TLS session of a suspended connection, which libmicrohttpd still owns.
    case session(LentSession)

    /// The descriptor to wait on.
    var descriptor: Int32 {
        switch self {
        case .nowhere: -1
        case .socket(let socket): socket.number
        case .session(let lent): lent.descriptor
        }
    }

    /// Sends what the socket accepts, without waiting. What is left must be passed again unchanged: TLS has already encrypted
    /// a part of it.
    func send(_ bytes: [UInt8], _ range: Range<Int>) -> StreamSocket.Sent {
        switch self {
        case .nowhere: .failed
        case .socket(let socket): StreamSocket.send(socket.number, bytes, range)
        case .session(let lent): lent.session.send(bytes, range)
        }
    }

    /// Reads and drops the client's input.
    /// - Returns: false when the client has closed its side, or sends without end.
    func discardInput() -> Bool {
        switch self {
        case .nowhere: false
        case .socket(let socket): StreamSocket.discardInput(socket.number)
        case .session(let lent): lent.session.discardInput()
        }
    }

    /// Ends a stream so that its last bytes arrive.
    func finish() {
        if case .session(let lent) = self {
            StreamSocket.makeRoomForGoodbye(descriptor)
            lent.session.sayGoodbye()
        }
        StreamSocket.finish(descriptor)
    }

    /// Returns a growing count of bytes that the client has acknowledged. Compare two counts only: over TLS they include its
    /// own bytes and earlier answers of the connection.
    func acknowledgedBytes(of sent: UInt64) -> UInt64 {
        // TLS adds bytes; only the kernel knows how many.
        if case .session = self, let acknowledged = StreamSocket.acknowledgedBytes(descriptor) { return acknowledged }
        return sent.subtractingSaturated(UInt64(clamping: StreamSocket.outstandingBytes(descriptor)))
    }

    /// Releases it. Nothing may wait on the descriptor any more, since its number can be reused from now on.
    consuming func letGo() {
        if case .session(let lent) = self { lent.giveBack() }
    }
}

/// A connection's TLS session lent to a loop. Until it is returned, the library keeps the connection suspended and touches
/// neither its session nor its socket.
package final class LentSession: Sendable {
    let session: TLSSession
    /// The connection's own descriptor, open until the session is returned.
    let descriptor: Int32
    private let request: PendingRequest

    init(_ session: TLSSession, descriptor: Int32, of request: PendingRequest) {
        self.session = session
        self.descriptor = descriptor
        self.request = request
    }

    /// Returns the session, and the library ends the connection. Call it once.
    func giveBack() { request.endLoan() }
}
