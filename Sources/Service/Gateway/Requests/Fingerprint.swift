// A fingerprint that identifies a retried request.

import Base

/// A hash of texts in order. A forged one only affects the sender's own keys.
package struct Fingerprint {
    private var hash = FNV1a()
    package var value: UInt64 { hash.value }

    package init() {}

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        hash.add(bytes)
        // A separator that is not a byte distinguishes ("ab", "c") from ("a", "bc").
        hash.add(word: 0x100)
    }
}
