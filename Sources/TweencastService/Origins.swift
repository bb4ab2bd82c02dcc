// Who may talk to a server that asks for no password: guards against DNS rebinding and foreign pages.

/// The host and origin rules.
struct Origins: Sendable {
    private let isLoopback: Bool
    private let allowed: Set<String>

    /// - Parameter host: The address listened on.
    init(host: String, allowedHosts: [String]) {
        isLoopback = Self.isLoopback(host)
        allowed = Set(allowedHosts.map { $0.lowercased() })
    }

    private static let loopbackNames: Set<String> = ["localhost", "127.0.0.1", "[::1]", "::1"]

    /// Whether a `Host` may be answered: on loopback it must be a loopback name or a listed one, since a page could
    /// point a name of its own at this machine.
    func admits(host: String?) -> Bool {
        guard isLoopback else { return true }
        guard let host else { return true }  // HTTP/1.0 has none, and no browser speaks it.
        let name = Self.name(of: host)
        return Self.isLoopback(name) || allowed.contains(name)
    }

    /// Whether a write that came with an `Origin` is from this server's own pages or a listed host's.
    func admitsWrite(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        guard let authority = origin.lowercased().split(separator: "//", maxSplits: 1).last.map(String.init) else {
            return false
        }
        return authority == host?.lowercased() || allowed.contains(Self.name(of: authority))
    }

    /// A loopback name, or an address of 127.0.0.0/8; a name that only begins like one is somebody else's.
    private static func isLoopback(_ name: String) -> Bool {
        loopbackNames.contains(name)
            || name.hasPrefix("127.") && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }

    /// The host without its port.
    private static func name(of authority: String) -> String {
        let lower = authority.lowercased()
        if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") { return String(lower[...end]) }
        return String(lower.prefix { $0 != ":" })
    }
}
