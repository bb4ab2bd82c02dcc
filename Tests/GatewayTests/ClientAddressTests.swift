// Whose address counts behind proxies, and whose keys of retries are apart.

import OperatingSystem
import Testing

@testable import Gateway

@Suite struct ClientAddressTests {
    private static let networks = ["10.0.0.0/8", "127.0.0.0/8"].compactMap { IPNetwork($0) }

    /// Hops, the client's end first, as each of the two headers has them.
    private static func told(_ hops: [String], as header: ProxyHeader) -> String {
        hops.map { header == .forwarded ? "for=\($0)" : $0 }.joined(separator: ", ")
    }

    private static let proxy = "10.0.0.2"

    @Test(arguments: [ProxyHeader.forwardedFor, .forwarded])
    func `a proxy chain beyond the limit gives an unknown client`(header: ProxyHeader) {
        let proxies = TrustedProxies(Self.networks, header: header)
        func client(_ hops: [String]) -> String { proxies.client(peer: "127.0.0.1", told: Self.told(hops, as: header)) }
        for (count, isKnown) in [(0, true), (31, true), (32, false), (33, false), (40, false), (1_000, false)] {
            let chain = ["203.0.113.7"] + [String](repeating: Self.proxy, count: count)
            #expect(client(chain) == (isKnown ? "203.0.113.7" : TrustedProxies.unknownClient), "\(count)")
        }
        // Proxies that ask for themselves.
        #expect(client([String](repeating: Self.proxy, count: 32)) == Self.proxy)
        for count in [33, 40] {
            #expect(client([String](repeating: Self.proxy, count: count)) == TrustedProxies.unknownClient)
        }
        // Nobody looks behind the first that isn't trusted.
        let forged = [String](repeating: "198.51.100.1", count: 100) + ["203.0.113.7"]
        #expect(client(forged) == "203.0.113.7")
    }

    @Test func `idempotency keys are kept apart by address beside tokens, and shared without them`() {
        func key(_ principal: Principal, _ address: String) -> String { Caller(principal, at: address).ownKey("k") }
        #expect(key(.anybody, "127.0.0.1") == key(.anybody, "127.0.0.5"))
        // Beside tokens, who has none is an address.
        let nameless = Principal(name: Principal.anonymousName, rights: .none)
        #expect(key(nameless, "127.0.0.1") == key(nameless, "127.0.0.1"))
        #expect(key(nameless, "127.0.0.1") != key(nameless, "127.0.0.5"))
        #expect(key(nameless, "127.0.0.1") != key(.anybody, "127.0.0.1"))
    }
}
