// A client on a bare socket, so that tests see every byte of the server and can send what no client would.

import Foundation
import Glibc
import OperatingSystem

/// A blocking TCP connection to the loopback interface.
package final class RawConnection {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// nil once it is shut.
    private var socket: Descriptor?
    private var buffer: [UInt8] = []
    /// Received bytes of a chunked body that are not decoded yet; nil if the body is not chunked.
    private var chunked: [UInt8]?
    /// Bytes left of the current chunk, including the line break after it.
    private var missing = 0
    /// Whether the last chunk of the body has arrived.
    package private(set) var hasLastChunk = false
    /// The TLS session; nil without TLS.
    private var session: ClientSession?

    /// Seconds until a read fails by default. A server with a sanitizer takes longer: `TWEENCAST_PATIENCE` says how long.
    package static let patience = ProcessInfo.processInfo.environment["TWEENCAST_PATIENCE"].flatMap { Int($0) } ?? 60

    /// - Parameters:
    ///   - timeout: Seconds after which a read fails: a bound for broken servers, not a wait.
    ///   - certificate: The file of a certificate to trust, for TLS; nil for none.
    package init(
        port: UInt16, timeout: Int = patience, receiveBuffer: Int32? = nil, trusting certificate: String? = nil
    ) throws(Failure) {
        // Close-on-exec, because servers started by other tests would inherit it and keep it open.
        socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        let descriptor = descriptor
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
        if let certificate { session = try ClientSession(descriptor, trusting: certificate) }
    }

    /// Takes over an accepted connection.
    init(accepted client: consuming Descriptor) {
        _ = fcntl(client.number, F_SETFD, FD_CLOEXEC)
        socket = consume client
    }

    /// -1 once it is shut.
    package var descriptor: Int32 { socket?.number ?? -1 }

    deinit { shut() }

    package func shut() {
        session = nil
        socket = nil
    }

    package func send(_ text: String) throws(Failure) { try send(Array(text.utf8)) }

    /// Sends the end of the TLS session while the socket stays open.
    package func sayGoodbye() { session?.sayGoodbye() }

    /// Changes the TLS session's sending keys, and asks the peer to do the same.
    package func renewKeys() throws(Failure) { try session?.renewKeys() }

    /// The server's certificate, in DER; empty without TLS.
    package var certificate: [UInt8] { session?.certificate ?? [] }

    package func send(_ bytes: [UInt8]) throws(Failure) {
        if let session { return try session.send(bytes) }
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { raw in
                let rest = unsafe raw.baseAddress.map { unsafe $0 + sent }
                return uninterrupted {
                    unsafe Glibc.send(descriptor, rest, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
            }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            sent += count
        }
    }

    /// Reads an answer's head. If the body is chunked, later reads decode it.
    /// - Returns: nil when the peer closed first.
    package func readStreamHead() throws(Failure) -> String? {
        guard let head = try read(through: "\r\n\r\n") else { return nil }
        if head.lowercased().contains("\r\ntransfer-encoding: chunked\r\n") {
            chunked = buffer
            buffer = []
            unwrap()
        }
        return head
    }

    /// Reads the content of the next chunk; nil at the last one, and when the peer closed.
    package func readChunk() throws(Failure) -> String? {
        guard let line = try read(through: "\r\n"), let length = Int(line.dropLast(), radix: 16), length > 0,
            let content = try readBytes(count: length), try read(count: 2) == "\r\n"
        else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    /// Decodes the chunks that have arrived.
    private func unwrap() {
        while var bytes = chunked, !bytes.isEmpty {
            if missing > 2 {
                let count = min(missing - 2, bytes.count)
                buffer.append(contentsOf: bytes[..<count])
                bytes.removeFirst(count)
                missing -= count
            } else if missing > 0 {
                bytes.removeFirst()
                missing -= 1
            } else if let end = Self.index(of: [13, 10], in: bytes, from: 0) {
                let length = Int(String(decoding: bytes[..<end], as: UTF8.self), radix: 16) ?? 0
                hasLastChunk = length == 0
                missing = length + 2
                bytes.removeFirst(end + 2)
            } else {
                return
            }
            chunked = bytes
        }
    }

    /// Reads up to and including a terminator.
    /// - Returns: nil when the peer closed first.
    package func read(through terminator: String) throws(Failure) -> String? {
        let end = Array(terminator.utf8)
        var searched = 0
        while true {
            if let found = Self.index(of: end, in: buffer, from: searched) {
                let text = String(decoding: buffer[..<(found + end.count)], as: UTF8.self)
                buffer.removeFirst(found + end.count)
                return text
            }
            searched = max(0, buffer.count - end.count)
            guard try receive() else { return nil }
        }
    }

    /// Reads an exact number of bytes.
    package func read(count: Int) throws(Failure) -> String? {
        try readBytes(count: count).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads an exact number of bytes, which may end within a character.
    package func readBytes(count: Int) throws(Failure) -> [UInt8]? {
        while buffer.count < count {
            guard try receive() else { return nil }
        }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    /// Reads everything until the peer closes.
    package func readToEnd() throws(Failure) -> String {
        while try receive() {}
        defer { buffer.removeAll() }
        return String(decoding: buffer, as: UTF8.self)
    }

    private func receive() throws(Failure) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        if let session {
            let count = try session.receive(into: &chunk)
            keep(chunk.prefix(count))
            return count > 0
        }
        let count = unsafe chunk.withUnsafeMutableBytes { room in
            uninterrupted { unsafe recv(descriptor, room.baseAddress, room.count, 0) }
        }
        if count < 0 {
            // A reset also means closed; a timeout means a broken server.
            guard errno == ECONNRESET else { throw Failure(description: "recv: errno \(errno)") }
            return false
        }
        keep(chunk[..<count])
        return count > 0
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        guard chunked != nil else { return buffer.append(contentsOf: bytes) }
        chunked?.append(contentsOf: bytes)
        unwrap()
    }

    private static func index(of needle: [UInt8], in hay: [UInt8], from start: Int) -> Int? {
        guard hay.count >= needle.count, let first = needle.first else { return nil }
        var position = start
        while position + needle.count <= hay.count {
            if hay[position] == first, hay[position..<(position + needle.count)].elementsEqual(needle) {
                return position
            }
            position += 1
        }
        return nil
    }
}

/// Repeats a system call while it is interrupted. When a process is stopped and continued, as in a virtual machine, a wait
/// with a timeout ends early.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
