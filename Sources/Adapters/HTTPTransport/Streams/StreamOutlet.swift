// Where a stream's bytes go. Both kinds are a socket that a loop waits on, and from the loop's side alike: what isn't taken
// is kept there, and the kernel holds back what it can't send at once.

import Base
package import OperatingSystem

/// What a stream is written to; its loop's alone.
package enum StreamOutlet: Sendable {
    /// That of a place without a stream.
    case nowhere
    /// A socket of the loop's own.
    case socket(SharedDescriptor)
    /// The TLS session of a connection that the library keeps, suspended.
    case session(LentSession)

    /// What to wait on.
    var descriptor: Int32 {
        switch self {
        case .nowhere: -1
        case .socket(let socket): socket.number
        case .session(let lent): lent.descriptor
        }
    }

    /// Sends what the socket takes, without waiting.
    func send(_ bytes: [UInt8], _ range: Range<Int>) -> StreamSocket.Sent {
        switch self {
        case .nowhere: .failed
        case .socket(let socket): StreamSocket.send(socket.number, bytes, range)
        case .session(let lent): lent.session.send(bytes, range)
        }
    }

    /// Reads and drops what a client sent.
    /// - Returns: false when it has closed its side, or sends without end.
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

    /// Bytes that the client has acknowledged, of `sent` and perhaps what came before; only differences tell something.
    func takenBytes(of sent: UInt64) -> UInt64 {
        // Around what was sent there are bytes of TLS, how many only the kernel knows.
        if case .session = self, let acknowledged = StreamSocket.acknowledgedBytes(descriptor) { return acknowledged }
        return sent.subtractingSaturated(UInt64(clamping: StreamSocket.outstandingBytes(descriptor)))
    }

    /// Lets go of it, by its last holder. Nothing waits on the descriptor any more, which may be another's from now on.
    consuming func letGo() {
        if case .session(let lent) = self { lent.giveBack() }
    }
}

/// A connection's TLS session in the hands of a loop: the library keeps the connection suspended, and touches neither its
/// session nor its socket, until it is given back.
package final class LentSession: Sendable {
    let session: TLSSession
    /// The connection's own, open until the session is given back.
    let descriptor: Int32
    private let request: PendingRequest

    init(_ session: TLSSession, descriptor: Int32, of request: PendingRequest) {
        self.session = session
        self.descriptor = descriptor
        self.request = request
    }

    /// Has the library end the connection. Once.
    func giveBack() { request.endLoan() }
}
