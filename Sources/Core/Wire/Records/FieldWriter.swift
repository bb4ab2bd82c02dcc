// What records and answers are written with: members by their names, each as what it is. The compact form of records keeps
// that; in the JSON of answers, what is no number of JSON's is a string.

import Labels
import Tween

/// Writes the members of objects. Whoever describes a field by it describes it for records and for answers.
protocol FieldWriter {
    mutating func member(_ name: String, _ value: String)
    mutating func member(_ name: String, _ value: Bool)
    mutating func member(_ name: String, _ value: Int)
    /// A number; one that isn't finite reads back as null.
    mutating func member(_ name: String, _ value: Double)
    /// A decimal with the very digits that it has.
    mutating func member(_ name: String, exact value: ExactDecimal)
    /// An integer of 64 bits, which JSON's numbers don't hold.
    mutating func member(_ name: String, integer value: Int64)
    mutating func member(_ name: String, at instant: Instant)
    /// JSON text as it is.
    mutating func member(_ name: String, raw json: some Sequence<UInt8>)
    mutating func member(_ name: String, _ members: (inout Self) -> Void)
    mutating func list(_ name: String, _ elements: (inout Self) -> Void)
    /// An element of a list.
    mutating func object(_ members: (inout Self) -> Void)
    /// An element of a list.
    mutating func number(_ value: Double)
    /// An element of a list.
    mutating func exact(_ value: ExactDecimal)
}

extension JSONWriter: FieldWriter {
    mutating func member(_ name: String, exact value: ExactDecimal) { member(name, value.description) }

    mutating func member(_ name: String, integer value: Int64) { member(name, String(value)) }

    mutating func member(_ name: String, at instant: Instant) { member(name, String(instant.nanoseconds)) }

    mutating func exact(_ value: ExactDecimal) { string(value.description.utf8) }
}

// MARK: - What is left out

extension FieldWriter {
    /// A member that is left out where it says what is so anyway: less to write, to keep and to read.
    mutating func member(_ name: String, _ value: Double, unless usual: Double) {
        if value != usual { member(name, value) }
    }

    mutating func member(_ name: String, _ value: Bool, unless usual: Bool) {
        if value != usual { member(name, value) }
    }

    mutating func member(_ name: String, _ value: String, unless usual: String) {
        if value != usual { member(name, value) }
    }

    mutating func member(_ name: String, _ choice: Direction, unless usual: Direction) {
        if choice != usual { member(name, choice.rawValue) }
    }

    /// A number that must read back.
    mutating func member(_ name: String, stored value: Double) { member(name, value.stored) }

    /// The same, left out where it is as usual.
    mutating func member(_ name: String, stored value: Double, unless usual: Double) {
        if value != usual { member(name, stored: value) }
    }

    /// A count that may be without end.
    mutating func member(_ name: String, count: Double, unless usual: Double) {
        if count.isFinite { member(name, count, unless: usual) } else { member(name, "forever") }
    }

    /// `clamp` in the words of an update; left out where everything is shown.
    mutating func member(_ name: String, _ overshoot: Overshoot) {
        switch overshoot {
        case .allow: break
        case .clamp: member(name, true)
        case .neverDecrease: member(name, overshoot.rawValue)
        }
    }
}

extension Double {
    /// What is written of a number that must read back. JSON has none for what isn't finite: that counts as the nearest
    /// there is.
    var stored: Double {
        isNaN ? 0 : held(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    }
}
