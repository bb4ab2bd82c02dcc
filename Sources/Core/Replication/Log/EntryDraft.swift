// Requests that are collected for one entry, encoded as they arrive.

import Base
package import Machine

/// A turn's entry under construction.
package struct EntryDraft: Sendable {
    /// The maximum number of requests of an entry, and the size in bytes from which on it is full.
    package static let maximumRequests = 256
    package static let fullBytes = 256 << 10

    private var writer = ByteWriter()
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }
    package var isFull: Bool { count >= Self.maximumRequests || writer.bytes.count >= Self.fullBytes }
    package var byteCount: Int { writer.bytes.count }

    package mutating func add(_ request: Request) {
        request.write(to: &writer)
        count += 1
    }

    /// The entry's payload.
    package var payload: [UInt8] { LogContent.turn(count: count, requests: writer.bytes) }
}
