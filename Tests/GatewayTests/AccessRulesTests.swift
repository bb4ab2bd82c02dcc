// Who may talk to a server without a password.

import Testing

@testable import Gateway

@Suite struct AccessRulesTests {
    private static let loopback = AccessRules(address: "127.0.0.1", hosts: ["Board.example"], origins: [])
    private static let everywhere = AccessRules(address: "0.0.0.0", hosts: ["board.example:8080"], origins: [])
    private static let shared = AccessRules(
        address: "127.0.0.1", hosts: [], origins: ["https://App.example", "http://localhost:9090"])
    private static let open = AccessRules(address: "127.0.0.1", hosts: [], origins: ["*", "https://app.example"])

    /// The verdict in a word, or the origin that may read the answer.
    private static func verdict(_ rules: AccessRules, _ claim: AccessClaim) -> String {
        switch rules.verdict(on: claim) {
        case .foreignHost: "host"
        case .foreignOrigin: "origin"
        case .admitted(let headers, _): headers.first { $0.name == "Access-Control-Allow-Origin" }?.value ?? "own"
        }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("app.localhost", true), ("127.0.0.1", true),
        ("127.9.9.9:1", true),
        ("::1", true), ("[::1]", true), ("[::1]:8080", true), ("[0:0:0:0:0:0:0:1]", true), ("[::ffff:127.0.0.1]", true),
        ("*", false), ("board", false), ("board.example", false), ("localhost.example", false), ("notlocalhost", false),
        ("192.168.1.5", false), ("0.0.0.0", false), ("[::]", false), ("2001:db8::1", false), ("[2001:db8::1]:1", false),
        ("", false),
    ])
    func `localhost and loopback addresses are hosts of this machine, others are not`(host: String, isOwn: Bool) {
        #expect(AccessRules.isOfThisMachine(host) == isOwn)
    }

    @Test(arguments: [
        ("localhost:8080", true), ("127.0.0.1", true), ("127.0.0.2:1", true), ("[::1]:8080", true),
        ("LOCALHOST", true), ("board.example", true), ("board.example:8080", true), ("evil.example", false),
        ("localhost.evil.example", false), ("127.evil.example", false), ("127.0.0.1.evil.example", false),
        ("192.168.1.5", false), ("[fe80::1]", false), ("", false), ("localhost@evil.example", false),
        ("localhost:99999", false), ("[::1", false), ("127.1", false), ("localhost:80:80", false),
        ("127.0.0.01", true), ("127.0.0.256", false), ("127..0.1", false), ("127.0.0.1.", false),
        ("127.0.0.0.1", false),
        ("127.0.0.99999999999999999999", false), ("localhost:", true), ("localhost:+80", false), ("[::1]x", false),
        ("board.example/", false),
        ("board.exampl\u{E9}", false), ("BOARD.example:80", true),
    ])
    func `on the loopback interface a host is admitted when it is loopback or listed`(host: String, isAdmitted: Bool) {
        #expect(Self.verdict(Self.loopback, AccessClaim(host: host)) == (isAdmitted ? "own" : "host"))
    }

    @Test(arguments: [
        ("localhost:8080", true), ("192.168.1.5:8080", true), ("[fe80::1]", true), ("[2001:db8::7]:80", true),
        ("board.example", true), ("any.example", false), ("evil.example:9530", false), ("1.2.3.4.evil.example", false),
        ("256.1.1.1", false), ("[evil]", false), ("", false),
    ])
    func `on a public address a Host is admitted when it is an IP address or a listed name`(
        host: String, isAdmitted: Bool
    ) {
        #expect(Self.verdict(Self.everywhere, AccessClaim(host: host)) == (isAdmitted ? "own" : "host"))
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "2001:db8::1"])
    func `a star admits every Host`(address: String) {
        let rules = AccessRules(address: address, hosts: ["*"], origins: [])
        #expect(Self.verdict(rules, AccessClaim(host: "any.example")) == "own")
        #expect(!rules.knowsNoName && rules.isReachedByOthers)
    }

    @Test(arguments: [
        ("https://news.example", "GET", "https://news.example"), ("https://news.example", "POST", "origin"),
        ("https://app.example", "POST", "https://app.example"), ("https://evil.example", "GET", "origin"),
    ])
    func `an origin listed as a reader may read and not write`(origin: String, method: String, verdict: String) {
        let rules = AccessRules(
            address: "127.0.0.1", hosts: [], origins: ["https://app.example"], readers: ["https://news.example"])
        let claim = AccessClaim(method: method, host: "localhost", origin: origin)
        #expect(Self.verdict(rules, claim) == verdict)
        guard case .admitted(_, let trusts) = rules.verdict(on: claim) else { return }
        #expect(trusts == (origin == "https://app.example"))
    }

    @Test func `a request without Host is admitted only if it has no Origin`() {
        #expect(Self.verdict(Self.loopback, AccessClaim(host: nil)) == "own")
        #expect(Self.verdict(Self.loopback, AccessClaim(host: nil, origin: "http://localhost")) == "origin")
    }

    @Test(
        arguments: [
            ("http://board.example", false, nil, true), ("http://board.example", false, "same-origin", true),
            ("http://board.example", false, "cross-site", false), ("http://board.example", false, "same-site", false),
            ("https://board.example:80", true, nil, true), ("http://board.example", true, nil, false),
        ] as [(String, Bool, String?, Bool)])
    func `a page of the same origin must match Sec-Fetch-Site, and use https where TLS is spoken`(
        origin: String, speaksTLS: Bool, site: String?, isOwn: Bool
    ) {
        let rules = AccessRules(address: "127.0.0.1", hosts: ["board.example"], origins: [], speaksTLS: speaksTLS)
        let claim = AccessClaim(method: "POST", host: "board.example:80", origin: origin, site: site)
        #expect(Self.verdict(rules, claim) == (isOwn ? "own" : "origin"))
    }

    @Test(arguments: ["GET", "HEAD", "POST", "DELETE", "PUT"])
    func `a page may read and write the origin it came from, and no other`(method: String) {
        let cases = [
            ("http://localhost:8080", "localhost:8080", true), ("https://board.example", "board.example", true),
            ("https://board.example", "board.example:443", true), ("http://board.example:80", "board.example", true),
            ("https://BOARD.example", "board.EXAMPLE", true), ("http://localhost:9090", "localhost:8080", false),
            ("http://localhost", "localhost:8080", false), ("https://evil.example", "localhost:8080", false),
            ("https://evil.example", "board.example", false), ("null", "localhost:8080", false),
            ("", "localhost:8080", false), ("file://localhost:8080", "localhost:8080", false),
            ("http://localhost:8080@evil.example", "localhost:8080", false),
            ("http://localhost:8080/", "localhost:8080", false),
        ]
        for (origin, host, isOwn) in cases {
            let claim = AccessClaim(method: method, host: host, origin: origin)
            #expect(Self.verdict(Self.loopback, claim) == (isOwn ? "own" : "origin"), "\(origin) -> \(host)")
        }
    }

    @Test func `a rebound DNS name is refused although Host and Origin agree`() {
        let claim = AccessClaim(method: "DELETE", host: "evil.example:9530", origin: "http://evil.example:9530")
        #expect(Self.verdict(Self.everywhere, claim) == "host")
    }

    @Test(arguments: ["GET", "POST"]) func `a listed origin reads and writes`(method: String) {
        for origin in ["https://app.example", "https://app.example:443", "http://localhost:9090"] {
            let claim = AccessClaim(method: method, host: "localhost:8080", origin: origin)
            #expect(Self.verdict(Self.shared, claim) == origin)
        }
        for origin in ["http://app.example", "https://app.example:444", "https://other.app.example", "null"] {
            let claim = AccessClaim(method: method, host: "localhost:8080", origin: origin)
            #expect(Self.verdict(Self.shared, claim) == "origin", "\(origin)")
        }
    }

    @Test func `origin star lets every origin read, and only listed ones write`() {
        for origin in ["https://evil.example", "null"] {
            #expect(Self.verdict(Self.open, AccessClaim(host: "localhost", origin: origin)) == "*")
            #expect(Self.verdict(Self.open, AccessClaim(method: "POST", host: "localhost", origin: origin)) == "origin")
        }
        let listed = AccessClaim(method: "POST", host: "localhost", origin: "https://app.example")
        #expect(Self.verdict(Self.open, listed) == "https://app.example")
        #expect(Self.verdict(Self.open, AccessClaim(host: "evil.example", origin: "https://evil.example")) == "host")
    }

    @Test(
        arguments: [
            (nil, nil, nil, true), ("same-origin", "cors", "empty", true), ("none", "navigate", "document", true),
            ("cross-site", "navigate", "document", true), ("same-site", "navigate", "document", true),
            ("cross-site", "navigate", "iframe", false), ("cross-site", "no-cors", "image", false),
            ("cross-site", "no-cors", "script", false), ("same-site", "no-cors", "empty", false),
            ("cross-site", "websocket", "empty", false), ("cross-site", nil, nil, false),
        ] as [(String?, String?, String?, Bool)])
    func `without an Origin only a top-level navigation may come from another site`(
        site: String?, mode: String?, destination: String?, isAdmitted: Bool
    ) {
        let claim = AccessClaim(host: "localhost", site: site, mode: mode, destination: destination)
        #expect(Self.verdict(Self.loopback, claim) == (isAdmitted ? "own" : "origin"))
        #expect(Self.verdict(Self.open, claim) == "*")
    }

    @Test(
        arguments: [
            ("GET", "navigate", "iframe", true, true), ("GET", "navigate", "frame", true, true),
            ("HEAD", "navigate", "iframe", true, true), ("GET", "navigate", "iframe", false, false),
            ("POST", "navigate", "iframe", true, false), ("GET", "no-cors", "iframe", true, false),
            ("GET", "navigate", "object", true, false), ("GET", "navigate", "embed", true, false),
            ("GET", "no-cors", "image", true, false), ("GET", "cors", "empty", true, false),
        ])
    func `a frameable page may be framed by listed origins only`(
        method: String, mode: String, destination: String, isFramed: Bool, isAdmitted: Bool
    ) {
        var claim = AccessClaim(
            method: method, host: "localhost", site: "cross-site", mode: mode, destination: destination)
        claim.isOfFramedPage = isFramed
        let listed = AccessRules(
            address: "127.0.0.1", hosts: [], origins: ["https://App.example:443", "http://localhost:9090"],
            readers: ["https://*.shop.example"])
        #expect(Self.verdict(listed, claim) == (isAdmitted ? "own" : "origin"))
        #expect(Self.verdict(Self.loopback, claim) == "origin", "nothing is listed")
        guard case .admitted(let headers, let trustsCookies) = listed.verdict(on: claim) else { return }
        #expect(!trustsCookies)
        #expect(
            headers.first { $0.name == "Content-Security-Policy" }?.value
                == "frame-ancestors 'self' https://app.example:443 http://localhost:9090 https://*.shop.example")
    }

    @Test func `Cross-Origin-Resource-Policy is same-origin unless the origin is listed`() {
        func headers(_ rules: AccessRules, origin: String?) -> [String: String] {
            guard case .admitted(let headers, _) = rules.verdict(on: AccessClaim(host: "localhost", origin: origin))
            else {
                return [:]
            }
            return Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }
        }
        #expect(headers(Self.shared, origin: nil)["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(headers(Self.shared, origin: nil)["Access-Control-Allow-Origin"] == nil)
        #expect(headers(Self.shared, origin: "https://app.example")["Cross-Origin-Resource-Policy"] == "cross-origin")
        for origin in [nil, "https://app.example"] { #expect(headers(Self.shared, origin: origin)["Vary"] == "Origin") }
    }

    @Test(arguments: [
        ("https://a.example.com", true), ("https://a.b.example.com", true), ("https://A.EXAMPLE.com:443", true),
        ("https://example.com", false), ("https://.example.com", false), ("http://a.example.com", false),
        ("https://a.example.com:8443", false), ("https://evilexample.com", false),
        ("https://a.example.com.evil.example", false), ("http://b.example.org:3000", true),
        ("http://b.example.org", false), ("http://b.c.example.org:3000", true),
    ])
    func `an origin with a leading star admits all subdomains, and not the domain itself`(
        origin: String, isAdmitted: Bool
    ) {
        let listed = ["https://*.example.com", "http://*.example.org:3000"]
        for rules in [
            AccessRules(address: "127.0.0.1", hosts: [], origins: listed),
            AccessRules(address: "127.0.0.1", hosts: [], origins: [], readers: listed),
        ] {
            #expect(
                Self.verdict(rules, AccessClaim(host: "localhost", origin: origin)) == (isAdmitted ? origin : "origin"))
        }
    }

    @Test(arguments: [
        ("a.example.com", true), ("a.b.example.com:8080", true), ("example.com", false), ("evilexample.com", false),
        (".example.com", false), ("a.example.com.evil", false),
    ])
    func `a Host with a leading star admits all subdomains, and not the domain itself`(host: String, isAdmitted: Bool) {
        let rules = AccessRules(address: "127.0.0.1", hosts: ["*.Example.com"], origins: [])
        #expect(Self.verdict(rules, AccessClaim(host: host)) == (isAdmitted ? "own" : "host"))
    }

    @Test(arguments: [
        ("*", true), ("board.example", true), ("*.board.example", true), ("[::1]", true), ("10.0.0.5:8080", true),
        ("http://board.example", false), ("board.example/", false), ("*board.example", false), ("a.*.example", false),
        ("*.", false), ("**.a", false), ("", false), ("a b", false), ("*.[::1]", false),
    ])
    func `a listed host is a name, an address or a star, with an optional port`(text: String, isTaken: Bool) {
        #expect(AccessRules.isHost(text) == isTaken)
    }

    @Test(arguments: [
        ("*", true), ("https://*.example.com", true), ("https://*.example.com:8443", true), ("https://*", false),
        ("https://*.", false), ("https://*example.com", false), ("https://a.*.com", false), ("*.example.com", false),
        ("https://*.*.com", false), ("https://*:443", false),
        ("https://app.example", true), ("http://localhost:3000", true), ("https://[::1]:8443", true),
        ("app.example", false), ("https://app.example/", false), ("null", false), ("ftp://a", false), ("", false),
    ])
    func `a listed origin is a scheme and a host with an optional port, without a path`(text: String, isTaken: Bool) {
        #expect(AccessRules.isOrigin(text) == isTaken)
    }
}
