// IP addresses and networks as numbers, and which belong to the public Internet.

import Glibc

/// An IPv4 or IPv6 address. IPv4 is held in its mapped IPv6 form (RFC 4291, 2.5.5.2), so that both notations of an address
/// are equal.
package struct IPAddress: Hashable, Sendable {
    let bits: UInt128

    init(bits: UInt128) { self.bits = bits }

    /// - Parameter bytes: 4 or 16, in network order.
    package init?(bytes: some Collection<UInt8>) {
        let value = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: bits = Self.mappedPrefix | value
        case 16: bits = value
        default: return nil
        }
    }

    /// - Parameter text: Dotted decimal, or IPv6 with or without brackets; without a zone.
    package init?(_ text: String) {
        var plain = text
        if plain.utf8.first == UInt8(ascii: "["), plain.utf8.last == UInt8(ascii: "]") {
            plain = String(plain.dropFirst().dropLast())
        }
        var (four, six) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, plain, &four) == 1 {
            bits = Self.mappedPrefix | UInt128(UInt32(bigEndian: four.s_addr))
        } else if unsafe inet_pton(AF_INET6, plain, &six) == 1 {
            bits = unsafe withUnsafeBytes(of: &six) { unsafe $0.reduce(0) { $0 << 8 | UInt128($1) } }
        } else {
            return nil
        }
    }

    /// The unit for per-client limits: an IPv4 address (`203.0.113.7`), or the /64 network of an IPv6 address, which belongs
    /// to one customer (`2001:db8:0:1::/64`).
    package var holder: String {
        if Self.mapped.contains(self) {
            return stride(from: 24, through: 0, by: -8).map { "\(UInt8(truncatingIfNeeded: bits >> $0))" }
                .joined(separator: ".")
        }
        return stride(from: 112, through: 64, by: -16)
            .map { String(UInt16(truncatingIfNeeded: bits >> $0), radix: 16) }.joined(separator: ":") + "::/64"
    }

    private static let mappedPrefix = UInt128(0xFFFF) << 32
    private static let mapped = IPNetwork(bits: mappedPrefix, length: 96)
    /// NAT64 (RFC 6052): the last 32 bits are the IPv4 address.
    private static let translated = IPNetwork(bits: UInt128(0x64_FF9B) << 96, length: 96)

    /// Whether it is a loopback address.
    package var isLoopback: Bool { Self.loopback4.contains(self) || self == Self.loopback6 }

    private static let loopback4 = IPNetwork(bits: mappedPrefix | 127 << 24, length: 104)
    private static let loopback6 = IPAddress(bits: 1)

    /// Whether a host of the public Internet may have this address.
    package var isPublic: Bool {
        if Self.translated.contains(self) {
            return IPAddress(bits: Self.mappedPrefix | bits & 0xFFFF_FFFF).isPublic
        }
        let networks = Self.mapped.contains(self) ? Self.special4 : Self.special6
        return !networks.contains { $0.contains(self) }
    }

    /// Networks that are not globally reachable (IANA's registries of special-purpose addresses, RFC 6890 and its updates).
    private static let special4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
    ].compactMap { IPNetwork($0) }

    /// Everything outside global unicast (2000::/3), and the special networks inside it.
    private static let special6 = [
        "::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { IPNetwork($0) }
}

/// A network in CIDR notation.
package struct IPNetwork: Hashable, Sendable {
    private let bits: UInt128
    /// Significant leading bits, of 128.
    private let length: Int

    init(bits: UInt128, length: Int) {
        self.bits = bits
        self.length = length
    }

    /// - Parameter text: `10.0.0.0/8`, `fd00::/8`, or one address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        bits = address.bits
        guard parts.count == 2 else {
            length = 128
            return
        }
        let width = parts[0].contains(":") ? 128 : 32
        guard parts[1].allSatisfy(\.isASCII), let given = Int(parts[1]), (0...width).contains(given) else { return nil }
        length = 128 - width + given
    }

    package func contains(_ address: IPAddress) -> Bool {
        length == 0 || (bits ^ address.bits) >> UInt128(128 - length) == 0
    }
}
