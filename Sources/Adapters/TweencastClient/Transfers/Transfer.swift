// One transfer of libcurl, owned by the loop's thread.

import CCurl

/// What is asked of a server.
struct TransferRequest: Sendable {
    let url: String
    let isPost: Bool
    let body: [UInt8]
    let headers: [String]
    /// A file of certificate authorities; nil for those of libcurl.
    let authorities: String?
    let bound: Bound

    /// When a transfer has taken too long.
    enum Bound: Hashable, Sendable {
        /// How long a whole answer may take.
        case whole(Duration)
        /// Seconds of silence after which a stream is dead.
        case silence(Int)
    }
}

/// libcurl's handle points to this object, so the object must live until the transfer has ended.
@safe final class Transfer {
    let handle: UnsafeMutableRawPointer
    private let reception: Reception
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// Milliseconds until there is a connection.
    private static let connectTimeout = 10_000

    init?(_ request: TransferRequest, _ reception: Reception) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe handle = unsafe easy
        self.reception = reception
        unsafe self.headers = nil
        for header in request.headers { unsafe self.headers = unsafe curl_slist_append(self.headers, header) }
        guard configure(request) else { return nil }
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    private func configure(_ request: TransferRequest) -> Bool {
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "tweencast"),
        ]
        if let authorities = request.authorities { texts.append((CURLOPT_CAINFO, authorities)) }
        let limits =
            switch request.bound {
            case .silence(let seconds): [(CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, seconds)]
            // 0 would be no limit.
            case .whole(let time): [(CURLOPT_TIMEOUT_MS, max(1, Int(time / .milliseconds(1))))]
            }
        let numbers: [(CURLoption, Int)] =
            limits + [
                // A redirect could lead to a host that the token isn't for. Signals don't suit a threaded process.
                (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECTTIMEOUT_MS, Self.connectTimeout),
                // An id may be two dots.
                (CURLOPT_PATH_AS_IS, 1),
            ]
        for (option, text) in texts {
            guard unsafe tweencast_curl_set_text(handle, option, text) == CURLE_OK else { return false }
        }
        for (option, number) in numbers {
            guard unsafe tweencast_curl_set_number(handle, option, number) == CURLE_OK else { return false }
        }
        if request.isPost {
            // A pointer to no bytes could be nil, which would mean another source of the body.
            let bytes = request.body + [0]
            guard unsafe tweencast_curl_set_body(handle, bytes, request.body.count) == CURLE_OK else { return false }
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe tweencast_curl_set_headers(handle, headers) == CURLE_OK
            && tweencast_curl_set_writer(handle, context, receiveAnswer) == CURLE_OK
    }

    private var head: TransferEnd.Head {
        let seconds = unsafe tweencast_curl_retry_after(handle)
        return TransferEnd.Head(
            status: unsafe Int(tweencast_curl_status(handle)), retryAfter: seconds > 0 ? Int(clamping: seconds) : nil)
    }

    /// Lets it go on after a pause.
    func resume() { _ = unsafe curl_easy_pause(handle, CURLPAUSE_CONT) }

    func finish(_ code: CURLcode) {
        guard code != CURLE_OK else { return reception.finish(.complete(head)) }
        let finals: Set<UInt32> = [
            CURLE_URL_MALFORMAT.rawValue, CURLE_UNSUPPORTED_PROTOCOL.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue,
            CURLE_PEER_FAILED_VERIFICATION.rawValue,
        ]
        let isUnverified = code.rawValue == CURLE_PEER_FAILED_VERIFICATION.rawValue
        let reason = isUnverified ? Self.unverified : unsafe String(cString: curl_easy_strerror(code))
        reception.finish(.failed(reason, isFinal: finals.contains(code.rawValue)))
    }

    private static let unverified =
        "the server's certificate can't be verified: its authority is unknown, it has expired, or it is for another name"

    /// - Returns: How many bytes were taken: all, or the mark of a pause.
    fileprivate func receive(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        let isTaken = unsafe reception.receive(
            UnsafeRawBufferPointer(start: bytes, count: count), head: head)
        return isTaken ? count : Int(CURL_WRITEFUNC_PAUSE)
    }
}

private func receiveAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return size * count }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().receive(bytes, size * count)
}
