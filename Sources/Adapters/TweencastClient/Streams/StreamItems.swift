// A stream as a sequence, over any number of connections.

import HTTPClient

/// Frames, events and connections. Ends when the task is cancelled or the server says that nothing more will come; throws
/// when the server refuses for good.
public struct StreamItems: AsyncSequence, Sendable {
    public typealias Element = StreamItem
    public typealias Failure = ClientError

    let client: Client
    let topics: [Topic]
    let options: StreamOptions

    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: StreamReader(of: self))
    }

    public struct Iterator: AsyncIteratorProtocol {
        let reader: StreamReader

        public mutating func next() async throws(ClientError) -> StreamItem? { try await reader.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> StreamItem? { try await reader.next() }
    }
}

/// The frames of one resource. Ends when it is removed and as `StreamItems` does, and throws when the server refuses for good.
public struct ResourceFrames: AsyncSequence, Sendable {
    public typealias Element = ResourceFrame
    public typealias Failure = ClientError

    let items: StreamItems

    public func makeAsyncIterator() -> Iterator { Iterator(items: items.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var items: StreamItems.Iterator

        public mutating func next() async throws(ClientError) -> ResourceFrame? { try await next(isolation: nil) }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> ResourceFrame? {
            while let item = try await items.next(isolation: actor) {
                switch item {
                case .frame(let frame): return frame
                case .event(let event) where event.name == "removed": return nil
                case .connected, .event, .disconnected: break
                }
            }
            return nil
        }
    }
}

/// The connections of one iterator, which one task uses at a time. Its end closes the connection.
final class StreamReader {
    private let stream: StreamItems
    private var course = StreamCourse()
    private var connection: Reception?
    private var isOpen = false
    /// The body of an answer that is no stream.
    private var problem: [UInt8] = []

    /// The most bytes of a problem that are kept.
    private static let problemBytes = 65_536
    /// What one piece of the stream has brought, the next item last.
    private var items: [StreamItem] = []
    /// How long to wait before the next connection; nil for the first.
    private var pause: Duration?

    init(of stream: StreamItems) { self.stream = stream }

    deinit { connection?.cancel() }

    func next() async throws(ClientError) -> StreamItem? {
        while true {
            if let item = items.popLast() { return item }
            guard !Task.isCancelled else { return nil }
            if let pause {
                self.pause = nil
                guard (try? await Task.sleep(for: pause)) != nil else { return nil }
            }
            let connection = try connected()
            switch await connection.next() {
            case .bytes(let bytes):
                if connection.status == 200 {
                    receive(bytes)
                } else if problem.count < Self.problemBytes {
                    problem += bytes
                }
            case .end(.cancelled): return nil
            case .end(let end): guard try handle(end) else { return nil }
            }
        }
    }

    private func connected() throws(ClientError) -> Reception {
        if let connection { return connection }
        let last = course.lastID.map { "&lastEventID=\(ServerAddress.escaped($0))" } ?? ""
        let path = try stream.options.path(of: stream.topics) + last
        let request = try stream.client.transfer(Request(.get, path), .silence(stream.options.silence))
        course.begin()
        isOpen = false
        problem = []
        let begun = stream.client.transfers.begin(request)
        connection = begun
        return begun
    }

    private func receive(_ bytes: [UInt8]) {
        let progress = course.receive(bytes)
        items = (isOpen ? [] : [.connected]) + progress.items
        items.reverse()
        isOpen = true
        if progress.isEnding { close(asked: nil) }
    }

    /// Takes the end of a connection.
    /// - Returns: false if nothing more will come.
    private func handle(_ end: TransferEnd) throws(ClientError) -> Bool {
        var reason = "the connection was closed"
        var asked: Int?
        switch end {
        case .complete(let head) where head.status == 200: break
        case .complete(let head) where head.status == 204: return false
        case .complete(let head):
            let problem = ClientError.Problem(status: head.status, body: problem)
            guard ClientError.isTemporary(head.status) else { throw .refused(problem) }
            reason = problem.detail
            asked = head.retryAfter
        case .failed(let text, let isFinal):
            guard !isFinal else { throw .refused(ClientError.Problem(status: 0, detail: text)) }
            reason = text
        case .cancelled: return false
        }
        if !isOpen { course.fail() }
        items = [.disconnected(reason: reason)]
        close(asked: asked)
        return true
    }

    private func close(asked: Int?) {
        connection?.cancel()
        connection = nil
        pause = course.pause(asked: asked)
    }
}
