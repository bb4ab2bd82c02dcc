// Names of requests, by which an answer, a line of the log and a client's own record find each other.

import Synchronization

/// Makes names for requests that bring none.
struct RequestIDs: ~Copyable, Sendable {
    /// The header that a name comes and goes in.
    static let header = "X-Request-ID"
    /// The longest that is taken over, in bytes.
    private static let longest = 128
    /// Characters of the process' own part. With the number behind it a name has 15 bytes at most, which need no memory of
    /// their own.
    private static let prefixLength = 6
    /// 36 to the power of 8: after so many requests numbers come again.
    private static let period: UInt64 = 2_821_109_907_456

    /// This process' own, so that names of two runs are apart.
    private let prefix: String
    private let count = Atomic<UInt64>(0)

    init() {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        prefix = String((0..<Self.prefixLength).map { _ in alphabet.randomElement() ?? "0" }) + "-"
    }

    /// The next name; the last digit of its number is written first.
    func next() -> String {
        var rest = count.wrappingAdd(1, ordering: .relaxed).oldValue % Self.period
        // Written in place: each request has one.
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

    /// A name that somebody else has given, where it is one: it goes into headers and lines of logs.
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
