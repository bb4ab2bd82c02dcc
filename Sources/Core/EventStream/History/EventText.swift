// An event's bytes, encoded only when needed: an event without subscribers is never encoded.

/// A complete named event as it is sent.
enum EventText: Sendable {
    case written([UInt8])
    /// Encoded on demand.
    /// - Parameter size: The approximate number of bytes.
    case unwritten(size: Int, @Sendable () -> [UInt8])

    var bytes: [UInt8] {
        switch self {
        case .written(let bytes): bytes
        case .unwritten(_, let write): write()
        }
    }

    /// The approximate number of bytes.
    var size: Int {
        switch self {
        case .written(let bytes): bytes.count
        case .unwritten(let size, _): size
        }
    }
}
