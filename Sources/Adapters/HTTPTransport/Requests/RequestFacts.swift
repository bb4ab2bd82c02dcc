// What is wrong with a request's head before anybody looks at what it asks for.

import CMicroHTTPD

/// A request's head as the library has read it.
struct RequestFacts {
    /// Fields of any name.
    var headers = 0
    /// Fields of these names.
    var hosts = 0
    var lengths = 0
    var codings = 0
    /// A method or a name that is none, a control character, or a field that goes on in the next line.
    var isMalformed = false
    var hasMalformedHost = false
    /// The one transfer coding is `chunked`.
    var isChunked = false
    /// The length that is said; nil when none is, or no number.
    var length: Int?
    /// The client sends its body when it has leave to, or an answer (`Expect: 100-continue`).
    var awaitsLeave = false
    /// In bytes.
    var size = 0
    /// The address at which a body begins.
    var body = 0
    /// The client, or a proxy, has given the request a name.
    var hasRequestID = false

    init(_ head: tweencast_head_facts) {
        headers = Int(head.headers)
        hosts = Int(head.hosts)
        lengths = Int(head.lengths)
        codings = Int(head.codings)
        isMalformed = head.malformed != 0
        hasMalformedHost = head.has_malformed_host != 0
        isChunked = head.is_chunked != 0
        length = head.length < 0 ? nil : Int(clamping: head.length)
        awaitsLeave = head.awaits_leave != 0
        size = Int(clamping: head.size)
        body = Int(clamping: head.body)
        hasRequestID = head.has_request_id != 0
    }

    var hasBody: Bool { codings > 0 || (length ?? 0) > 0 }

    /// - Parameter isLegacy: HTTP/1.0, where a request need not name its host.
    func failure(
        of target: RequestTarget, isLegacy: Bool, _ configuration: HTTPServerConfiguration
    ) -> HTTPFailure? {
        if let failure = Self.failure(ofSize: size, target, configuration) { return failure }
        if headers > configuration.headerLimit { return .tooManyHeaders(limit: configuration.headerLimit) }
        if isMalformed || target.isMalformed { return .malformedHead }
        if hosts > 1 || (hosts == 0 && !isLegacy) || hasMalformedHost { return .notOneHost }
        // HTTP/1.0 knows no codings: who stands between, and takes the body's length from elsewhere, may see another request
        // in it (RFC 9112, 6.1).
        if lengths + codings > 1 || codings == 1 && (!isChunked || isLegacy) { return .ambiguousLength }
        if target.hasTooManyParameters { return .tooManyParameters(limit: target.parameterLimit) }
        return nil
    }

    /// - Parameter size: Of a whole head, in bytes.
    static func failure(
        ofSize size: Int, _ target: RequestTarget, _ configuration: HTTPServerConfiguration
    ) -> HTTPFailure? {
        let limit = configuration.headLimit
        guard size > limit else { return nil }
        return target.count > limit / 2 ? .targetTooLong(limit: limit) : .headTooLarge(limit: limit)
    }
}
