// Bytes to GnuTLS and back.

import CGnuTLS

enum DatumBytes {
    /// Bytes as GnuTLS takes them, for as long as the body runs.
    static func lend<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            // It writes to none of what it is lent; its type has no word for that.
            var datum = unsafe gnutls_datum_t(
                data: UnsafeMutablePointer(mutating: buffer.baseAddress), size: UInt32(clamping: buffer.count))
            return unsafe body(&datum)
        }
    }

    /// What GnuTLS has made, copied and freed.
    /// - Parameter make: Answers with a code of GnuTLS.
    /// - Returns: nil for a code that is not 0.
    static func take(_ make: (UnsafeMutablePointer<gnutls_datum_t>) -> Int32) -> [UInt8]? {
        var datum = unsafe gnutls_datum_t(data: nil, size: 0)
        guard unsafe make(&datum) == 0 else { return nil }
        defer { unsafe tweencast_gnutls_free(datum.data) }
        return unsafe Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }
}
