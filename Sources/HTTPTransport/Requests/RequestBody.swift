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
    /// There was no memory for it.
    private var isOverBudget = false

    /// - Parameter announced: The length that the head says; nil when it says none.
    mutating func expect(_ announced: Int?, limit: Int) {
        self.limit = limit
        self.announced = min(announced ?? 0, limit)
    }

    /// - Returns: false when there is far too much.
    mutating func append(_ piece: UnsafeRawBufferPointer, budget: BodyBudget) -> Bool {
        let (sum, isOver) = count.addingReportingOverflow(piece.count)
        count = isOver ? .max : sum
        if !isClosed, !isOverBudget, count <= limit, budget.take(piece.count) {
            // An array doubles when it grows; no more is ever needed than was announced.
            if count > bytes.capacity, count <= announced { bytes.reserveCapacity(min(announced, count * 2)) }
            unsafe bytes.append(contentsOf: piece)
            return true
        }
        isOverBudget = isOverBudget || (!isClosed && count <= limit)
        drop(budget)
        return count / Self.patience <= max(limit, 65_536)
    }

    /// Why a complete body can't be served; nil when it can.
    var failure: HTTPFailure? {
        if count > limit { return .bodyTooLarge(limit: limit) }
        return isOverBudget ? .tooManyBodies : nil
    }

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
