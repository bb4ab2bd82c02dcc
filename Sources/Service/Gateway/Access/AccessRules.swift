// Who may talk to a server that asks for no password: one set of rules for every path, looked at before any work is
// done. They guard against names that are pointed at this machine, and against pages of other origins.

import Webhooks

/// What a request tells of where it comes from.
struct AccessClaim: Sendable {
    /// What is asked for; of a preflight, what it announces.
    var method = "GET"
    var host: String?
    var origin: String?
    /// The `Sec-Fetch-…` headers, which browsers send to origins that they trust and pages can't set.
    var site: String?
    var mode: String?
    var destination: String?
    /// It is for a stream, whose topics may stand in a body: it changes nothing on the board, whatever its method.
    var isOfStream = false

    /// Whether a page sends it: browsers tell where, of whatever may change something.
    var isOfPage: Bool { origin != nil || site != nil }

    private var hasReadMethod: Bool { method == "GET" || method == "HEAD" }
    var isRead: Bool { hasReadMethod || isOfStream }

    /// Whether a request without an origin may be a page's own: browsers leave the origin out where a page reads what it
    /// came from, and say so; of one that writes they tell it, unless they say that it is the page's own.
    fileprivate var mayCarryCookies: Bool { hasReadMethod || site == "same-origin" }
}

/// The host and origin rules.
package struct AccessRules: Sendable {
    /// What becomes of a request.
    enum Verdict: Sendable {
        /// It is served; the headers go with the answer.
        /// - Parameter trustsCookies: Cookies count as the word of who sends them: the request comes of a page that may
        ///   read and write, or of no page.
        case admitted([(name: String, value: String)], trustsCookies: Bool)
        case foreignHost
        case foreignOrigin
    }

    private let isLoopback: Bool
    private let hosts: [HostPattern]
    private let origins: [OriginPattern]
    /// Their pages only look.
    private let readers: [OriginPattern]
    private let takesEveryHost: Bool
    private let isReadByAll: Bool
    let speaksTLS: Bool
    /// Pages may change nothing, of whatever origin.
    let isReadOnly: Bool
    /// What pages of other origins may send, as a preflight is told.
    let allowedHeaders: String

    /// Stands for all hosts, or for all origins that read.
    static let all = "*"

    /// - Parameters:
    ///   - address: The address listened on.
    ///   - hosts: Names that requests may carry besides those of this machine itself; `*` for all.
    ///   - origins: Pages that may read and write besides this server's own; `*` lets all others read.
    ///   - readers: Pages that may read; `*` for all.
    ///   - headers: What pages of other origins may send besides what is known here.
    ///   - speaksTLS: Whether pages of this server's own come by TLS, so that others of its name are not its own.
    ///   - isReadOnly: Pages may change nothing, of whatever origin.
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
    }

    /// Whether a host is a name or an address by which this machine alone knows itself (RFC 6761, 6.3; RFC 1122, 3.2.1.3;
    /// RFC 4291, 2.5.3).
    package static func isOfThisMachine(_ host: String) -> Bool {
        guard let authority = Authority(host) else { return IPAddress(host).map(\.isLoopback) ?? false }
        return authority.isLoopback || authority.name.hasSuffix(".localhost")
            || IPAddress(authority.name).map(\.isLoopback) ?? false
    }

    /// Whether a text can stand among the origins.
    package static func isOrigin(_ text: String) -> Bool { text == all || OriginPattern(text) != nil }

    /// Whether a text can stand among the hosts.
    package static func isHost(_ text: String) -> Bool { text == all || pattern(text) != nil }

    /// Whether a text can stand among the headers: a star would mean none for whoever sends cookies.
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

    /// Brackets around an address of IPv6 may be left out here.
    private static func pattern(_ host: String) -> HostPattern? {
        (Authority(host) ?? (IPAddress(host) == nil ? nil : Authority("[\(host)]"))).flatMap { HostPattern($0.name) }
    }

    /// Whether the address listened on is not of this machine alone.
    package var isReachedByOthers: Bool { !isLoopback }

    /// Whether requests by any other name than an address or `localhost` are refused.
    package var knowsNoName: Bool { hosts.isEmpty && !takesEveryHost }

    func verdict(on claim: AccessClaim) -> Verdict {
        guard admits(host: claim.host) else { return .foreignHost }
        guard let text = claim.origin else {
            let isForeign = Self.isFetchOfOtherPage(claim)
            if isReadByAll { return .admitted(Self.headersForAll, trustsCookies: !isForeign && claim.mayCarryCookies) }
            return isForeign ? .foreignOrigin : .admitted(Self.headers, trustsCookies: claim.mayCarryCookies)
        }
        if let origin = PageOrigin(text) {
            if isOwn(origin, claim) {
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

    /// Whether a page is this server's own: of its name, by TLS where that is spoken here (elsewhere a proxy's scheme is not
    /// known), and in the browser's own view of it, where that is told.
    private func isOwn(_ origin: PageOrigin, _ claim: AccessClaim) -> Bool {
        guard let host = claim.host.flatMap({ Authority($0) }), origin.isOwn(of: host) else { return false }
        return (!speaksTLS || origin.scheme == "https") && [nil, "same-origin"].contains(claim.site)
    }

    /// A page could point a name of its own at this machine and be of the same origin then: a name must be listed. An
    /// address can't be pointed anywhere; on the loopback interface none but the machine's own has business here.
    private func admits(host: String?) -> Bool {
        guard let host, !takesEveryHost else { return true }  // HTTP/1.0 has none, and no browser speaks it.
        guard let authority = Authority(host) else { return false }
        return authority.isLoopback || hosts.contains { $0.admits(authority.name) }
            || !isLoopback && authority.isAddress
    }

    /// Whether another origin's page makes a browser ask, as with `<img>`: such requests have no `Origin`. Whoever follows
    /// a link from there comes to see for himself.
    private static func isFetchOfOtherPage(_ claim: AccessClaim) -> Bool {
        guard let site = claim.site, site != "same-origin", site != "none" else { return false }
        return claim.mode != "navigate" || !["document", nil].contains(claim.destination)
    }

    // MARK: - Headers

    /// What this server reads, and what polyfills of `EventSource`, libraries, and traces of requests send by themselves.
    private static let knownHeaders = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Prefer",
        "X-Request-ID", "X-Requested-With", "Cache-Control", "Pragma", "traceparent", "tracestate", "baggage",
        "sentry-trace",
    ]

    /// Other origins' pages can't embed what they may not read.
    private static let headers = [
        (name: "Vary", value: "Origin"), (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]
    private static let headersForAll = headers(for: all)

    /// Pages of listed origins may send cookies and see what comes of it; those of all others never.
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
