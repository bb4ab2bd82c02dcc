// Why a time zone file is unusable.

/// What is wrong with the bytes, for the machine's operator.
package struct ZoneFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
