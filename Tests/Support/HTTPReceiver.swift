// The receiver of webhooks: accepts one request at a time when the test asks for it, and answers as the test says.

import Glibc
import OperatingSystem

/// A received request.
package struct ReceivedRequest: Sendable {
    /// Method and path.
    package let line: String
    /// Names in lower case.
    package let headers: [String: String]
    package let body: String
}

/// Listens on the loopback interface. Requests wait in the system's queue until they are accepted.
package final class HTTPReceiver {
    package let port: UInt16
    private let socket: Descriptor
    private var descriptor: Int32 { socket.number }

    /// - Parameters:
    ///   - port: 0 selects a free one.
    ///   - timeout: Seconds after which waiting for a request fails.
    package init(port: UInt16 = 0, timeout: Int = RawConnection.patience) throws(RawConnection.Failure) {
        let opened = Descriptor(
            owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard let opened else { throw RawConnection.Failure(description: "socket: errno \(errno)") }
        let descriptor = opened.number
        socket = opened
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0
                    ? unsafe getsockname(descriptor, $0, &size) : -1
            }
        }
        guard result == 0 else { throw RawConnection.Failure(description: "listen: errno \(errno)") }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a request and answers it.
    /// - Parameter head: Status line and headers, without the empty line.
    package func next(answering head: String = "HTTP/1.1 204 No Content") throws -> ReceivedRequest {
        let client = uninterrupted { accept(descriptor, nil, nil) }
        guard let client = Descriptor(owning: client) else {
            throw RawConnection.Failure(description: "accept: errno \(errno)")
        }
        let connection = RawConnection(accepted: client)
        guard let text = try connection.read(through: "\r\n\r\n") else {
            throw RawConnection.Failure(description: "closed before a request")
        }
        let (_, headers) = HTTPClient.parse(head: text)
        let body = try connection.read(count: headers["content-length"].flatMap { Int($0) } ?? 0) ?? ""
        try connection.send("\(head)\r\nConnection: close\r\n\r\n")
        let line = text.split(separator: "\r\n").first.map(String.init) ?? ""
        return ReceivedRequest(line: line, headers: headers, body: body)
    }

    /// Whether no request is waiting; call it when all possible senders have had time to connect.
    package var isIdle: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) == 0
    }
}
