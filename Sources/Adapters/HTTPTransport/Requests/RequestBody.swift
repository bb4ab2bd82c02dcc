// A request's body while it arrives.

/// Collects up to a limit and within a budget; of what goes beyond either only the length is kept.
struct RequestBody {
    /// Why a request is not served.
    enum Refusal {
        /// The transport can't take the body.
        case failure(HTTPFailure)
        /// The application won't have the request, whatever the body holds.
        case judged(HTTPResponse)
    }

    /// How many times the limit is read and dropped so that a client sees its refusal; then it is cut off.
    private static let patience = 16

    private var bytes: [UInt8] = []
    /// The longest that is kept.
    private var limit = 0
    private var announced = 0
    private var count = 0
    /// Whose room it takes.
    private var owner: String?
    private var isKept = true
    /// The answer is made, or being made: what still comes is dropped.
    private(set) var isClosed = false
    /// Why it can't be served, as far as that is known.
    private(set) var refusal: Refusal?

    /// The head is there: what it says already is why nothing of the body is kept.
    /// - Parameter length: What the head says; nil when it says none.
    mutating func expect(_ length: Int?, by decision: HeadDecision, _ budget: BodyBudget) {
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

    /// - Returns: false when there is far too much.
    mutating func append(_ piece: UnsafeRawBufferPointer, budget: BodyBudget) -> Bool {
        let (sum, isOver) = count.addingReportingOverflow(piece.count)
        count = isOver ? .max : sum
        if !isClosed, refusal == nil {
            if count > limit {
                refusal = .failure(.bodyTooLarge(limit: limit))
            } else if !isKept {
                return true
            } else if !budget.take(piece.count, of: owner, isFirst: bytes.isEmpty) {
                refusal = .failure(.tooManyBodies)
            } else {
                // An array doubles when it grows; no more is ever needed than was announced.
                if count > bytes.capacity, count <= announced { bytes.reserveCapacity(min(announced, count * 2)) }
                unsafe bytes.append(contentsOf: piece)
                return true
            }
            drop(budget)
        }
        return Self.isReadToEnd(count, limit: limit)
    }

    /// Whether a body of such a length is read to its end though it is refused: the end of a connection with bytes that
    /// nobody read is a reset, which takes the answer from a client that is still sending (RFC 9112, 9.6).
    /// - Parameter length: What the head says; nil when it says none.
    func isReadToEnd(_ length: Int?) -> Bool { Self.isReadToEnd(length ?? 1, limit: limit) }

    private static func isReadToEnd(_ count: Int, limit: Int) -> Bool { count / patience <= max(limit, 65_536) }

    /// Hands the bytes out; `close` gives their budget back.
    mutating func take() -> [UInt8] {
        isClosed = true
        return bytes
    }

    /// Nothing more is kept.
    mutating func close(_ budget: BodyBudget) {
        isClosed = true
        drop(budget)
    }

    private mutating func drop(_ budget: BodyBudget) {
        guard !bytes.isEmpty else { return }
        budget.give(bytes.count, of: owner)
        bytes = []
    }
}
