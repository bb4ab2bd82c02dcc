// RSA keys whose private half anybody can find out, though they are long enough.

/// The modulus of a public key, big-endian.
struct RSAModulus {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether one of the small primes divides it.
    var hasSmallFactor: Bool { ([2] + Self.primes).contains { remainder($0) == 0 } }

    /// Whether both its factors are of the form that Infineon's library gave them (CVE-2017-15361, "ROCA"), by which they are
    /// found within days: each is a power of 65,537 modulo the product of the first primes, and so the modulus is one modulo
    /// each of them. Of moduli by chance not one in some hundred millions is (Nemec et al., CCS 2017, 4.1).
    var isGuessable: Bool { Self.primes.allSatisfy { isPower(of: 65_537, modulo: $0) } }

    /// All but 2 up to 167, of which the product for the shortest of those keys is made.
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
