// A hash that is the same in every process, for recognising a retried request.

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): tells bodies apart; it is no defence against forgery,
/// which a client could only turn against its own key.
package struct Fingerprint {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        // A separator that is no byte keeps ("ab", "c") from equalling ("a", "bc").
        value = (value ^ 0x100) &* 0x0000_0100_0000_01B3
    }
}
