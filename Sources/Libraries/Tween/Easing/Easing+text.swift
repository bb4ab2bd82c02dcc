// Formats easings as CSS, or by this library's own names in its style, as text that parses back to an equal value. Not for the frame path.

extension Easing: CustomStringConvertible {
    /// The canonical text, as CSS serialises it: keywords for their curves, no default step position.
    public var description: String {
        switch self {
        case .linear: return "linear"
        case .ease: return "ease"
        case .cssEaseIn: return "ease-in"
        case .cssEaseOut: return "ease-out"
        case .cssEaseInOut: return "ease-in-out"
        case .cubicBezier(let curve):
            let numbers = [curve.x1, curve.y1, curve.x2, curve.y2].map(Self.text)
            return "cubic-bezier(\(numbers.joined(separator: ", ")))"
        case .steps(let steps):
            return "steps(\(steps.count)\(Self.suffix(steps.position)))"
        case .linearStops(let stops):
            let texts = stops.points.map { "\(Self.text($0.output)) \(Self.percentage($0.input))" }
            return "linear(\(texts.joined(separator: ", ")))"
        case .power(let curve):
            return "\(curve.shape.rawValue)(\(Self.text(curve.exponent)))"
        case .penner(let curve):
            return curve.name
        }
    }

    private static func suffix(_ position: Steps.Position) -> String {
        switch position {
        case .jumpStart: ", start"
        case .jumpEnd: ""
        case .jumpNone, .jumpBoth: ", \(position.rawValue)"
        }
    }

    /// Returns the shortest text that reads back as the same double.
    private static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns a fraction as a percentage. Not every double is a hundredth of another, so some need an exponent.
    private static func percentage(_ share: Double) -> String {
        let scaled = text(share * 100)
        if Double("\(scaled)e-2") == share { return "\(scaled)%" }
        let digits = share.description.split(separator: "e", maxSplits: 1)
        let exponent = digits.count == 2 ? Int(digits[1]) ?? 0 : 0
        return "\(digits[0])e\(exponent + 2)%"
    }
}
