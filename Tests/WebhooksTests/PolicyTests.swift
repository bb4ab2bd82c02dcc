// Which URLs may be called: nothing that was not listed, however it is spelt.

import HTTPClient
import OperatingSystem
import Testing

@testable import Webhooks

@Suite struct PolicyTests {
    private static let policy = Result { () throws(WebhookRefusal) in
        try WebhookPolicy(
            hosts: [
                "hooks.example.com", "*.trusted.example", "internal.example:8443", "10.0.0.5", "[fd00::5]:9000",
                "127.0.0.1",
            ], networks: ["192.168.0.0/16"])
    }

    @Test(arguments: [
        "https://hooks.example.com/a?b=c", "http://HOOKS.Example.COM/", "https://hooks.example.com./",
        "https://hooks.example.com:443/", "https://a.b.trusted.example/x", "https://internal.example:8443/",
        "http://10.0.0.5/", "http://[fd00::5]:9000/x", "http://127.1/", "http://2130706433/",
    ])
    func `a listed webhook host is allowed in every spelling`(url: String) throws {
        #expect(throws: Never.self) { try Self.policy.get().check(url) }
    }

    @Test(arguments: [
        "https://example.com/", "https://evil-hooks.example.com/", "https://hooks.example.com.evil.example/",
        "https://trusted.example/", "https://nottrusted.example/", "https://hooks.example.com:444/",
        "https://internal.example/", "http://10.0.0.6/", "http://[fd00::5]/", "ftp://hooks.example.com/",
        "file:///etc/passwd", "gopher://10.0.0.5/", "https://hooks.example.com@evil.example/",
        "https://evil.example/#@hooks.example.com", "https://evil.example\\@hooks.example.com/",
        "https://user:word@hooks.example.com/", "hooks.example.com", "", "https://", "https:///x", "http://[::1]/",
        "http://0x7f.2/", "https://hooks.example.com:0x1bb/", "https://hooks.example.com/\u{0}a",
        "https://hooks.example.com\u{0}.evil.example/",
    ])
    func `unlisted hosts, ports, schemes and disguised URLs are refused`(url: String) {
        #expect(throws: WebhookRefusal.self) { try Self.policy.get().check(url) }
    }

    @Test func `without listed hosts no URL is allowed`() {
        #expect(!WebhookPolicy.closed.isOpen)
        #expect(throws: WebhookRefusal.self) { try WebhookPolicy.closed.check("https://hooks.example.com/") }
    }

    @Test func `a star allows every public host and no private address`() throws {
        let policy = try WebhookPolicy(hosts: ["*"], networks: [])
        #expect(try policy.check("https://anything.example/").host == "anything.example")
        for url in ["http://127.0.0.1/", "http://[::ffff:169.254.169.254]/", "http://0/", "http://017700000001/"] {
            #expect(throws: WebhookRefusal.self, "\(url)") { try policy.check(url) }
        }
    }

    @Test(
        arguments: [
            ("8.8.8.8", 8443, true), ("192.168.3.4", 8443, true), ("10.0.0.5", 443, true), ("10.0.0.6", 443, false),
            ("169.254.169.254", 443, false), ("::ffff:10.0.0.5", 443, true), ("fd00::5", 9000, true),
            ("fd00::6", 9000, false),
            ("10.0.0.5", 80, false), ("10.0.0.5", 9000, false), ("fd00::5", 443, false), ("127.0.0.1", 8443, false),
        ] as [(String, UInt16, Bool)])
    func `a host name may resolve to public or listed addresses only`(
        address: String, port: UInt16, isAllowed: Bool
    ) throws {
        let policy = try Self.policy.get()
        #expect(policy.admits(try #require(IPAddress(address)), port: port, over: "https") == isAllowed)
    }

    @Test func `an address listed with a port is allowed on that port only, also beside a star`() throws {
        let policy = try WebhookPolicy(hosts: ["*", "*:22", "10.0.0.5:9000"], networks: [])
        #expect(throws: Never.self) {
            try WebhookPolicy(hosts: ["10.0.0.5:9000"], networks: []).check("http://10.0.0.5:9000/")
        }
        for url in ["http://10.0.0.5/", "https://10.0.0.5/", "http://10.0.0.5:22/"] {
            #expect(throws: WebhookRefusal.self, "\(url)") { try policy.check(url) }
        }
    }

    @Test(arguments: [
        "a b", "", ":80", "host:0", "host:port", "host:70000", "*x.example", "*.", "http://a.example", "a/b",
    ])
    func `a malformed host pattern is refused`(host: String) {
        #expect(throws: WebhookRefusal.self) { try WebhookPolicy(hosts: [host], networks: []) }
    }

    @Test func `a malformed network is refused`() {
        #expect(throws: WebhookRefusal.self) { try WebhookPolicy(hosts: ["a.example"], networks: ["10/8"]) }
    }
}
