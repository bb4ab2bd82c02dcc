// Appending static bytes on the frame path.

extension [UInt8] {
    /// Appends these bytes to `bytes`: as `append(contentsOf:)`, without the reference counting that an array as the
    /// source costs (10 ns less for each text of a label).
    @inline(__always)
    func append(to bytes: inout [UInt8]) {
        // Unsafe because an array takes no span; the pointer doesn't leave the closure.
        unsafe span.withUnsafeBufferPointer { text in unsafe bytes.append(contentsOf: text) }
    }

    /// Appends bytes of a span, as those of a string: their view is appended through a call for each string and another
    /// for its bytes.
    package mutating func append(_ text: Span<UInt8>) {
        // Unsafe because an array takes no span; the pointer doesn't leave the closure.
        unsafe text.withUnsafeBufferPointer { text in unsafe append(contentsOf: text) }
    }
}
