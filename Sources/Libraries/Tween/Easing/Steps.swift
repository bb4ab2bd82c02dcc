// steps() of CSS Easing Level 2. All arithmetic uses doubles, so that no input can overflow an integer.

/// The staircase of `steps(count, position)`.
public struct Steps: Hashable, Sendable {
    /// CSS's step positions: where the jumps are.
    public enum Position: String, Hashable, Sendable, CaseIterable {
        /// The first jump is at 0 (also written `start`).
        case jumpStart = "jump-start"
        /// The last jump is at 1 (also written `end`, and the default).
        case jumpEnd = "jump-end"
        /// No jump at either end: one jump fewer.
        case jumpNone = "jump-none"
        /// A jump at each end: one jump more.
        case jumpBoth = "jump-both"
    }

    /// The number of intervals: at least 1, at least 2 with `jump-none`, at most 2^31 - 1.
    public let count: Int
    /// Where the jumps are.
    public let position: Position

    /// Creates a staircase.
    ///
    /// - Throws: `EasingError.outOfRange` if `count` is not allowed for the position.
    public init(_ count: Int, _ position: Position = .jumpEnd) throws(EasingError) {
        let least = position == .jumpNone ? 2 : 1
        guard count >= least, count <= Int(Int32.max) else {
            throw .outOfRange("steps() with \(position.rawValue) takes a whole number from \(least) to 2147483647")
        }
        self.count = count
        self.position = position
    }

    /// Returns the height at an input; `before` is CSS's before flag.
    func value(at input: Double, before: Bool) -> Double {
        let scaled = Double(count) * input
        let nearest = scaled.rounded()
        // Products such as 0.28 x 25 = 7.000000000000001 miss their edge, by up to `count` ulps of the input.
        let onEdge = (scaled - nearest).magnitude <= input.ulp * Double(count)
        var step = onEdge ? nearest : scaled.rounded(.down)
        if position == .jumpStart || position == .jumpBoth { step += 1 }
        if before, onEdge { step -= 1 }
        let jumps = jumpCount
        if input >= 0 { step = max(step, 0) }
        if input <= 1 { step = min(step, jumps) }
        return step / jumps
    }

    private var jumpCount: Double {
        switch position {
        case .jumpStart, .jumpEnd: Double(count)
        case .jumpNone: Double(count - 1)
        case .jumpBoth: Double(count + 1)
        }
    }
}
