// The host and origin rules, which apply to every path before any work is done. They protect servers without tokens from
// DNS names that are pointed at this machine, and from pages of other origins.

import OperatingSystem

/// What a request says about where it comes from.
struct AccessClaim: Sendable {
    /// The method; for a preflight, the one that it announces.
    var method = "GET"
    var host: String?
    var origin: String?
    /// The `Sec-Fetch-…` headers, which browsers send to trustworthy origins and pages can't set.
    var site: String?
    var mode: String?
    var destination: String?
    /// Whether it is for a stream, which may have topics in its body: it never changes the board, whatever its method.
    var isOfStream = false
    /// Whether it is for a page that is made to be shown in frames.
    var isOfFramedPage = false
    /// `host`, if it was parsed before.
    var parsedHost: Authority?

    /// Whether a page sends it: browsers name the origin of anything that may change something.
    var isOfPage: Bool { origin != nil || site != nil }

    private var hasReadMethod: Bool { method == "GET" || method == "HEAD" }
    var isRead: Bool { hasReadMethod || isOfStream }

    /// Whether a page shows it in a frame: browsers name no origin then.
    fileprivate var isOfFrame: Bool {
        isOfFramedPage && hasReadMethod && mode == "navigate" && ["frame", "iframe"].contains(destination)
    }

    /// Whether a request without an origin may be a page's own. A browser omits the origin of a same-origin read and says
    /// so; for a write it sends the origin, or says that the page is this server's own.
    fileprivate var mayBeOfOwnPage: Bool { hasReadMethod || site == "same-origin" }
}

