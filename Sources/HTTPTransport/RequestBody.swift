// A request's body while it arrives.

/// Collects up to a limit; of what goes beyond only the length is kept.
struct RequestBody {
    /// How many times the limit is read and dropped so that a client sees its refusal; then it is cut off.
    private static let patience = 16

    private(set) var bytes: [UInt8] = []
    private var count = 0
    /// The answer is made, or being made: what still comes is dropped.
    var isClosed = false

    /// - Returns: false when there is far too much.
    mutating func append(_ piece: UnsafeRawBufferPointer, limit: Int) -> Bool {
        let (sum, isOver) = count.addingReportingOverflow(piece.count)
        count = isOver ? .max : sum
        if isClosed || count > limit {
            bytes = []
            return count / Self.patience <= max(limit, 65_536)
        }
        unsafe bytes.append(contentsOf: piece)
        return true
    }

    func isLonger(than limit: Int) -> Bool { count > limit }

    /// Hands the bytes out.
    mutating func take() -> [UInt8] {
        isClosed = true
        defer { bytes = [] }
        return bytes
    }
}
