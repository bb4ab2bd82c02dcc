// Where random numbers come from. A simulation gives its own source, so that a seed repeats a run.

import Synchronization

/// A source of random numbers, for any thread.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let draw: @Sendable () -> UInt64

    /// The system's source, which is cryptographic.
    package static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Returns a source that gives the same numbers for the same seed: SplitMix64 (Steele, Lea, Flood: Fast Splittable
    /// Pseudorandom Number Generators, 2014).
    package static func seeded(_ seed: UInt64) -> RandomSource {
        let state = SeededState(seed)
        return RandomSource { state.next() }
    }

    /// - Parameter draw: Returns 64 random bits.
    package init(_ draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    package func next() -> UInt64 { draw() }

    /// Returns a number from 0 up to, but not including, 1.
    package func fraction() -> Double {
        var source = self
        return .random(in: 0..<1, using: &source)
    }

    package func integer(in range: ClosedRange<Int>) -> Int {
        var source = self
        return .random(in: range, using: &source)
    }
}

private final class SeededState: Sendable {
    private let state: Atomic<UInt64>

    init(_ seed: UInt64) { state = Atomic(seed) }

    func next() -> UInt64 {
        var mixed = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
