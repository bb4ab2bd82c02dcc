// A connection of libmicrohttpd: the one place where its pointer is used.

import CLinux
import CMicroHTTPD
import OperatingSystem

/// A connection, valid from its first callback until its request is completed; while it is suspended the library keeps
/// it.
@safe struct Connection: @unchecked Sendable {
    // @unchecked because: the connection's worker alone uses it, but for `shut` of one that is lent.
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// - Parameter name: A literal, which ends with a NUL: as any other text it would be copied for the library.
    func header(_ name: StaticString) -> String? {
        let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe tweencast_header(pointer, name).map { unsafe String(cString: $0) }
    }

    /// The values of a header, in the order of its lines.
    func headerLines(_ name: String) -> [String] {
        var lines: [String] = []
        unsafe withUnsafeMutablePointer(to: &lines) { lines in
            unsafe tweencast_each_header(pointer, name, appendHeader, lines)
        }
        return lines
    }

    /// What a request's head is like, beside what is looked up in it.
    /// - Parameters:
    ///   - start: Where the head begins: the method's first byte.
    ///   - target: Bytes of the request's target, up to the first NUL.
    ///   - version: Where the version stands in the head.
    func facts(from start: UnsafePointer<CChar>, target: Int, version: UnsafePointer<CChar>) -> RequestFacts {
        unsafe RequestFacts(tweencast_head(pointer, start, target, version))
    }

    /// The client's address without its port; empty when it is not known.
    var peer: String { record?.address(writeAddress) ?? writeAddress() }

    private func writeAddress() -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: TWEENCAST_ADDRESS_SIZE) { text in
            guard let start = text.baseAddress, unsafe tweencast_peer(pointer, start) != 0 else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// What is kept with it; nil before its begin was told.
    var record: ConnectionRecord? {
        unsafe tweencast_kept(pointer).map {
            unsafe Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Its place in the table of connections; -1 for none.
    var place: Int { record?.place ?? -1 }
    var descriptor: Int32 { unsafe tweencast_descriptor(pointer) }
    /// Its TLS session; nil where it has none.
    var session: TLSSession? { unsafe tweencast_session(pointer).map { unsafe TLSSession(OpaquePointer($0)) } }

    func suspend() { unsafe MHD_suspend_connection(pointer) }
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Ends what is sent and received, at once; whoever waits on the socket finds that out.
    func shut() { tweencast_shut(descriptor) }

    /// Tells a client that knows no chunks that its body is complete. From the body's reader alone.
    func finishUnframed() {
        session?.sayGoodbye()
        unsafe tweencast_finish_unframed(pointer)
    }

    /// Ends what is sent, at once.
    func shutSending() { tweencast_shut_sending(descriptor) }

    /// Ends what is sent and received of one that the library reads no further, which lets it go in a second.
    func giveUp() { unsafe tweencast_give_up(pointer) }

    /// Bytes of a request's head; 0 while it isn't complete.
    var headSize: Int { unsafe tweencast_head_size(pointer) }

    /// Bytes that were read of what has come so far, while more waits; nil when nothing does.
    var bytesRead: UInt64? {
        let (descriptor, unread) = (descriptor, tweencast_unread(descriptor))
        var received: UInt64 = 0
        guard unread > 0, unsafe tweencast_received(descriptor, &received) != 0 else { return nil }
        return received &- UInt64(clamping: unread)
    }

    /// Sends what the socket takes, past the library; nothing else may be on its way.
    func sendAtOnce(_ bytes: [UInt8]) {
        if let session {
            _ = session.send(bytes, 0..<bytes.count)
        } else {
            _ = StreamSocket.send(descriptor, bytes, 0..<bytes.count)
        }
    }

    /// A duplicate of the socket's descriptor; nil when there is none to be had.
    func duplicateDescriptor() -> Descriptor? { Descriptor(owning: tweencast_duplicate(descriptor)) }

    /// Queues a whole response.
    /// - Parameters:
    ///   - others: Headers that go with it.
    ///   - id: The name that it carries.
    ///   - closing: Whether the connection ends after it.
    func queue(
        _ response: HTTPResponse, adding others: [(name: String, value: String)] = [], id: String, closing: Bool
    ) -> MHD_Result {
        let made = unsafe response.body.withUnsafeBytes { unsafe tweencast_buffer_response($0.count, $0.baseAddress) }
        guard let made = unsafe made else { return .NO }
        unsafe add((name: RequestIDs.header, value: id), to: made)
        return unsafe queue(made, as: response, adding: others, closing: closing)
    }

    /// Queues a head whose body comes in portions; the body is finished in any case.
    func queue(_ head: HTTPResponse, body: StreamedBody, closing: Bool) -> MHD_Result {
        let owned = unsafe Unmanaged.passRetained(body).toOpaque()
        guard let made = unsafe tweencast_streamed_response(readBody, owned, freeBody) else {
            unsafe freeBody(owned)
            return .NO
        }
        return unsafe queue(made, as: head, closing: closing)
    }

    /// Queues a head alone, which says nothing of a length: that of a body whose length is not known. The connection ends
    /// after it.
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
        return unsafe tweencast_queue(pointer, UInt32(clamping: response.status), made) != 0 ? .YES : .NO
    }

    /// Adds a header. Read in place: passed as an argument, a text would be copied into an array first.
    private func add(_ header: (name: String, value: String), to made: OpaquePointer) {
        unsafe header.name.withCString { name in
            unsafe header.value.withCString { value in _ = unsafe tweencast_add_header(made, name, value) }
        }
    }
}
