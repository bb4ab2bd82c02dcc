// An event's bytes, which most often nobody asks for: who publishes where nobody listens writes none.

/// A whole named event as it goes out.
enum EventText: Sendable {
    case written([UInt8])
    /// Written when somebody asks for it.
    /// - Parameter size: About how many bytes it will be.
    case unwritten(size: Int, @Sendable () -> [UInt8])

    var bytes: [UInt8] {
        switch self {
        case .written(let bytes): bytes
        case .unwritten(_, let write): write()
        }
    }

    /// Bytes, about.
    var size: Int {
        switch self {
        case .written(let bytes): bytes.count
        case .unwritten(let size, _): size
        }
    }
}
