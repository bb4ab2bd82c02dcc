// What recognises a retried request.

import Base

/// A hash of texts in their order. Who forges one turns it against no key but their own.
package struct Fingerprint {
    private var hash = FNV1a()
    package var value: UInt64 { hash.value }

    package init() {}

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        hash.add(bytes)
        // A separator that is no byte keeps ("ab", "c") from equalling ("a", "bc").
        hash.add(word: 0x100)
    }
}
