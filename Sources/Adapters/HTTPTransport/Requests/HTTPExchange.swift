// A request and the way of its answer, as `HTTPRequest` and `HTTPResponder` need them.

/// A request that can be answered once. Everything but `answer` is for the thread that runs the application.
protocol HTTPExchange: AnyObject, Sendable {
    var target: RequestTarget { get }
    var method: String { get }
    var body: [UInt8] { get }
    /// What the application returned from `decide`.
    var context: (any AnyObject & Sendable)? { get }
    /// Monotonic nanoseconds when its head was complete.
    var arrived: Int64 { get }
    var id: String { get }
    /// The client's address without its port; empty if unknown.
    var peer: String { get }
    /// What the application keeps with the connection.
    var attachment: (any AnyObject & Sendable)? { get set }
    var label: RequestLabel { get set }
    /// Headers that its answer gets, whatever that will be.
    var headers: [(name: String, value: String)] { get set }
    /// Whether the request's owner may have another answer wait to be read.
    var hasRoomForAnswer: Bool { get }

    /// Returns a header's first value; names in any case.
    func header(_ name: StaticString) -> String?
    /// Returns the values of a header, in the order of its lines.
    func headerLines(_ name: String) -> [String]
    /// Answers. Only the first answer counts. Any thread may call this.
    func answer(_ answer: PendingAnswer)
}

extension PendingRequest: HTTPExchange {
    var method: String { unsafe intake.method }
    var body: [UInt8] { unsafe intake.body.bytes }
    var context: (any AnyObject & Sendable)? { unsafe intake.context }
    var arrived: Int64 { unsafe intake.began }
    var id: String { unsafe intake.id }
    var peer: String { connection.peer }
    var attachment: (any AnyObject & Sendable)? {
        get { unsafe connection.record?.attachment }
        set { unsafe connection.record?.attachment = newValue }
    }
    var label: RequestLabel {
        get { unsafe intake.label }
        set { unsafe intake.label = newValue }
    }
    var headers: [(name: String, value: String)] {
        get { unsafe answerHeaders }
        set { unsafe answerHeaders = newValue }
    }
    var hasRoomForAnswer: Bool { unsafe worker.requests.unread.hasRoom(for: 1, of: intake.label.owner) }

    func header(_ name: StaticString) -> String? { connection.header(name) }
    func headerLines(_ name: String) -> [String] { connection.headerLines(name) }
}
