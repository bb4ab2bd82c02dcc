// An option of a stream as a URL's parameter. A flag needs no value.

import EventStream

struct StreamParameter: StreamOptionSource {
    let name: String
    let value: String

    var forms: [StreamOptions.Form] { [.json, .text, .ndjson, .terminal] }

    func choice<Choice>(_ value: inout Choice, among choices: [Choice]) throws(Problem) {
        guard let choice = choices.first(where: { "\($0)" == self.value }) else {
            let names = choices.map { "\($0)" }
            throw refusal("must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
        }
        value = choice
    }

    func flag(_ value: inout Bool) throws(Problem) {
        guard let isOn else { throw refusal("must be true or false, or have no value") }
        value = isOn
    }

    func wheels(_ value: inout Variant.Wheels?) throws(Problem) {
        if let isOn {
            value = isOn ? .odometer : nil
        } else {
            var wheels = Variant.Wheels.odometer
            try choice(&wheels, among: Variant.Wheels.allCases)
            value = wheels
        }
    }

    func display(_ value: inout Variant.Display) throws(Problem) {
        if let isOn {
            value = isOn ? .strings : .none
        } else if self.value == "parts" {
            value = .parts
        } else {
            throw refusal("must be true, false or parts")
        }
    }

    func rate(_ value: inout Double?, in range: ClosedRange<Double>) throws(Problem) {
        guard let rate = ParameterNumber.value(of: self.value), range.contains(rate) else {
            throw refusal("must be frames a second, \(range.lowerBound) to \(Int(range.upperBound))")
        }
        value = rate
    }

    func seconds(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem) {
        value = try whole("whole seconds", in: range)
    }

    func whole(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem) {
        value = try whole("a whole number", in: range)
    }

    private func whole(_ words: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw refusal("must be \(words), \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func text(_ value: inout String?, longest: Int) { value = self.value }

    /// nil for any other text.
    private var isOn: Bool? {
        switch value {
        case "", "1", "true": true
        case "0", "false": false
        default: nil
        }
    }

    private func refusal(_ reason: String) -> Problem { .field("?" + name, reason) }
}
