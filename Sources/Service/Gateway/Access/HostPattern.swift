// Hosts in an operator's lists, for requests, origins and `--webhook-host`.

/// A name or an address, or `*.` and a name, which matches all names below that one but not itself.
struct HostPattern: Hashable, Sendable {
    /// The part after the star, including the dot.
    private let name: String
    private let isOfThoseBelow: Bool

    /// - Parameter name: A name in the form of `Authority`.
    /// - Returns: nil if no host can have the name.
    init?(_ name: String) {
        isOfThoseBelow = name.hasPrefix("*.")
        self.name = isOfThoseBelow ? String(name.dropFirst()) : name
        let isAddress = name.hasPrefix("[") && !isOfThoseBelow
        guard isAddress || self.name.utf8.allSatisfy(Self.isPlain), self.name.utf8.count > (isOfThoseBelow ? 1 : 0)
        else { return nil }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    func admits(_ host: String) -> Bool {
        isOfThoseBelow ? host.hasSuffix(name) && host.utf8.count > name.utf8.count : host == name
    }
}