/// The host and origin rules.
package struct AccessRules: Sendable {
    /// The decision about a request.
    enum Verdict: Sendable {
        /// The request is served, with these headers in its answer.
        /// - Parameter trustsCookies: Whether its cookies are trusted: the request comes from a page that may read and
        ///   write, or from no page.
        case admitted([(name: String, value: String)], trustsCookies: Bool)
        case foreignHost
        case foreignOrigin
    }

    private let isLoopback: Bool
    private let hosts: [HostPattern]
    private let origins: [OriginPattern]
    /// Origins whose pages may only read.
    private let readers: [OriginPattern]
    private let takesEveryHost: Bool
    private let isReadByAll: Bool
    /// Tells browsers which pages may show a page in a frame; empty if no list says so.
    private let framing: [(name: String, value: String)]
    let speaksTLS: Bool
    /// Whether pages of any origin may change nothing.
    let isReadOnly: Bool
    /// The headers that pages of other origins may send, for preflights.
    let allowedHeaders: String

    /// Pages that pages of listed origins and streaming software may show in a frame.
    package static let framedPages: Set = ["/overlay", "/overlay.html"]

    /// Stands for all hosts, or for all reading origins.
    static let all = "*"

    /// - Parameters:
    ///   - address: The address that the server listens on.
    ///   - hosts: Host names that requests may have besides this machine's own; `*` for all.
    ///   - origins: Origins besides this server's own whose pages may read and write; `*` lets all others read.
    ///   - readers: Origins whose pages may read; `*` for all.
    ///   - headers: Headers that pages of other origins may send besides the known ones.
    ///   - speaksTLS: Whether this server speaks TLS, so that pages of its name without TLS are not its own.
    ///   - isReadOnly: Whether pages of any origin may change nothing.
    package init(
        address: String, hosts: [String], origins: [String], readers: [String] = [], headers: [String] = [],
        speaksTLS: Bool = false, isReadOnly: Bool = false
    ) {
        self.speaksTLS = speaksTLS
        self.isReadOnly = isReadOnly
        isLoopback = (Authority(address.contains(":") ? "[\(address)]" : address))?.isLoopback ?? false
        allowedHeaders = (Self.knownHeaders + headers).joined(separator: ", ")
        self.hosts = hosts.compactMap(Self.pattern)
        takesEveryHost = hosts.contains(Self.all)
        self.origins = origins.compactMap { OriginPattern($0) }
        self.readers = readers.compactMap { OriginPattern($0) }
        isReadByAll = (origins + readers).contains(Self.all)
        let ancestors = (self.origins + self.readers).map(\.text)
        framing =
            isReadByAll || ancestors.isEmpty
            ? []
            : [("Content-Security-Policy", "frame-ancestors 'self' " + ancestors.joined(separator: " "))]
    }

    /// Whether a host is a name or an address of this machine itself (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
    package static func isOfThisMachine(_ host: String) -> Bool {
        guard let authority = Authority(host) else { return IPAddress(host).map(\.isLoopback) ?? false }
        return authority.isLoopback || authority.name.hasSuffix(".localhost")
            || IPAddress(authority.name).map(\.isLoopback) ?? false
    }

    /// Whether a text is valid in the list of origins.
    package static func isOrigin(_ text: String) -> Bool { text == all || OriginPattern(text) != nil }

    /// Whether a text is valid in the list of hosts.
    package static func isHost(_ text: String) -> Bool { text == all || pattern(text) != nil }

    /// Whether a text is valid in the list of headers. Not `*`: with credentials it would not allow any header.
    package static func isHeader(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Parses a host pattern; an IPv6 address may omit its brackets here.
    private static func pattern(_ host: String) -> HostPattern? {
        (Authority(host) ?? (IPAddress(host) == nil ? nil : Authority("[\(host)]"))).flatMap { HostPattern($0.name) }
    }

    /// Whether the server listens on an address that other machines can reach.
    package var isReachedByOthers: Bool { !isLoopback }

    /// Whether requests with any host name except an address or `localhost` are rejected.
    package var knowsNoName: Bool { hosts.isEmpty && !takesEveryHost }

    func verdict(on claim: AccessClaim) -> Verdict {
        let host = claim.parsedHost ?? claim.host.flatMap { Authority($0) }
        // HTTP/1.0 has none, and no browser speaks it.
        guard claim.host == nil || takesEveryHost || host.map(admits) ?? false else { return .foreignHost }
        guard let text = claim.origin else {
            let isForeign = Self.isFetchOfOtherPage(claim)
            if isReadByAll { return .admitted(Self.headersForAll, trustsCookies: !isForeign && claim.mayBeOfOwnPage) }
            // The browser asks for what a frame shows before it knows whether it may show it.
            guard !isForeign || claim.isOfFrame && !framing.isEmpty else { return .foreignOrigin }
            let headers = claim.isOfFramedPage ? Self.headers + framing : Self.headers
            return .admitted(headers, trustsCookies: !isForeign && claim.mayBeOfOwnPage)
        }
        if let origin = PageOrigin(text) {
            if isOwn(origin, host, claim) {
                return .admitted(Self.headers, trustsCookies: true)
            }
            if origins.contains(where: { $0.admits(origin) }) {
                return .admitted(Self.headers(forListed: text), trustsCookies: true)
            }
            if claim.isRead, readers.contains(where: { $0.admits(origin) }) {
                return .admitted(Self.headers(for: text), trustsCookies: false)
            }
        }
        return isReadByAll && claim.isRead ? .admitted(Self.headersForAll, trustsCookies: false) : .foreignOrigin
    }

    /// Whether a page is this server's own: of its name, by TLS if this server speaks it (a proxy's scheme is unknown), and
    /// same-origin according to the browser, if it says.
    private func isOwn(_ origin: PageOrigin, _ host: Authority?, _ claim: AccessClaim) -> Bool {
        guard let host, origin.isOwn(of: host) else { return false }
        return (!speaksTLS || origin.scheme == "https") && [nil, "same-origin"].contains(claim.site)
    }

    /// Whether a host is allowed. A page could point its own DNS name at this machine and would then be same-origin, so names
    /// must be listed. An address can't be pointed elsewhere; on the loopback interface only the machine's own are allowed.
    private func admits(_ host: Authority) -> Bool {
        host.isLoopback || hosts.contains { $0.admits(host.name) } || !isLoopback && host.isAddress
    }

    /// Whether another origin's page makes the browser fetch, as with `<img>`: such requests have no `Origin`. Following a
    /// link is allowed.
    private static func isFetchOfOtherPage(_ claim: AccessClaim) -> Bool {
        guard let site = claim.site, site != "same-origin", site != "none" else { return false }
        return claim.mode != "navigate" || !["document", nil].contains(claim.destination)
    }

    // MARK: - Headers

    /// The headers that this server reads, and those that `EventSource` polyfills, libraries and tracing tools add.
    private static let knownHeaders = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Prefer",
        "X-Request-ID", "X-Requested-With", "Cache-Control", "Pragma", "traceparent", "tracestate", "baggage",
        "sentry-trace",
    ]

    /// Pages of other origins can't embed what they may not read.
    private static let headers = [
        (name: "Vary", value: "Origin"), (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]
    private static let headersForAll = headers(for: all)

    /// Returns headers for a listed origin: its pages may send cookies and read the answer; those of other origins never may.
    private static func headers(forListed origin: String) -> [(name: String, value: String)] {
        headers(for: origin) + [("Access-Control-Allow-Credentials", "true")]
    }

    private static func headers(for origin: String) -> [(name: String, value: String)] {
        [
            ("Vary", "Origin"), ("Cross-Origin-Resource-Policy", "cross-origin"),
            ("Access-Control-Allow-Origin", origin),
            (
                "Access-Control-Expose-Headers",
                "ETag, Idempotency-Replayed, Location, Preference-Applied, Retry-After, X-Request-ID"
            ),
        ]
    }
}
