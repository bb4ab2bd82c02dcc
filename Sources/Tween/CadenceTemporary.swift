public struct CadenceEstimator: Hashable, Sendable {
    public init() {}
    public mutating func observe(_ instant: Instant) {}
    public var duration: Double? { nil }
}
