// Checks a server's health, for containers without curl.

import CGnuTLS
import Glibc
import OperatingSystem

/// One request for `/healthz`.
struct HealthProbe {
    /// The time limit in seconds for the whole probe.
    private static let timeout = 2

    /// The server's listening address, in the form that reaches it from this machine.
    private let address: String
    private let port: UInt16
    private let speaksTLS: Bool

    /// - Parameters:
    ///   - host: The server's `--host`.
    ///   - port: Its `--port`.
    ///   - speaksTLS: Whether the server has a certificate. Its name and issuer aren't verified.
    init(host: String, port: UInt16, speaksTLS: Bool) {
        address = Self.addresses[host] ?? host
        self.port = port
        self.speaksTLS = speaksTLS
    }

    private static let addresses = ["localhost": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"]

    /// Returns whether the server reports that it is healthy.
    func isHealthy() -> Bool {
        guard let connection = connected() else { return false }
        let descriptor = connection.number
        let host = address.contains(":") ? "[\(address)]" : address
        let request = Array(
            "GET /healthz HTTP/1.1\r\nHost: \(host):\(port)\r\nUser-Agent: tweencast\r\nConnection: close\r\n\r\n".utf8)
        guard speaksTLS else {
            let sent = unsafe request.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent == request.count else { return false }
            return unsafe Self.status { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) } == 200
        }
        var credentials: gnutls_certificate_credentials_t?
        guard let session = unsafe tweencast_greet_server(descriptor, &credentials) else { return false }
        defer {
            unsafe gnutls_deinit(session)
            unsafe gnutls_certificate_free_credentials(credentials)
        }
        guard unsafe gnutls_record_send(session, request, request.count) == request.count else { return false }
        return unsafe Self.status { unsafe gnutls_record_recv(session, $0.baseAddress, $0.count) } == 200
    }

    /// Returns a connection to the server whose calls each time out.
    private func connected() -> Descriptor? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address, "\(port)", &hints, &list) == 0, let found = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(found) }
        let opened = Descriptor(
            owning: unsafe socket(found.pointee.ai_family, found.pointee.ai_socktype, found.pointee.ai_protocol))
        guard let opened else { return nil }
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(opened.number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(opened.number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        guard unsafe connect(opened.number, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        return opened
    }

    /// Returns the status of a response: `HTTP/1.1 200 …`.
    /// - Parameter read: Reads available bytes; returns 0 or less at the end.
    private static func status(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64)
        let start = time(nil)
        while answer.count < 12, time(nil) - start <= timeout {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read($0) }
            guard count > 0 else { return nil }
            answer += piece.prefix(count)
        }
        guard answer.starts(with: "HTTP/1.".utf8) else { return nil }
        return Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self))
    }
}
