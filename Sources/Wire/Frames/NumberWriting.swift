// How a ticker's number is written, for clients that interpolate by themselves.

import Board
import Labels

/// Writes the member `number` of `motion` events.
enum NumberWriting {
    /// Nothing for labels whose text depends on more than digits and sign: compact notation, plurals, messages.
    static func append(_ face: TickerFace, to json: inout JSONWriter) {
        let label = face.plain
        let plan = label.plan
        guard plan.hasFixedPlaces, plan.plural == nil, !label.isMessage else { return }
        json.member("number") {
            $0.name("prefix")
            $0.string(label.prefix)
            $0.name("suffix")
            $0.string(label.suffix)
            $0.member("decimals", [plan.minimumDecimals, plan.maximumDecimals])
            $0.member("integers", plan.minimumIntegerDigits)
            $0.member("shift", plan.shift)
            $0.member("rounding", plan.rounding.rawValue)
            $0.name("digits")
            $0.string(plan.digits.bytes)
            $0.name("point")
            $0.string(plan.decimalSeparator)
            $0.name("separator")
            $0.string(plan.groupSeparator)
            $0.member("groups", [plan.grouping.primary, plan.grouping.secondary, plan.grouping.minimum])
            $0.member("positive", plan.affixes.positive)
            $0.member("negative", plan.affixes.negative)
            $0.member("zero", plan.affixes.zero)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ numbers: [Int]) {
        self.name(name)
        array { for number in numbers { $0.number(Double(number)) } }
    }

    fileprivate mutating func member(_ name: String, _ affixes: Affixes) {
        self.name(name)
        array {
            $0.string(affixes.prefix)
            $0.string(affixes.suffix)
        }
    }
}
