// The client's entry: a server's address and token, and what can be asked of it.

import HTTPClient

/// A client of a Tweencast server.
///
///     let client = Client("http://localhost:8080")
///     try await client.ticker("revenue").set(250, duration: .seconds(2))
///     for try await frame in client.ticker("revenue").frames { print(frame.text) }
///
/// A client is a value; its copies share connections. It has a thread only while it waits for an answer or a stream.
public struct Client: Sendable {
    /// How a client behaves.
    public struct Configuration: Sendable {
        /// The token that the server asks for; nil where it asks for none.
        public var token: String?
        /// A file of certificate authorities (PEM) to check the server by; nil for those of libcurl.
        public var authorities: String?
        /// How long a request is retried while the server can't be reached, doesn't answer, or asks to wait. Its first attempt
        /// has a second even without any.
        public var patience = Duration.seconds(10)
        /// Called before each retry of a request, with the reason.
        public var onRetry: (@Sendable (ClientError) -> Void)?

        public init() {}
    }

    /// The address as it was given.
    private let given: String
    /// The address without a slash at its end.
    let server: String
    let configuration: Configuration
    let transfers = TransferLoop(named: "transfers", keeping: 8)

    /// - Parameters:
    ///   - server: `http://localhost:8080`, or the path under which a proxy forwards: `https://example.com/tweens`. An
    ///     address that is none makes every request throw `ClientError.invalidRequest`.
    ///   - token: Sent to this server alone: no redirect is followed.
    public init(_ server: String, token: String? = nil) {
        var configuration = Configuration()
        configuration.token = token
        self.init(server, configuration)
    }

    /// - Parameter server: As above.
    public init(_ server: String, _ configuration: Configuration) {
        given = server
        self.server = ServerAddress.normalized(server)
        self.configuration = configuration
    }

    /// Why the address can't be one of a server; nil if it can. Asks none.
    package var addressRefusal: String? { ServerAddress.isValid(server) ? nil : ServerAddress.refusal(given) }

    /// It leaves the token unsaid: others may read it.
    package static let tokenRefusal =
        "a token has only printable ASCII characters and no line break; copy it again"

    /// Whether a token or key has only characters that a request may have (RFC 9110, 5.5).
    package static func canSend(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    /// Returns a ticker, which need not exist.
    public func ticker(_ id: String) -> RemoteTicker { RemoteTicker(id: id, client: self) }

    /// Returns a progress, which need not exist.
    public func progress(_ id: String) -> RemoteProgress { RemoteProgress(id: id, client: self) }

    /// Returns a schedule, which need not exist.
    public func schedule(_ id: String) -> RemoteSchedule { RemoteSchedule(id: id, client: self) }

    /// Publishes a notification.
    /// - Parameters:
    ///   - json: Its data, any JSON; nil for none.
    ///   - key: The `Idempotency-Key` under which it is published once; nil for a new one.
    public func notify(_ name: String, json: String? = nil, key: String? = nil) async throws(ClientError) {
        let path = "/v1/notifications/\(try ResourceName.escaped(name))"
        _ = try await answer(to: Request(.post, path, body: json ?? "", key: key ?? RetryKey.new()))
    }

    /// Returns all tickers, progress views or schedules, in the order of their ids.
    /// - Parameter prefix: Only ids that begin with it.
    public func list(_ kind: ResourceKind, prefix: String = "") async throws(ClientError) -> [ResourceState] {
        var found: [ResourceState] = []
        var after: String?
        repeat {
            let place = after.map { "&after=\(ServerAddress.escaped($0))" } ?? ""
            let path = "/v1/\(kind.path)?limit=1000&prefix=\(ServerAddress.escaped(prefix))\(place)"
            let page = try ResourcePage(json: try await answer(to: Request(.get, path)))
            found += page.items
            after = page.next
        } while after != nil
        return found
    }

    /// Streams what topics show and what happens to them, over any number of connections.
    public func items(of topics: [Topic], _ options: StreamOptions = StreamOptions()) -> StreamItems {
        StreamItems(client: self, topics: topics, options: options)
    }
}

/// A ticker on a server.
public struct RemoteTicker: Sendable {
    public let id: String
    let client: Client

    /// Moves it to a number, and creates it if there is none.
    /// - Parameters:
    ///   - duration: The time of the way; nil for its default, 2 s unless set otherwise.
    ///   - key: The `Idempotency-Key` under which the update is carried out once, however often it is sent; nil for a new
    ///     one.
    @discardableResult
    public func set(
        _ number: Amount, duration: Duration? = nil, label: String? = nil, easing: String? = nil, key: String? = nil
    ) async throws(ClientError) -> ResourceState {
        var update = Update()
        update.to = number
        update.face(duration, label: label, easing: easing)
        return try await send(update, key)
    }

    /// Adds to its target, and creates it if there is none.
    /// - Parameter key: As for `set`.
    @discardableResult
    public func add(
        _ number: Amount, duration: Duration? = nil, label: String? = nil, easing: String? = nil, key: String? = nil
    ) async throws(ClientError) -> ResourceState {
        var update = Update()
        update.by = number
        update.face(duration, label: label, easing: easing)
        return try await send(update, key)
    }

    /// Returns what it shows now.
    public func state() async throws(ClientError) -> ResourceState { try await client.state(.ticker, id) }

    /// What it shows, frame by frame. Ends when the task is cancelled or it is removed, and throws when the server refuses for good.
    public var frames: ResourceFrames { ResourceFrames(items: client.items(of: [Topic(.ticker, id)])) }

    private func send(_ update: Update, _ key: String?) async throws(ClientError) -> ResourceState {
        try await client.send(update, to: .ticker, id, key)
    }
}

/// A progress on a server.
public struct RemoteProgress: Sendable {
    /// The maximum of a progress.
    public enum Maximum: Sendable {
        case known(Amount)
        case unknown
    }

    public let id: String
    let client: Client

    /// Moves it, and creates it if there is none.
    /// - Parameters:
    ///   - number: How far it is.
    ///   - maximum: Where it is done; nil leaves it, which is 100 for a new one.
    ///   - start: Where the motion starts, at once; nil for where it is.
    ///   - key: As for a ticker.
    @discardableResult
    public func set(
        _ number: Amount, of maximum: Maximum? = nil, from start: Amount? = nil, duration: Duration? = nil,
        label: String? = nil, easing: String? = nil, key: String? = nil
    ) async throws(ClientError) -> ResourceState {
        var update = Update()
        update.current = number
        update.maximum = maximum
        update.from = start
        update.face(duration, label: label, easing: easing)
        return try await client.send(update, to: .progress, id, key)
    }

    /// Stops it where it is.
    public func cancel() async throws(ClientError) {
        let path = try ResourceKind.progress.path(of: id) + "/cancel"
        _ = try await client.answer(to: Request(.post, path, key: RetryKey.new()))
    }

    /// Returns what it shows now.
    public func state() async throws(ClientError) -> ResourceState { try await client.state(.progress, id) }

    /// What it shows, frame by frame. Ends when the task is cancelled or it is removed, and throws when the server refuses for good.
    public var frames: ResourceFrames { ResourceFrames(items: client.items(of: [Topic(.progress, id)])) }
}

/// A schedule on a server.
public struct RemoteSchedule: Sendable {
    public let id: String
    let client: Client

    /// Returns what it shows now.
    public func state() async throws(ClientError) -> ResourceState { try await client.state(.schedule, id) }

    /// The time left, frame by frame. Ends as a ticker's do.
    public var frames: ResourceFrames { ResourceFrames(items: client.items(of: [Topic(.schedule, id)])) }
}
