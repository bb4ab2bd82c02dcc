// A small generator with a seed, so that a property that fails once fails again.

/// SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The same seed gives the same numbers, on every machine.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of the range, evenly spread.
    package mutating func double(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    /// A whole number of the range.
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True with a probability from 0 to 1.
    package mutating func chance(_ probability: Double) -> Bool { double(0...1) < probability }

    /// One of these, each as likely as the others; there must be one.
    package mutating func pick<T>(_ choices: [T]) -> T { choices[int(0...choices.count - 1)] }
}
