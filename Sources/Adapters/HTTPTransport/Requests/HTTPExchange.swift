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
    /// Whether the request's owner may have another answer wait to be read.
    var hasRoomForAnswer: Bool { get }

    /// Changes the application's description of it, in place.
    func changeLabel(_ change: (inout RequestLabel) -> Void)
    /// Adds headers that its answer gets, whatever that will be.
    func addHeaders(_ headers: [(name: String, value: String)])
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
    var hasRoomForAnswer: Bool { unsafe worker.requests.unread.hasRoom(for: 1, of: intake.label.owner) }

    func changeLabel(_ change: (inout RequestLabel) -> Void) { unsafe change(&intake.label) }

    func addHeaders(_ headers: [(name: String, value: String)]) {
        // Usually the only call, so the array is taken over without a copy.
        if unsafe self.headers.isEmpty {
            unsafe self.headers = headers
        } else {
            unsafe self.headers += headers
        }
    }

    func header(_ name: StaticString) -> String? { connection.header(name) }
    func headerLines(_ name: String) -> [String] { connection.headerLines(name) }
}
