// The functions that libmicrohttpd calls. Each recovers an object from its pointer and passes on; none throws.

import CMicroHTTPD

/// A piece of a request: its first call has no body, then come the body's pieces, then a call with size 0; a resumed
/// connection calls once more.
func handleAccess(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let pointer = unsafe connection, let url = unsafe url, let method = unsafe method,
        let size = unsafe size, let request = unsafe request
    else { return .NO }
    let connection = unsafe Connection(pointer)
    let server = unsafe Unmanaged<RequestServer>.fromOpaque(context).takeUnretainedValue()
    guard let known = unsafe request.pointee else {
        let pending = PendingRequest(connection)
        unsafe request.pointee = Unmanaged.passRetained(pending).toOpaque()
        return server.begin(pending, on: connection)
    }
    let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(known).takeUnretainedValue()
    if unsafe size.pointee > 0 {
        unsafe server.collect(UnsafeRawBufferPointer(start: data, count: size.pointee), for: pending)
        unsafe size.pointee = 0
        return .YES
    }
    return unsafe server.finish(
        pending, on: connection, method: String(cString: method), path: String(cString: url))
}

/// A request is over, whatever became of it: the reference that the first call took goes.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let request = unsafe request, let pending = unsafe request.pointee else { return }
    unsafe Unmanaged<PendingRequest>.fromOpaque(pending).release()
    unsafe request.pointee = nil
}

/// The head of a stream's answer has been written: its socket is ours from here on, and the library lets its
/// connection go.
func takeStreamOver(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    if let context = unsafe context {
        unsafe Unmanaged<StreamTakeOver>.fromOpaque(context).takeUnretainedValue().take()
    }
    return MHD_CONTENT_READER_END_OF_STREAM
}

/// The response of a stream is gone: the reference that made it goes.
func releaseStreamTakeOver(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let takeOver = unsafe Unmanaged<StreamTakeOver>.fromOpaque(context).takeRetainedValue()
    takeOver.abandon()
}

/// One parameter of a query.
func collectQueryItem(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let context = unsafe context, let name = unsafe name else { return .YES }
    let items = unsafe Unmanaged<QueryItems>.fromOpaque(context).takeUnretainedValue()
    unsafe items.list.append((String(cString: name), value.map { unsafe String(cString: $0) } ?? ""))
    return .YES
}
