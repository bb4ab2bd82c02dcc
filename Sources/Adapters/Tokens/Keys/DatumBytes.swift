// Passes bytes to GnuTLS and back.

import CGnuTLS

enum DatumBytes {
    /// Lends bytes to GnuTLS while the body runs.
    static func lend<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            // GnuTLS doesn't write to it, but its type can't say so.
            var datum = unsafe gnutls_datum_t(
                data: UnsafeMutablePointer(mutating: buffer.baseAddress), size: UInt32(clamping: buffer.count))
            return unsafe body(&datum)
        }
    }

    /// Copies what GnuTLS allocated, then frees it.
    /// - Parameter make: Returns a GnuTLS code.
    /// - Returns: nil for a code other than 0.
    static func copy(_ make: (UnsafeMutablePointer<gnutls_datum_t>) -> Int32) -> [UInt8]? {
        var datum = unsafe gnutls_datum_t(data: nil, size: 0)
        guard unsafe make(&datum) == 0 else { return nil }
        defer { unsafe tweencast_gnutls_free(datum.data) }
        return unsafe Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }
}
