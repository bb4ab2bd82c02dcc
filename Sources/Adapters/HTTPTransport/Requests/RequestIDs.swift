// Request IDs, which link an answer, a log line and the client's own records.

import Synchronization

/// Makes IDs for requests without one.
struct RequestIDs: ~Copyable, Sendable {
    /// The header that carries an ID in both directions.
    static let header = "X-Request-ID"
    /// The most bytes of a client's ID that is accepted.
    private static let longest = 128
    /// Characters of the process' prefix. An ID has at most 15 bytes, which Swift stores without an allocation.
    private static let prefixLength = 6
    /// 36 to the power of 8: numbers repeat after this many requests.
    private static let period: UInt64 = 2_821_109_907_456

    /// Random for each process, so that IDs of two runs differ.
    private let prefix: String
    private let count = Atomic<UInt64>(0)

    init() {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        prefix = String((0..<Self.prefixLength).map { _ in alphabet.randomElement() ?? "0" }) + "-"
    }

    /// Returns the next ID. The number's digits are in reverse order.
    func next() -> String {
        var rest = count.wrappingAdd(1, ordering: .relaxed).oldValue % Self.period
        // Written in place, since every request gets one.
        return unsafe String(unsafeUninitializedCapacity: Self.prefixLength + 9) { bytes in
            var end = 0
            for byte in prefix.utf8 {
                unsafe bytes[end] = byte
                end += 1
            }
            repeat {
                let digit = UInt8(truncatingIfNeeded: rest % 36)
                unsafe bytes[end] = digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")
                rest /= 36
                end += 1
            } while rest > 0
            return end
        }
    }

    /// Returns a client's ID if it is valid: it goes into headers and log lines.
    static func admitted(_ text: String) -> String? {
        let bytes = text.utf8
        return (1...longest).contains(bytes.count) && bytes.allSatisfy(isAdmitted) ? text : nil
    }

    /// `A-Z a-z 0-9 . _ ~ : / + = @ -`
    private static func isAdmitted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._~:/+=@-".utf8.contains(byte)
        }
    }
}
