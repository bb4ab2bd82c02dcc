// The step from the library's connection to a stream of our own.

/// What the response of a stream holds until its head is written.
final class StreamTakeOver {
    private let connection: Connection
    private let acceptor: any StreamAcceptor
    private let context: any StreamContext
    private var isTaken = false

    init(_ connection: Connection, _ acceptor: any StreamAcceptor, _ context: any StreamContext) {
        self.connection = connection
        self.acceptor = acceptor
        self.context = context
    }

    /// Keeps a duplicate of the socket. The library takes its own descriptor out of its epoll set and closes it without
    /// shutting the connection down (MHD_USE_TURBO), so that the duplicate lives on alone.
    func take() {
        guard !isTaken else { return }
        isTaken = true
        let descriptor = connection.duplicateDescriptor()
        if descriptor >= 0 {
            acceptor.adopt(descriptor, context)
        } else {
            context.failed()
        }
    }

    /// The response is gone: if its head was never written, there will be no stream.
    func abandon() {
        guard !isTaken else { return }
        isTaken = true
        context.failed()
    }
}
