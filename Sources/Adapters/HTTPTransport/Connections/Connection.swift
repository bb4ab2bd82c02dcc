// A connection of libmicrohttpd. Its pointer is only used here.

import CLinux
import CMicroHTTPD
import OperatingSystem

/// A connection. It is valid from its first callback until its request is completed; the library keeps it while it is
/// suspended.
@safe struct Connection: @unchecked Sendable {
    // @unchecked because: only the connection's worker uses it, except for `shut` on a lent connection.
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// Returns a header's value.
    /// - Parameter name: A literal, whose trailing NUL lets the library read it in place; any other text would be copied.
    func header(_ name: StaticString) -> String? {
        let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe tweencast_header(pointer, name).map { unsafe String(cString: $0) }
    }

    /// Returns the values of a header, in the order of its lines.
    func headerLines(_ name: String) -> [String] {
        var lines: [String] = []
        unsafe withUnsafeMutablePointer(to: &lines) { lines in
            unsafe tweencast_each_header(pointer, name, appendHeader, lines)
        }
        return lines
    }

    /// Returns facts about the whole head.
    /// - Parameters:
    ///   - start: The first byte of the head: the method's.
    ///   - target: Bytes of the request's target, up to the first NUL.
    ///   - version: The position of the version in the head.
    func facts(from start: UnsafePointer<CChar>, target: Int, version: UnsafePointer<CChar>) -> RequestFacts {
        unsafe RequestFacts(tweencast_head(pointer, start, target, version))
    }

    /// The client's address without its port; empty if unknown.
    var peer: String { record?.address ?? "" }

    /// The record kept with the connection; nil before the library has reported its start.
    var record: ConnectionRecord? {
        unsafe tweencast_kept(pointer).map {
            unsafe Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Its place in the connection table; -1 for none.
    var place: Int { record?.place ?? -1 }
    var descriptor: Int32 { unsafe tweencast_descriptor(pointer) }
    /// Its TLS session; nil without TLS.
    var session: TLSSession? { unsafe tweencast_session(pointer).map { unsafe TLSSession(OpaquePointer($0)) } }

    func suspend() { unsafe MHD_suspend_connection(pointer) }
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Stops sending and receiving at once. A thread waiting on the socket notices.
    func shut() { tweencast_shut(descriptor) }

    /// Tells an HTTP/1.0 client that its body is complete. Only the body's reader may call this.
    func finishUnframed() {
        session?.sayGoodbye()
        unsafe tweencast_finish_unframed(pointer)
    }

    /// Stops sending at once.
    func shutSending() { tweencast_shut_sending(descriptor) }

    /// Stops sending and receiving on a connection that the library no longer reads. The library closes it within a second.
    func giveUp() { unsafe tweencast_give_up(pointer) }

    /// Bytes of the request's head; 0 while it is incomplete.
    var headSize: Int { unsafe tweencast_head_size(pointer) }

    /// Bytes read so far if more are waiting; nil if none are.
    var bytesRead: UInt64? {
        let (descriptor, unread) = (descriptor, tweencast_unread(descriptor))
        var received: UInt64 = 0
        guard unread > 0, unsafe tweencast_received(descriptor, &received) != 0 else { return nil }
        return received &- UInt64(clamping: unread)
    }

    /// Sends what the socket accepts, bypassing the library. Nothing else may be in transmission.
    func sendAtOnce(_ bytes: [UInt8]) {
        if let session {
            _ = session.send(bytes, 0..<bytes.count)
        } else {
            _ = StreamSocket.send(descriptor, bytes, 0..<bytes.count)
        }
    }

    /// Returns a duplicate of the socket's descriptor; nil if there is no descriptor left.
    func duplicateDescriptor() -> Descriptor? { Descriptor(owning: tweencast_duplicate(descriptor)) }

    /// Prepares the socket for a stream, which follows at once.
    func holdNothingBack() {
        if unsafe session != nil || record?.hasSent ?? true { StreamSocket.holdNothingBack(descriptor) }
    }

    /// Queues a complete response.
    /// - Parameters:
    ///   - others: Additional headers.
    ///   - id: The request ID that it carries.
    ///   - closing: Whether the connection ends after it.
    func queue(
        _ response: HTTPResponse, adding others: [(name: String, value: String)] = [], id: String, closing: Bool
    ) -> MHD_Result {
        let made = unsafe response.body.withUnsafeBytes { unsafe tweencast_buffer_response($0.count, $0.baseAddress) }
        guard let made = unsafe made else { return .NO }
        unsafe add((name: RequestIDs.header, value: id), to: made)
        return unsafe queue(made, as: response, adding: others, closing: closing)
    }

    /// Queues a response whose body is written in portions. The body is finished even on failure.
    func queue(_ head: HTTPResponse, body: StreamedBody, closing: Bool) -> MHD_Result {
        let owned = unsafe Unmanaged.passRetained(body).toOpaque()
        let size = body.size.map { UInt64(clamping: $0) } ?? .max
        guard let made = unsafe tweencast_streamed_response(size, produceBody, owned, endAnswerBody) else {
            unsafe endAnswerBody(owned)
            return .NO
        }
        return unsafe queue(made, as: head, closing: closing)
    }

    /// Queues a head without `Content-Length`, for a body of unknown length. The connection ends after it.
    func queueHead(_ head: HTTPResponse) -> MHD_Result {
        guard let made = unsafe tweencast_head_response() else { return .NO }
        return unsafe queue(made, as: head, closing: true)
    }

    private func queue(
        _ made: OpaquePointer, as response: HTTPResponse, adding others: [(name: String, value: String)] = [],
        closing: Bool
    ) -> MHD_Result {
        defer { unsafe MHD_destroy_response(made) }
        for header in response.headers { unsafe add(header, to: made) }
        for header in others { unsafe add(header, to: made) }
        if closing { unsafe add((name: "Connection", value: "close"), to: made) }
        unsafe record?.hasSent = true
        return unsafe tweencast_queue(pointer, UInt32(clamping: response.status), made) != 0 ? .YES : .NO
    }

    /// Adds a header. Reads the texts in place: passing them as arguments would first copy them into arrays.
    private func add(_ header: (name: String, value: String), to made: OpaquePointer) {
        unsafe header.name.withCString { name in
            unsafe header.value.withCString { value in _ = unsafe tweencast_add_header(made, name, value) }
        }
    }
}
