// The functions that libmicrohttpd calls on a worker's thread. Each recovers an object from its pointer and forwards the
// call; none throws.

import CMicroHTTPD
import Glibc

/// Handles a request line before the library parses the head. Prepares the head: removes the query and replaces cookies, because
/// the library would store both in the connection's memory, and close without an answer when that is full.
/// - Returns: The request, which `requestCompleted` releases; nil if the memory is already full: `handleAccess` then ends the
///   connection.
func requestLine(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection else {
        return nil
    }
    let worker = unsafe Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
    // Copied first: preparing the head removes the query from `target`.
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    guard unsafe tweencast_prepare_head(connection, target) != 0 else { return nil }
    return unsafe Unmanaged.passRetained(
        worker.requests.receive(bytes, on: Connection(connection), of: worker)
    ).toOpaque()
}

/// Handles a part of a request. The first call has no body; then come the pieces of the body, and then calls with size 0
/// until there is an answer.
func handleAccess(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let method = unsafe method, let size = unsafe size,
        let known = unsafe request?.pointee
    else { return .NO }
    let worker = unsafe Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
    let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(known).takeUnretainedValue()
    if pending.goesOnWaiting() { return .YES }
    guard unsafe pending.intake.hasBegun else {
        guard let version = unsafe version else { return .NO }
        return unsafe worker.requests.begin(pending, method: method, version: version)
    }
    if unsafe size.pointee > 0 {
        defer { unsafe size.pointee = 0 }
        worker.recordArrival()
        let piece = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
        guard unsafe pending.intake.chunks.admits(piece) else { return worker.requests.refuseChunks(of: pending) }
        return unsafe worker.requests.collect(piece, for: pending)
    }
    return worker.requests.finish(pending)
}

/// Called when the library's log says that it rejects a request itself; see `Daemon`.
func libraryRefuses(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().refuseHead()
}

/// Collects one value of a header.
func appendHeader(_ context: UnsafeMutableRawPointer?, _ value: UnsafePointer<CChar>?) {
    guard let context = unsafe context, let value = unsafe value else { return }
    unsafe context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: value))
}

/// Fills the library's buffer with the next bytes of a streamed answer.
func produceBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context = unsafe context else { return TWEENCAST_BODY_CUT }
    let body = unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    switch unsafe body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .copied(let count): return count
    // The connection has been suspended before.
    case .suspended: return 0
    case .end: return TWEENCAST_BODY_END
    case .cut: return TWEENCAST_BODY_CUT
    }
}

/// Ends a streamed answer's body and releases it.
func endAnswerBody(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().finish()
}

/// Releases the reference that `requestLine` retained; the request is over.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let request = unsafe request, let pending = unsafe request.pointee else {
        return
    }
    unsafe request.pointee = nil
    let worker = unsafe Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
    unsafe worker.requests.complete(Unmanaged<PendingRequest>.fromOpaque(pending).takeRetainedValue())
}

/// Handles a connection's start or end.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let socketContext = unsafe socketContext
    else { return }
    let worker = unsafe Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
    if code == .CONNECTION_NOTIFY_STARTED {
        let record = unsafe worker.began(Connection(connection))
        unsafe socketContext.pointee = Unmanaged.passRetained(record).toOpaque()
    } else if let kept = unsafe socketContext.pointee {
        unsafe socketContext.pointee = nil
        // The library has freed the connection's TLS session already.
        worker.released(unsafe Unmanaged<ConnectionRecord>.fromOpaque(kept).takeRetainedValue())
    }
}
