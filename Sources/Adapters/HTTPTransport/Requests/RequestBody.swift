// A request's body while it arrives.

/// Collects bytes up to a limit and within a budget; beyond either, only counts them.
struct RequestBody {
    /// Why a request is rejected.
    enum Refusal {
        /// The transport rejects the body.
        case failure(HTTPFailure)
        /// The application rejects the request, whatever its body.
        case judged(HTTPResponse)
    }

    /// A rejected body is read and dropped up to this many times the limit, so that the client sees the response; then the
    /// connection is cut.
    private static let drainFactor = 16

    private(set) var bytes: [UInt8] = []
    /// The most bytes to keep.
    private var limit = 0
    private var announced = 0
    private var count = 0
    /// The owner whose share of the budget it uses.
    private var owner: String?
    private var isKept = true
    /// The answer is being made; further bytes are dropped.
    private(set) var isClosed = false
    /// Why it is rejected, as far as known.
    private(set) var refusal: Refusal?

    /// Applies the head: a body that it already rules out isn't kept.
    /// - Parameter length: `Content-Length`; nil without one.
    mutating func expect(_ length: Int?, by decision: HeadDecision, _ budget: ByteBudget) {
        limit = decision.limit
        announced = min(length ?? 0, limit)
        let least = length ?? 1
        if least > limit { refusal = .failure(.bodyTooLarge(limit: limit)) }
        switch decision.outcome {
        case .kept(let owner):
            self.owner = owner
            if refusal == nil, !budget.hasRoom(for: least, of: owner) { refusal = .failure(.tooManyBodies) }
        case .dropped: isKept = false
        case .refused(let response): refusal = .judged(response)
        }
    }

    /// - Returns: false when far too many bytes have arrived.
    mutating func append(_ piece: UnsafeRawBufferPointer, budget: ByteBudget) -> Bool {
        let (sum, isOver) = count.addingReportingOverflow(piece.count)
        count = isOver ? .max : sum
        if !isClosed, refusal == nil {
            if count > limit {
                refusal = .failure(.bodyTooLarge(limit: limit))
            } else if !isKept {
                return true
            } else if !budget.reserve(piece.count, of: owner, isFirst: bytes.isEmpty) {
                refusal = .failure(.tooManyBodies)
            } else {
                // Arrays double as they grow; never reserve more than announced.
                if count > bytes.capacity, count <= announced { bytes.reserveCapacity(min(announced, count * 2)) }
                unsafe bytes.append(contentsOf: piece)
                return true
            }
            drop(budget)
        }
        return Self.isReadToEnd(count, limit: limit)
    }

    /// Returns whether a rejected body of this length is read to its end. Closing a connection with unread bytes sends a
    /// reset, which can take the response from a client that is still sending (RFC 9112, 9.6).
    /// - Parameter length: `Content-Length`; nil without one.
    func isReadToEnd(_ length: Int?) -> Bool { Self.isReadToEnd(length ?? 1, limit: limit) }

    private static func isReadToEnd(_ count: Int, limit: Int) -> Bool { count / drainFactor <= max(limit, 65_536) }

    /// Drops the bytes, returns their budget, and keeps no more.
    mutating func close(_ budget: ByteBudget) {
        isClosed = true
        drop(budget)
    }

    private mutating func drop(_ budget: ByteBudget) {
        guard !bytes.isEmpty else { return }
        budget.give(bytes.count, of: owner)
        bytes = []
    }
}
