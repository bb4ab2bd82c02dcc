// P-256 signatures: converts between the tokens' form, r followed by s (RFC 7518 section 3.4), and GnuTLS' DER.

import CGnuTLS

enum ECDSASignature {
    /// Bytes of each of the two numbers.
    private static let half = 32
    static let size = 2 * half

    /// - Returns: nil for any other number of bytes.
    static func der(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == size else { return nil }
        return unsafe DatumBytes.lend(Array(bytes.prefix(half))) { r in
            unsafe DatumBytes.lend(Array(bytes.suffix(half))) { s in
                unsafe DatumBytes.copy { unsafe gnutls_encode_rs_value($0, r, s) }
            }
        }
    }

    static func bytes(der: [UInt8]) -> [UInt8]? {
        var s: [UInt8]?
        let r = unsafe DatumBytes.lend(der) { der in
            unsafe DatumBytes.copy { r in
                var code: Int32 = 0
                s = unsafe DatumBytes.copy { s in
                    unsafe code = gnutls_decode_rs_value(der, r, s)
                    return code
                }
                return code
            }
        }
        guard let r = r.flatMap({ number($0) }), let s = s.flatMap({ number($0) }) else { return nil }
        return r + s
    }

    /// Pads a number to its full width: DER drops leading zeros, or adds one.
    private static func number(_ bytes: [UInt8]) -> [UInt8]? {
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= half else { return nil }
        return [UInt8](repeating: 0, count: half - digits.count) + digits
    }
}
