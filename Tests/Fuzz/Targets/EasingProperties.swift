// Easings: their text is read back as the same curve, and no curve leaves the numbers.

import Tween

extension FuzzTarget {
    static let easings = FuzzTarget("easings") { bytes throws(Violation) in
        let text = FuzzInput(bytes).text
        let easing: Easing
        do throws(EasingError) {
            easing = try Easing(parsing: text)
        } catch {
            return try require(!error.description.isEmpty, "an error without words")
        }
        guard let again = try? Easing(parsing: easing.description) else {
            throw Violation("\(easing.description) is not read")
        }
        try require(again == easing, "\(easing) is read back as \(again)")
        for step in 0...64 {
            let value = easing.value(at: Double(step) / 64)
            try require(value.isFinite, "\(easing) is \(value) at \(step) of 64")
            try require(again.value(at: Double(step) / 64) == value, "\(easing) is not what it is read back as")
        }
    }
}
