// RFC 3339 dates to instants and back.

import Conversions
import FoundationEssentials
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
    /// By hand, since every answer holds some: days to a date as in H. Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms" (civil_from_days).
    package static func text(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds.dividedDown(by: 1_000_000)
        let days = milliseconds.dividedDown(by: 86_400_000)
        let rest = milliseconds - days * 86_400_000
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(year, digits: 4, then: "-", to: &bytes)
        append(month, digits: 2, then: "-", to: &bytes)
        append(day, digits: 2, then: "T", to: &bytes)
        append(rest / 3_600_000, digits: 2, then: ":", to: &bytes)
        append(rest / 60_000 % 60, digits: 2, then: ":", to: &bytes)
        append(rest / 1_000 % 60, digits: 2, then: ".", to: &bytes)
        append(rest % 1_000, digits: 3, then: "Z", to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: Int64, digits: Int, then mark: Unicode.Scalar, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
        bytes.append(UInt8(ascii: mark))
    }
}

extension Int64 {
    /// The quotient rounded toward negative infinity: what a date before 1970 needs.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
