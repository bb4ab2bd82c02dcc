// Why a time zone's file can't be used.

/// What is wrong with the bytes, in words for the machine's operator.
package struct ZoneFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
