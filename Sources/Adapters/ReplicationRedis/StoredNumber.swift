// Numbers that were read from the server. Damage, another program or a wrong clock may have put any there, so each is
// checked before anything is computed with it.

import Tween

/// The numbers of a log: the scripts compute with doubles, so greater ones are never right.
enum StoredNumber {
    /// The greatest, which is also that many microseconds: in the year 2255.
    static let largest: Int64 = 1 << 53

    static func isRight(_ number: Int64) -> Bool { (-largest...largest).contains(number) }
}

/// A field whose value is no number that fits.
struct FieldDamage: Error, Hashable {
    var field: String
    var value: String

    init(_ field: String, _ reply: RedisReply) {
        self.field = field
        value = reply.integer.map { String($0) } ?? reply.text ?? (reply == .null ? "nothing" : "no text")
    }

    /// - Parameter place: What the field is of.
    func error(in place: String) -> RedisError {
        RedisError(.failed, "DAMAGED the field \(field) of \(place) has no valid number: \(value.prefix(40))")
    }
}

/// Numbers of fields; those of a missing one (`null`) are damaged.
extension RedisReply {
    /// A number, negative ones included.
    func number(_ field: String) throws(FieldDamage) -> Int64 {
        guard let number = integer, StoredNumber.isRight(number) else { throw FieldDamage(field, self) }
        return number
    }

    /// A number that is not negative.
    func count(_ field: String) throws(FieldDamage) -> Int64 {
        let number = try number(field)
        guard number >= 0 else { throw FieldDamage(field, self) }
        return number
    }

    /// Microseconds since 1970.
    func instant(_ field: String) throws(FieldDamage) -> Instant {
        // proven: the count is at most 2^53, and its thousandfold less than 2^63.
        Instant(nanoseconds: try count(field) * 1_000)
    }

    /// A name or a digest: any 64 bits.
    func bits(_ field: String) throws(FieldDamage) -> UInt64 {
        guard let bits = text.flatMap({ UInt64($0) }) else { throw FieldDamage(field, self) }
        return bits
    }
}
