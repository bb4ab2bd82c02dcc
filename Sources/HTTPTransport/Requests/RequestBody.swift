// A request's body while it arrives.

/// Collects up to a limit and within a budget; of what goes beyond either only the length is kept.
struct RequestBody {
    /// How many times the limit is read and dropped so that a client sees its refusal; then it is cut off.
    private static let patience = 16

    private var bytes: [UInt8] = []
    /// The longest that is kept.
    private var limit = 0
    private var announced = 0
    private var count = 0
    /// The answer is made, or being made: what still comes is dropped.
    private(set) var isClosed = false
    /// Why it can't be served, as far as that is known.
    private(set) var failure: HTTPFailure?

    /// - Parameters:
    ///   - announced: The length that the head says; nil when it says none.
    ///   - failure: Why nothing of it is kept, where that is known already.
    mutating func expect(_ announced: Int?, limit: Int, failure: HTTPFailure? = nil) {
        self.limit = limit
        self.announced = min(announced ?? 0, limit)
        self.failure = failure
    }

    /// - Returns: false when there is far too much.
    mutating func append(_ piece: UnsafeRawBufferPointer, budget: BodyBudget) -> Bool {
        let (sum, isOver) = count.addingReportingOverflow(piece.count)
        count = isOver ? .max : sum
        if !isClosed, failure == nil {
            if count > limit {
                failure = .bodyTooLarge(limit: limit)
            } else if !budget.take(piece.count) {
                failure = .tooManyBodies
            } else {
                // An array doubles when it grows; no more is ever needed than was announced.
                if count > bytes.capacity, count <= announced { bytes.reserveCapacity(min(announced, count * 2)) }
                unsafe bytes.append(contentsOf: piece)
                return true
            }
            drop(budget)
        }
        return Self.isHeardOut(count, limit: limit)
    }

    /// Whether a body of such a length is read to its end though it is refused: the end of a connection with bytes that
    /// nobody read is a reset, which takes the answer from a client that is still sending (RFC 9112, 9.6).
    static func isHeardOut(_ count: Int, limit: Int) -> Bool { count / patience <= max(limit, 65_536) }

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
        budget.give(bytes.count)
        bytes = []
    }
}
