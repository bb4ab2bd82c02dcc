// RFC 3339 dates to instants and back.

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
        return Instant(nanoseconds: Int64((seconds * 1e6).rounded()) * 1_000)
    }

    /// An RFC 3339 date in UTC with milliseconds.
    package static func text(_ instant: Instant) -> String {
        let date = Date(timeIntervalSince1970: Double(instant.nanoseconds / 1_000_000) / 1_000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
