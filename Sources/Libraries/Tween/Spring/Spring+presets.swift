// Named springs.

extension Spring {
    /// The springs of SwiftUI's names: half a second, and a bounce.
    ///
    /// Source: Apple's documentation of `Animation.smooth`, `.snappy` and `.bouncy`.
    public enum Preset: String, Hashable, Sendable, CaseIterable {
        /// No bounce.
        case smooth
        /// A bounce of 0.15.
        case snappy
        /// A bounce of 0.3.
        case bouncy

        var bounce: Double {
            switch self {
            case .smooth: 0
            case .snappy: 0.15
            case .bouncy: 0.3
            }
        }
    }

    /// Creates the spring of a preset.
    public init(_ preset: Preset) {
        self.init(angularFrequency: 2 * .pi / 0.5, dampingRatio: 1 - preset.bounce)
    }

    /// Half a second without a bounce.
    public static let smooth = Spring(.smooth)
    /// Half a second with a bounce of 0.15.
    public static let snappy = Spring(.snappy)
    /// Half a second with a bounce of 0.3.
    public static let bouncy = Spring(.bouncy)
}
