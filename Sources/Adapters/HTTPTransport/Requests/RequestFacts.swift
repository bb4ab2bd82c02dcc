// Checks a request's head before anything looks at its meaning.

import CMicroHTTPD

/// A request's head as read by the library.
struct RequestFacts {
    /// The number of header fields.
    var headers = 0
    /// The number of fields with each of these names.
    var hosts = 0
    var lengths = 0
    var codings = 0
    /// An invalid method or field name, a control character, or a folded field.
    var isMalformed = false
    var hasMalformedHost = false
    /// The only transfer coding is `chunked`.
    var isChunked = false
    /// `Content-Length`; nil if missing or no number.
    var length: Int?
    /// The client waits for permission to send its body (`Expect: 100-continue`).
    var awaitsLeave = false
    /// In bytes.
    var size = 0
    /// The address at which the body begins.
    var body = 0
    /// The client or a proxy sent a request ID.
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

    /// Returns why the head is rejected; nil if it is valid.
    /// - Parameter isLegacy: HTTP/1.0, where `Host` is optional.
    func failure(
        of target: RequestTarget, isLegacy: Bool, _ configuration: HTTPServerConfiguration
    ) -> HTTPFailure? {
        if let failure = Self.failure(ofSize: size, target, configuration) { return failure }
        if headers > configuration.headerLimit { return .tooManyHeaders(limit: configuration.headerLimit) }
        if isMalformed || target.isMalformed { return .malformedHead }
        if hosts > 1 || (hosts == 0 && !isLegacy) || hasMalformedHost { return .notOneHost }
        // HTTP/1.0 has no transfer codings. A proxy that ignores the coding may see a different request in the body (RFC
        // 9112, 6.1).
        if lengths + codings > 1 || codings == 1 && (!isChunked || isLegacy) { return .ambiguousLength }
        if target.hasTooManyParameters { return .tooManyParameters(limit: configuration.parameterLimit) }
        return nil
    }

    /// Returns why a head is too large; nil if it isn't.
    /// - Parameter size: Of the whole head, in bytes.
    static func failure(
        ofSize size: Int, _ target: RequestTarget, _ configuration: HTTPServerConfiguration
    ) -> HTTPFailure? {
        let limit = configuration.headLimit
        guard size > limit else { return nil }
        return target.count > limit / 2 ? .targetTooLong(limit: limit) : .headTooLarge(limit: limit)
    }
}
