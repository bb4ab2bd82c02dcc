// The wheels that follow a value. They are the same in every frame variant, so they are made once for all.

import Board
import Labels

/// A cache of the last wheels and their inputs.
struct FollowingWheels {
    private var wheels: DigitWheels?
    private var rendering: TickerRendering?
    private var position = Position.exact(.zero)
    private var isTurning = false
    private var parts: [WheelPart] = []
    /// The wheels as JSON.
    private var bytes: [UInt8] = []

    /// Appends the wheels of a rendering's digits at a position.
    /// - Parameter isTurning: false when the position rests: every wheel then shows its whole digit.
    mutating func append(
        _ rendering: TickerRendering, _ carry: DigitWheels.Carry, _ position: Position, isTurning: Bool,
        to out: inout [UInt8]
    ) {
        let isSameRendering = self.rendering === rendering && wheels?.carry == carry
        if !isSameRendering || self.position != position || self.isTurning != isTurning {
            if !isSameRendering { wheels = DigitWheels(rendering.escaped, carry: carry) }
            (self.rendering, self.position, self.isTurning) = (rendering, position, isTurning)
            bytes.removeAll(keepingCapacity: true)
            switch position {
            case .exact(let value): wheels?.appendJSON(value, &parts, to: &bytes)
            case .moving(let value) where isTurning: wheels?.appendJSON(value, &parts, to: &bytes)
            case .moving(let value): wheels?.appendJSON(resting: value, &parts, to: &bytes)
            }
        }
        out.append(contentsOf: bytes)
    }
}
