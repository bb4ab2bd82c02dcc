// Who may talk to a server without a password.

import Testing

@testable import TweencastService

@Suite struct OriginsTests {
    @Test(arguments: [
        ("localhost:8080", true), ("127.0.0.1", true), ("127.0.0.2:1", true), ("[::1]:8080", true),
        ("LOCALHOST", true), ("board.example", true), ("board.example:8080", true), ("evil.example", false),
        ("localhost.evil.example", false), ("127.evil.example", false), ("", false),
    ])
    func `a host is admitted when it is loopback or listed`(host: String, isAdmitted: Bool) {
        let origins = Origins(host: "127.0.0.1", allowedHosts: ["Board.example"])
        #expect(origins.admits(host: host) == isAdmitted)
    }

    @Test func `a server that listens everywhere answers to every name`() {
        #expect(Origins(host: "0.0.0.0", allowedHosts: []).admits(host: "any.example"))
    }

    @Test(
        arguments: [
            (nil, true), ("http://localhost:8080", true), ("http://localhost:9090", false),
            ("https://evil.example", false),
            ("https://board.example", true), ("null", false), ("", false),
        ] as [(String?, Bool)])
    func `a write comes from no page, an own page or a listed one`(origin: String?, isAdmitted: Bool) {
        let origins = Origins(host: "127.0.0.1", allowedHosts: ["board.example"])
        #expect(origins.admitsWrite(origin: origin, host: "localhost:8080") == isAdmitted)
    }
}
