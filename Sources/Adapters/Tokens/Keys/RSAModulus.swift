// Detects RSA keys that are long enough but whose private key can be computed.

/// The modulus of a public key, big-endian.
struct RSAModulus {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether a small prime divides it.
    var hasSmallFactor: Bool { ([2] + Self.primes).contains { remainder($0) == 0 } }

    /// Whether both factors have the form that Infineon's library used (CVE-2017-15361, "ROCA"), which can be found within
    /// days: each factor is a power of 65,537 modulo the product of the first primes, so the modulus is one modulo each of
    /// them. Fewer than one random modulus in some hundred million matches (Nemec et al., CCS 2017, 4.1).
    var isGuessable: Bool { Self.primes.allSatisfy { isPower(of: 65_537, modulo: $0) } }

    /// All primes up to 167 except 2. For the shortest of those keys, the product consists of them.
    private static let primes = (3...167).filter { number in !(2..<number).contains { number % $0 == 0 } }

    private func remainder(_ divisor: Int) -> Int { bytes.reduce(0) { ($0 << 8 | Int($1)) % divisor } }

    private func isPower(of base: Int, modulo prime: Int) -> Bool {
        let wanted = remainder(prime)
        var power = 1
        repeat {
            if power == wanted { return true }
            power = power * base % prime
        } while power != 1
        return false
    }
}
