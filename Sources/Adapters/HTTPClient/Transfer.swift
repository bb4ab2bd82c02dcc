// One transfer of libcurl, owned by the loop's thread.

import Base
import CCurl
import Glibc

/// libcurl's handle points to this object, so the object must live until the transfer has ended.
@safe final class Transfer {
    let handle: UnsafeMutableRawPointer
    let receiver: any TransferReceiver
    private let request: TransferRequest
    private var headers: UnsafeMutablePointer<curl_slist>?

    init?(_ request: TransferRequest, for receiver: any TransferReceiver) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe handle = unsafe easy
        (self.request, self.receiver) = (request, receiver)
        unsafe self.headers = nil
        for header in request.headers { unsafe self.headers = unsafe curl_slist_append(self.headers, header) }
        guard configure() else { return nil }
    }

    var number: UInt { unsafe UInt(bitPattern: handle) }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    private func configure() -> Bool {
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, request.agent),
        ]
        if let authorities = request.authorities { texts.append((CURLOPT_CAINFO, authorities)) }
        if request.admits != nil { texts.append((CURLOPT_PROXY, "")) }
        let limits =
            switch request.bound {
            case .silence(let seconds): [(CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, seconds)]
            case .whole(let time): [(CURLOPT_TIMEOUT_MS, Self.milliseconds(time))]
            }
        let numbers: [(CURLoption, Int)] =
            limits + [
                // A redirect could lead to a host that isn't allowed, or that a token isn't for. Signals don't suit a
                // threaded process.
                (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1),
                (CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectTimeout)),
                (CURLOPT_PATH_AS_IS, request.keepsDots ? 1 : 0),
            ]
        for (option, text) in texts {
            guard unsafe tweencast_curl_set_text(handle, option, text) == CURLE_OK else { return false }
        }
        for (option, number) in numbers {
            guard unsafe tweencast_curl_set_number(handle, option, number) == CURLE_OK else { return false }
        }
        if let body = request.body {
            // A pointer to no bytes could be nil, which would mean another source of the body.
            guard unsafe tweencast_curl_set_body(handle, body + [0], body.count) == CURLE_OK else { return false }
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe tweencast_curl_set_headers(handle, headers) == CURLE_OK
            && tweencast_curl_set_callbacks(handle, context, openTransferSocket, receiveAnswer) == CURLE_OK
    }

    /// At least one, since 0 would be no limit.
    private static func milliseconds(_ time: Duration) -> Int { max(1, Int(saturating: time / .milliseconds(1))) }

    private var head: TransferEnd.Head {
        let seconds = unsafe tweencast_curl_retry_after(handle)
        return TransferEnd.Head(
            status: unsafe Int(tweencast_curl_status(handle)), retryAfter: seconds > 0 ? Int(clamping: seconds) : nil)
    }

    /// Lets it go on after a pause.
    func resume() { _ = unsafe curl_easy_pause(handle, CURLPAUSE_CONT) }

    func finish(_ code: CURLcode) {
        guard code != CURLE_OK else { return receiver.finish(.complete(head)) }
        let finals: Set<UInt32> = [
            CURLE_URL_MALFORMAT.rawValue, CURLE_UNSUPPORTED_PROTOCOL.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue,
            CURLE_PEER_FAILED_VERIFICATION.rawValue,
        ]
        let isUnverified = code.rawValue == CURLE_PEER_FAILED_VERIFICATION.rawValue
        let reason = isUnverified ? Self.unverified : unsafe String(cString: curl_easy_strerror(code))
        receiver.finish(.failed(reason, isFinal: finals.contains(code.rawValue)))
    }

    private static let unverified =
        "the server's certificate can't be verified: its authority is unknown, it has expired, or it is for another name"

    /// - Returns: How many bytes were taken: all, or the mark of a pause.
    fileprivate func receive(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        return receiver.receive(bytes, head) ? count : Int(CURL_WRITEFUNC_PAUSE)
    }

    /// - Returns: A socket, or -1 if the address isn't admitted.
    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if let admits = request.admits {
            var bytes = [UInt8](repeating: 0, count: 16)
            var port: UInt16 = 0
            let count = unsafe Int(tweencast_curl_address(address, &bytes, &port))
            guard admits(Array(bytes.prefix(count)), port) else { return -1 }
        }
        return unsafe socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}

private func openTransferSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openSocket(address)
}

private func receiveAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return size * count }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().receive(bytes, size * count)
}
