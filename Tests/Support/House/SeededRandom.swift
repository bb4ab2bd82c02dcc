// A small random generator with a seed, so that failures of property tests can be reproduced.

/// SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The same seed gives the same numbers on every machine.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a uniformly distributed number in the range.
    package mutating func double(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    /// Returns a uniformly distributed integer in the range.
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns true with a probability from 0 to 1.
    package mutating func chance(_ probability: Double) -> Bool { double(0...1) < probability }

    /// Returns one of the choices, all equally likely; there must be one.
    package mutating func pick<T>(_ choices: [T]) -> T { choices[int(0...choices.count - 1)] }
}
