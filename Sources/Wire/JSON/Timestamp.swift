// RFC 3339 dates to instants and back.

import Conversions
import FoundationEssentials
import Primitives
package import Tween

/// Dates on the wire.
package enum Timestamp {
    /// Reads an RFC 3339 date with an offset, with or without fractions of a second; nil for anything else.
    package static func instant(_ text: String) -> Instant? {
        let plain = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? plain.parse(text)) ?? (try? fractional.parse(text)) else { return nil }
        let seconds = date.timeIntervalSince1970
        // What 64 bits of nanoseconds hold: the years 1678 to 2261.
        guard seconds.magnitude < 9.2e9 else { return nil }
        return Instant(nanoseconds: Int64(saturating: (seconds * 1e6).rounded()).multipliedSaturated(by: 1_000))
    }

    /// An RFC 3339 date in UTC with milliseconds.
    ///
    /// By hand, since every answer holds some and a formatter takes longer than all the rest of it.
    package static func text(_ instant: Instant) -> String {
        let milliseconds = Int(instant.nanoseconds).dividedDown(by: 1_000_000)
        let days = milliseconds.dividedDown(by: 86_400_000)
        let rest = milliseconds - days * 86_400_000
        let date = CivilDate(dayNumber: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(date.year, digits: 4, then: "-", to: &bytes)
        append(date.month, digits: 2, then: "-", to: &bytes)
        append(date.day, digits: 2, then: "T", to: &bytes)
        append(rest / 3_600_000, digits: 2, then: ":", to: &bytes)
        append(rest / 60_000 % 60, digits: 2, then: ":", to: &bytes)
        append(rest / 1_000 % 60, digits: 2, then: ".", to: &bytes)
        append(rest % 1_000, digits: 3, then: "Z", to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: Int, digits: Int, then mark: Unicode.Scalar, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
        bytes.append(UInt8(ascii: mark))
    }
}
