// The curves back, elastic and bounce.

/// A curve by Robert Penner that passes its end or bounces off it, in one of three forms.
///
/// Source: R. Penner, "Programming Macromedia Flash MX", 2002, chapter 7. The in-out forms are halves of the others, as in
/// D3 and GSAP. The elastic curve's decay reaches 0 at its end, where 2^(-10 p) would leave a jump of a thousandth.
public struct PennerCurve: Hashable, Sendable {
    /// The kind of movement at its lively end.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Passes the end by a tenth and comes back.
        case back
        /// Oscillates around the end like a plucked string.
        case elastic
        /// Hits the end and bounces off it three times.
        case bounce
    }

    /// The end with the movement.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// The start.
        case `in` = "in"
        /// The end.
        case out = "out"
        /// Both, each at half the size.
        case inOut = "in-out"
    }

    /// The kind of movement.
    public let kind: Kind
    /// The end with the movement.
    public let form: Form

    /// Creates a curve. The default suits arriving numbers: the movement is at the end.
    public init(_ kind: Kind, _ form: Form = .out) {
        self.kind = kind
        self.form = form
    }

    /// Creates the curve with a name such as `back-in`; a kind alone is its out form. Nil for other names.
    init?(named name: String) {
        for kind in Kind.allCases where name.hasPrefix(kind.rawValue) {
            let rest = name.dropFirst(kind.rawValue.count)
            guard !rest.isEmpty else {
                self.init(kind)
                return
            }
            guard rest.first == "-", let form = Form(rawValue: String(rest.dropFirst())) else { return nil }
            self.init(kind, form)
            return
        }
        return nil
    }

    /// The CSS-like name, such as `back-in`.
    var name: String { "\(kind.rawValue)-\(form.rawValue)" }

    /// Returns the eased progress; outside 0...1 the curve stays at its ends.
    func value(at progress: Double) -> Double {
        if progress <= 0 { return 0 }
        if progress >= 1 { return 1 }
        return switch form {
        case .in: lead(progress)
        case .out: 1 - lead(1 - progress)
        case .inOut: progress < 0.5 ? lead(2 * progress) / 2 : 1 - lead(2 - 2 * progress) / 2
        }
    }

    /// Returns the derivative on 0...1, one-sided at a bounce; 0 outside.
    func slope(at progress: Double) -> Double {
        guard progress >= 0, progress <= 1 else { return 0 }
        return switch form {
        case .in: leadSlope(progress)
        case .out: leadSlope(1 - progress)
        case .inOut: leadSlope(progress < 0.5 ? 2 * progress : 2 - 2 * progress)
        }
    }

    /// Where it turns, in order.
    var turns: [LinearStops.Point] {
        let lead = leadTurns
        // The out form is the in form turned by half a circle around the middle.
        let trail = lead.reversed().map { LinearStops.Point(input: 1 - $0.input, output: 1 - $0.output) }
        return switch form {
        case .in: lead
        case .out: trail
        case .inOut:
            lead.map { LinearStops.Point(input: $0.input / 2, output: $0.output / 2) }
                + trail.map { LinearStops.Point(input: ($0.input + 1) / 2, output: ($0.output + 1) / 2) }
        }
    }

    // MARK: - The in forms

    private var leadTurns: [LinearStops.Point] {
        switch kind {
        case .back:
            // The zero of the derivative, p (3 (s + 1) p - 2 s).
            let place = 2 * Self.overshoot / (3 * (Self.overshoot + 1))
            return [LinearStops.Point(input: place, output: lead(place))]
        case .elastic: return Self.elasticTurns
        case .bounce: return Self.bounceTurns
        }
    }

    private func lead(_ p: Double) -> Double {
        switch kind {
        case .back: return p * p * ((Self.overshoot + 1) * p - Self.overshoot)
        case .elastic: return Self.decay(1 - p) * cosine(Self.swing * (1 - p))
        case .bounce:
            let (time, top) = Self.fall(1 - p)
            return 1 - (Self.gravity * time * time + top)
        }
    }

    private func leadSlope(_ p: Double) -> Double {
        switch kind {
        case .back: return p * (3 * (Self.overshoot + 1) * p - 2 * Self.overshoot)
        case .elastic:
            let (left, angle) = (1 - p, Self.swing * (1 - p))
            return Self.decayRate * exponential(-Self.decayRate * left) / (1 - Self.rest) * cosine(angle)
                + Self.swing * Self.decay(left) * sine(angle)
        case .bounce: return 2 * Self.gravity * Self.fall(1 - p).time
        }
    }

    /// Makes it pass its end by a tenth of the way.
    private static let overshoot = 1.70158
    /// Ten halvings per cycle.
    private static let decayRate = 10 * 0.693147180559945309
    private static let rest = 0.0009765625
    /// An oscillation takes 0.3 of the cycle; in radians.
    private static let swing = 2 * Double.pi / 0.3

    /// Returns 2^(-10 x), stretched to be 0 at 1.
    private static func decay(_ x: Double) -> Double { (exponential(-decayRate * x) - rest) / (1 - rest) }

    /// The turns of `elastic-in`: one between any two zeros of its cosine, and of its decay at the start. The stretched decay
    /// leaves no closed form, so the zeros of the derivative are bisected there.
    private static let elasticTurns: [LinearStops.Point] = {
        let curve = PennerCurve(.elastic, .in)
        let half = Double.pi / swing
        return (0...6).reversed().map { index in
            // From the end, as far as the decay counts.
            var (low, high) = ((Double(index) + 0.5) * half, min((Double(index) + 1.5) * half, 1))
            let isRising = curve.leadSlope(1 - low) > 0
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if (curve.leadSlope(1 - middle) > 0) == isRising { low = middle } else { high = middle }
            }
            return LinearStops.Point(input: 1 - high, output: curve.lead(1 - high))
        }
    }()

    /// The turns of `bounce-in`, by 2.75 times what is left of it: the tops of the bounces, and the hits between them.
    private static let bounceTurns: [LinearStops.Point] = [
        (2.625, 0.015625), (2.5, 0.0), (2.25, 0.0625), (2.0, 0.0), (1.5, 0.25), (1.0, 0.0),
    ].map { left, output in LinearStops.Point(input: 1 - left / 2.75, output: output) }

    /// One fall from height 1 takes 1/2.75 of the cycle.
    private static let gravity = 7.5625

    /// Returns the time relative to the current bounce's top, and the progress at that top.
    private static func fall(_ x: Double) -> (time: Double, top: Double) {
        switch x {
        case ..<(1 / 2.75): (x, 0)
        case ..<(2 / 2.75): (x - 1.5 / 2.75, 0.75)
        case ..<(2.5 / 2.75): (x - 2.25 / 2.75, 0.9375)
        default: (x - 2.625 / 2.75, 0.984375)
        }
    }
}
