// Asks a server for its health, for a container that has no curl.

import Glibc

enum HealthProbe {
    /// Whether the server answers 200 to `/healthz` within two seconds.
    static func isHealthy(host: String, port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        // A server that listens everywhere is asked on the loopback interface.
        let name = host == "0.0.0.0" || host == "localhost" ? "127.0.0.1" : host
        guard unsafe inet_pton(AF_INET, name, &address.sin_addr) == 1 else { return false }
        let connected = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return false }
        let request = Array("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
        guard unsafe request.withUnsafeBytes({ unsafe send(descriptor, $0.baseAddress, $0.count, 0) }) > 0 else {
            return false
        }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = unsafe answer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 12 && answer[9..<12].elementsEqual("200".utf8)
    }
}
