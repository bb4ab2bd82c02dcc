// The functions that libmicrohttpd calls. Each recovers an object from its pointer and passes on; none throws.

import CMicroHTTPD
import Glibc

/// A piece of a request: its first call has no body, then come the body's pieces, then a call with size 0; a resumed
/// connection calls once more.
func handleAccess(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let pointer = unsafe connection, let url = unsafe url,
        let method = unsafe method,
        let size = unsafe size, let request = unsafe request
    else { return .NO }
    let connection = unsafe Connection(pointer)
    let server = unsafe Unmanaged<RequestServer>.fromOpaque(context).takeUnretainedValue()
    guard let known = unsafe request.pointee else {
        let (pending, result) = server.begin(connection)
        unsafe request.pointee = Unmanaged.passRetained(pending).toOpaque()
        return result
    }
    let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(known).takeUnretainedValue()
    if unsafe size.pointee > 0 {
        defer { unsafe size.pointee = 0 }
        return unsafe server.collect(UnsafeRawBufferPointer(start: data, count: size.pointee), for: pending)
    }
    let isLegacy = unsafe version.map { unsafe strcmp($0, "HTTP/1.0") == 0 } ?? false
    return unsafe server.finish(
        pending, on: connection, method: String(cString: method), path: url, isLegacy: isLegacy)
}

/// A piece of a body that comes in portions.
func readBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context = unsafe context else { return TWEENCAST_BODY_CUT }
    let body = unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    switch unsafe body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .copied(let count): return count
    case .suspended: return 0
    case .end: return TWEENCAST_BODY_END
    case .cut: return TWEENCAST_BODY_CUT
    }
}

/// The library is done with a body: the reference that its response took goes.
func freeBody(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().finish()
}

/// A request is over, whatever became of it: the reference that the first call took goes.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let request = unsafe request, let pending = unsafe request.pointee else {
        return
    }
    unsafe request.pointee = nil
    let server = unsafe Unmanaged<RequestServer>.fromOpaque(context).takeUnretainedValue()
    unsafe server.complete(Unmanaged<PendingRequest>.fromOpaque(pending).takeRetainedValue())
}

/// A connection began or ended.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard code == .CONNECTION_NOTIFY_CLOSED, let context = unsafe context else { return }
    unsafe Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue().released()
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

/// Decodes percent escapes in place. A NUL stays escaped: decoded, it would end the text for whoever reads it as a C
/// string, so that `/a%00b` would pass for `/a`.
func decodeEscapes(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    var source = 0
    var target = 0
    while unsafe text[source] != 0 {
        var byte = unsafe UInt8(bitPattern: text[source])
        // The terminator is no digit, so that nothing behind it is looked at.
        if byte == UInt8(ascii: "%"), let high = unsafe hexadecimalDigit(text[source + 1]),
            let low = unsafe hexadecimalDigit(text[source + 2]), high | low != 0
        {
            byte = high << 4 | low
            source += 2
        }
        unsafe text[target] = CChar(bitPattern: byte)
        source += 1
        target += 1
    }
    unsafe text[target] = 0
    return target
}

private func hexadecimalDigit(_ character: CChar) -> UInt8? {
    switch UInt8(bitPattern: character) {
    case let digit where (48...57).contains(digit): digit - 48
    case let letter where (65...70).contains(letter): letter - 55
    case let letter where (97...102).contains(letter): letter - 87
    default: nil
    }
}
