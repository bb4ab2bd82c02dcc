// libcurl's transfers. Each connects only to addresses and ports that the policy allows. The check happens when the socket is created,
// so an earlier DNS result doesn't count.

import Base
import CCurl
import Glibc
import Machine
import OperatingSystem

/// All transfers of one thread. Only `wake` may be called from another thread.
@safe final class Transfers: @unchecked Sendable {
    // @unchecked because: only the owning thread touches `running`, and libcurl allows any thread to wake the handle.
    private let handle: UnsafeMutableRawPointer
    /// By handle, as a number.
    private var running: [UInt: Transfer] = [:]

    /// Idle connections kept for later calls.
    private static let keptConnections = 32
    /// The longest wait in milliseconds before libcurl runs again.
    private static let longestWait: Int32 = 60_000

    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init?() {
        guard Self.isReady, let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = unsafe handle
        _ = unsafe tweencast_curl_limit_cache(self.handle, Self.keptConnections)
    }

    deinit { _ = unsafe curl_multi_cleanup(handle) }

    /// Ends the owner's `wait`.
    func wake() { _ = unsafe curl_multi_wakeup(handle) }

    /// Starts a transfer.
    /// - Parameter scheme: That of the request's URL.
    /// - Returns: false when the system has no resources left.
    func begin(
        _ request: WebhookRequest, over scheme: String, headers: [String], timeout: Double, policy: WebhookPolicy
    ) -> Bool {
        guard let transfer = Transfer(request, over: scheme, headers: headers, timeout: timeout, policy: policy),
            unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
        else { return false }
        running[transfer.number] = transfer
        return true
    }

    /// Advances all transfers that can continue.
    /// - Returns: The ones that have ended.
    func advance() -> [(id: String, WebhookOutcome)] {
        var count: Int32 = 0
        _ = unsafe curl_multi_perform(handle, &count)
        var ended: [(id: String, WebhookOutcome)] = []
        while true {
            let end = unsafe tweencast_curl_next_end(handle)
            guard let easy = unsafe end.handle else { return ended }
            _ = unsafe curl_multi_remove_handle(handle, easy)
            guard let transfer = running.removeValue(forKey: UInt(bitPattern: easy)) else { continue }
            ended.append((transfer.id, transfer.outcome(unsafe end.code)))
        }
    }

    /// Sleeps until there is something to do.
    func wait() {
        _ = unsafe curl_multi_poll(handle, nil, 0, Self.longestWait, nil)
    }

    /// Aborts all transfers.
    func end() {
        for transfer in running.values { _ = unsafe curl_multi_remove_handle(handle, transfer.handle) }
        running.removeAll()
    }
}

/// One call. libcurl's handle points to this object, so the object must live until the call has ended.
@safe final class Transfer {
    let id: String
    let handle: UnsafeMutableRawPointer
    private let scheme: String
    private let policy: WebhookPolicy
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// Whether the last address was rejected.
    private var refused = false

    init?(_ request: WebhookRequest, over scheme: String, headers: [String], timeout: Double, policy: WebhookPolicy) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe handle = unsafe easy
        id = request.id
        (self.scheme, self.policy) = (scheme, policy)
        unsafe self.headers = nil
        for header in headers { unsafe self.headers = unsafe curl_slist_append(self.headers, header) }
        guard unsafe configure(easy, request, milliseconds: Int(saturating: timeout * 1_000)) else { return nil }
    }

    var number: UInt { unsafe UInt(bitPattern: handle) }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    private func configure(_ easy: UnsafeMutableRawPointer, _ request: WebhookRequest, milliseconds: Int) -> Bool {
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "Tweencast"),
            // Ignore the environment's proxy: it would connect for us, to any address.
            (CURLOPT_PROXY, ""),
        ]
        if let authorities = AuthorityFile.path { texts.append((CURLOPT_CAINFO, authorities)) }
        let numbers: [(CURLoption, Int)] = [
            // A redirect could lead to a host that is not allowed. Signals don't suit a threaded process.
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_TIMEOUT_MS, milliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
        ]
        for (option, text) in texts {
            guard unsafe tweencast_curl_set_text(easy, option, text) == CURLE_OK else { return false }
        }
        for (option, number) in numbers {
            guard unsafe tweencast_curl_set_number(easy, option, number) == CURLE_OK else { return false }
        }
        guard unsafe tweencast_curl_set_body(easy, request.body, request.body.count) == CURLE_OK,
            unsafe tweencast_curl_set_headers(easy, headers) == CURLE_OK
        else { return false }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe tweencast_curl_set_callbacks(easy, context, openWebhookSocket, discardWebhookAnswer) == CURLE_OK
    }

    func outcome(_ code: CURLcode) -> WebhookOutcome {
        guard code == CURLE_OK else {
            if refused { return .forbidden("the host's address is not public, nor listed with this port") }
            return .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
        let seconds = unsafe tweencast_curl_retry_after(handle)
        return .answered(
            status: unsafe Int(tweencast_curl_status(handle)), retryAfter: seconds > 0 ? Double(seconds) : nil)
    }

    /// - Returns: A socket if the policy allows the address, else -1.
    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = unsafe Int(tweencast_curl_address(address, &bytes, &port))
        // proven: none, four or sixteen bytes.
        guard let ip = IPAddress(bytes: bytes[..<count]), policy.admits(ip, port: port, over: scheme) else {
            refused = true
            return -1
        }
        refused = false
        return unsafe socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}

private func openWebhookSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openSocket(address)
}

/// Discards the response body: only the status matters.
private func discardWebhookAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    size * count
}
