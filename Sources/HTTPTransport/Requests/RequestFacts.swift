// What is wrong with a request's head before anybody looks at what it asks for.

import CMicroHTTPD

/// A request's head as the library has read it.
struct RequestFacts {
    /// Fields of these names.
    var hosts = 0
    var lengths = 0
    var codings = 0
    /// A name that is none, a field that goes on in the next line, or a NUL.
    var isMalformed = false
    /// The one transfer coding is `chunked`.
    var isChunked = false
    /// The length that is said; nil when none is, or no number.
    var length: Int?
    /// The client sends its body when it has leave to, or an answer (`Expect: 100-continue`).
    var awaitsLeave = false
    /// Bytes of the connection's memory that the head takes.
    var memory = 0
    /// The client, or a proxy, has given the request a name.
    var hasRequestID = false

    init(_ head: tweencast_head_facts) {
        hosts = Int(head.hosts)
        lengths = Int(head.lengths)
        codings = Int(head.codings)
        isMalformed = head.malformed != 0
        isChunked = head.is_chunked != 0
        length = head.length < 0 ? nil : Int(clamping: head.length)
        awaitsLeave = head.awaits_leave != 0
        memory = Int(clamping: head.memory)
        hasRequestID = head.has_request_id != 0
    }

    var hasBody: Bool { codings > 0 || (length ?? 0) > 0 }

    /// - Parameter isLegacy: HTTP/1.0, where a request need not name its host.
    func failure(of target: RequestTarget, isLegacy: Bool, headLimit: Int) -> HTTPFailure? {
        if memory > headLimit {
            return target.count > headLimit / 2 ? .targetTooLong(limit: headLimit) : .headTooLarge(limit: headLimit)
        }
        if isMalformed { return .malformedHead }
        if hosts > 1 || (hosts == 0 && !isLegacy) { return .notOneHost }
        // HTTP/1.0 knows no codings: who stands between, and takes the body's length from elsewhere, may see another request
        // in it (RFC 9112, 6.1).
        if lengths + codings > 1 || codings == 1 && (!isChunked || isLegacy) { return .ambiguousLength }
        if target.hasTooManyParameters { return .tooManyParameters(limit: target.parameterLimit) }
        return nil
    }
}
