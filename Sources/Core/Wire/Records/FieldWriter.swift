// The interface for writing members of records and answers, by name and type. The compact form of records keeps the types;
// the JSON of answers has strings for values that are no JSON numbers.

import Labels
import Tween

/// Writes the members of objects. A field that is written through it can be part of records and of answers.
protocol FieldWriter {
    mutating func member(_ name: String, _ value: String)
    mutating func member(_ name: String, _ value: Bool)
    mutating func member(_ name: String, _ value: Int)
    /// Writes a number; one that isn't finite reads back as null.
    mutating func member(_ name: String, _ value: Double)
    /// Writes a decimal with its exact digits.
    mutating func member(_ name: String, exact value: ExactDecimal)
    /// Writes a 64-bit integer, which exceeds JSON numbers.
    mutating func member(_ name: String, integer value: Int64)
    mutating func member(_ name: String, at instant: Instant)
    /// Writes JSON text unchanged.
    mutating func member(_ name: String, raw json: some Sequence<UInt8>)
    mutating func member(_ name: String, _ members: (inout Self) -> Void)
    mutating func list(_ name: String, _ elements: (inout Self) -> Void)
    /// Writes an element of a list.
    mutating func object(_ members: (inout Self) -> Void)
    /// Writes an element of a list.
    mutating func number(_ value: Double)
    /// Writes an element of a list.
    mutating func exact(_ value: ExactDecimal)
}

extension JSONWriter: FieldWriter {
    mutating func member(_ name: String, exact value: ExactDecimal) { member(name, value.description) }

    mutating func member(_ name: String, integer value: Int64) { member(name, String(value)) }

    mutating func member(_ name: String, at instant: Instant) { member(name, String(instant.nanoseconds)) }

    mutating func exact(_ value: ExactDecimal) { string(value.description.utf8) }
}

// MARK: - Defaults that are omitted

extension FieldWriter {
    /// Writes a member unless it has its default value: less to write, to keep and to read.
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

    /// Writes a number that must read back.
    mutating func member(_ name: String, stored value: Double) { member(name, value.stored) }

    /// Writes a number that must read back, unless it has its default value.
    mutating func member(_ name: String, stored value: Double, unless usual: Double) {
        if value != usual { member(name, stored: value) }
    }

    /// Writes a count that may be infinite.
    mutating func member(_ name: String, count: Double, unless usual: Double) {
        if count.isFinite { member(name, count, unless: usual) } else { member(name, "forever") }
    }

    /// Writes `clamp` in the form of an update, unless it is the default.
    mutating func member(_ name: String, _ overshoot: Overshoot) {
        switch overshoot {
        case .allow: break
        case .clamp: member(name, true)
        case .neverDecrease: member(name, overshoot.rawValue)
        }
    }
}

extension Double {
    /// The value to write for a number that must read back. JSON has no number for one that isn't finite, so it is clamped.
    var stored: Double {
        isNaN ? 0 : held(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    }
}
