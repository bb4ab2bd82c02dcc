// A fingerprint of a request, which tells a retry from another request with the same key.

import Base

/// A hash of texts in order. A forged one only affects its sender's own keys;
/// without tokens, clients share them.
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
