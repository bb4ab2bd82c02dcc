// Appending static bytes on the frame path.

extension [UInt8] {
    /// Appends these bytes to `bytes`, like `append(contentsOf:)` but without the reference counting of an array as the
    /// source (10 ns less for each text of a label).
    @inline(__always)
    func append(to bytes: inout [UInt8]) {
        // Unsafe because arrays don't accept a span; the pointer doesn't leave the closure.
        unsafe span.withUnsafeBufferPointer { text in unsafe bytes.append(contentsOf: text) }
    }

    /// Appends the bytes of a span, such as those of a string: appending the string's view would cost two calls.
    package mutating func append(_ text: Span<UInt8>) {
        // Unsafe because arrays don't accept a span; the pointer doesn't leave the closure.
        unsafe text.withUnsafeBufferPointer { text in unsafe append(contentsOf: text) }
    }
}
