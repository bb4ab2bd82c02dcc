// Targets taken apart: values in, values out.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct RequestTargetTests {
    private static let limit = 1_000

    private func target(_ text: String) -> RequestTarget {
        RequestTarget(Array(text.utf8), parameterLimit: Self.limit)
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a%20b", "/a b"), ("/%E2%82%AC", "€"), ("/a%2Fb", "/a%2Fb"), ("/a%2fb", "/a%2fb"),
        ("/a%252Fb", "/a%2Fb"), ("/%2e%41", "/.A"), ("/a+b", "/a+b"), ("*", "*"),
        ("/a%00b", "/a%00b"), ("/%", "/%"), ("/%4", "/%4"), ("/%zz", "/%zz"), ("/%%41", "/%A"), ("/?q", "/"),
        ("?q", ""),
        ("", ""),
    ])
    func `a path is percent-decoded except for NUL, slash and malformed escapes`(text: String, path: String) {
        #expect(target(text).path == (path.hasPrefix("€") ? "/" + path : path))
        #expect(target(text).authority == nil)
    }

    @Test(arguments: [
        ("http://a.example/b?c=1", "a.example", "/b"), ("HTTPS://A:80", "A:80", "/"), ("http://a?c=1", "a", "/"),
        ("http:///b", "", "/b"), ("http://[::1]:8/b", "[::1]:8", "/b"),
    ])
    func `an absolute target yields its host and path`(text: String, authority: String, path: String) {
        #expect(target(text).authority == authority)
        #expect(target(text).path == path)
    }

    @Test(arguments: [
        ("/a?b", false), ("*", false), ("http://a:80/b", false), ("https://[::1]", false), ("/\u{E9}", false),
        ("/a b", true),
        ("/a?b c", true), ("/a#b", true), ("/\t", true), ("/\u{7F}", true), ("", true), ("a", true), ("?a", true),
        ("**", true), ("http://a@b/", true), ("http:///", true), ("http://a b/", true), ("ftp://a/", true),
        ("a:80", true),
    ])
    func `a malformed request target is recognized`(text: String, isMalformed: Bool) {
        #expect(target(text).isMalformed == isMalformed)
    }

    @Test(
        arguments: [
            ("/tweens/v1/a", "/v1/a", true), ("/tweens/", "/", true), ("/tweens", "", true),
            ("/tw%65ens/a", "/a", true),
            ("/v1/a", "/v1/a", false), ("/tweens2/a", "/tweens2/a", false), ("/a/tweens/b", "/a/tweens/b", false),
            ("http://a/tweens/b", "/b", true), ("/tweens//evil.example", "//evil.example", true),
        ] as [(String, String, Bool)])
    func `a base path is removed from the start of a path only`(text: String, path: String, isUnderBase: Bool) {
        let target = RequestTarget(Array(text.utf8), parameterLimit: Self.limit, basePath: "/tweens")
        #expect(target.path == path)
        #expect(target.isUnderBase == isUnderBase)
    }

    @Test(arguments: ["httpx://a/", "ftp://a/", "/http://a/", "h", "http:/a"])
    func `a target with another scheme or no authority is kept as a path`(text: String) {
        #expect(target(text).authority == nil)
        #expect(target(text).path == text)
    }

    @Test(
        arguments: [
            ("/?", []), ("/?a", ["a="]), ("/?a=", ["a="]), ("/?a=1&a=2", ["a=1", "a=2"]), ("/?a=1&", ["a=1"]),
            ("/?&&", ["=", "="]), ("/?=1", ["=1"]), ("/?a=1=2", ["a=1=2"]), ("/?a+b=c+%2B", ["a b=c +"]),
            ("/?a?b=c?", ["a?b=c?"]), ("/?%61%3D=%26", ["a==&"]),
        ] as [(String, [String])])
    func `parameters come in their order, decoded`(text: String, expected: [String]) {
        #expect(target(text).parameters.map { "\($0.name)=\($0.value)" } == expected)
    }

    @Test func `query parameters beyond the limit are dropped and reported`() {
        let most = Self.limit
        let query = { (count: Int) in "/?" + repeatElement("a", count: count).joined(separator: "&") }
        #expect(!target(query(most)).hasTooManyParameters)
        #expect(target(query(most)).parameters.count == most)
        #expect(target(query(most + 1)).hasTooManyParameters)
        #expect(target(query(most + 1)).parameters.count == most)
    }

    @Test func `random bytes as a request target don't crash the parser`() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededRandom(seed: seed)
            let alphabet = Array("/?&=%+:ah0\u{0}é".utf8) + [0xFF]
            let bytes = (0..<Int(seed % 40)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let target = RequestTarget(bytes, parameterLimit: Self.limit)
            #expect(target.count == bytes.count)
            _ = target.parameters
        }
    }
}
