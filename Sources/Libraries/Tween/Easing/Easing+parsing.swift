// Parses easings: the case-insensitive grammar of CSS Easing Level 2, and further curves.

extension Easing {
    /// Creates the easing that a text names.
    ///
    /// CSS's own (`ease-in`, `cubic-bezier(…)`, `steps(…)`, `linear(…)`, …), `power-in(k)`, `power-out(k)`,
    /// `power-in-out(k)`, and `easeIn`, `easeOut` and `easeInOut` for exponent 2.8; `back`, `elastic` and `bounce`, alone or
    /// with `-in`, `-out` or `-in-out`. `calc()`, `min()`, `max()` and `clamp()` may replace any number.
    /// - Throws: `EasingError`, which says what is wrong.
    public init(parsing text: String) throws(EasingError) {
        var scanner = EasingScanner(text)
        scanner.skipSpace()
        let name = scanner.name()
        if scanner.accept("(") {
            self = try Self.function(named: name, from: &scanner)
        } else if let keyword = Self.keyword(name) {
            self = keyword
        } else {
            throw .unknownName(Self.excerpt(text))
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformed("nothing may follow an easing") }
    }

    private static func keyword(_ name: String) -> Easing? {
        switch name {
        case "linear": .linear
        case "ease": .ease
        case "ease-in": .cssEaseIn
        case "ease-out": .cssEaseOut
        case "ease-in-out": .cssEaseInOut
        case "step-start": try? .steps(1, .jumpStart)
        case "step-end": try? .steps(1, .jumpEnd)
        case "easein": .easeIn
        case "easeout": .easeOut
        case "easeinout": .easeInOut
        default: PennerCurve(named: name).map { .penner($0) }
        }
    }

    private static func function(
        named name: String, from scanner: inout EasingScanner
    ) throws(EasingError) -> Easing {
        switch name {
        case "cubic-bezier":
            let numbers = try numbers(4, of: name, from: &scanner)
            return try .cubicBezier(numbers[0], numbers[1], numbers[2], numbers[3])
        case "steps":
            return try steps(from: &scanner)
        case "linear":
            return .linearStops(try linearStops(from: &scanner))
        default:
            guard PennerCurve(named: name) == nil else { throw .malformed("\(name) takes no argument") }
            guard let shape = PowerCurve.Shape(rawValue: name) else { throw .unknownName(excerpt(name)) }
            return .power(try PowerCurve(shape, exponent: numbers(1, of: name, from: &scanner)[0]))
        }
    }

    /// Reads exactly `count` plain numbers up to the closing parenthesis.
    private static func numbers(
        _ count: Int, of name: String, from scanner: inout EasingScanner
    ) throws(EasingError) -> [Double] {
        let expectation = "\(name)() takes \(count == 1 ? "one number" : "\(count) numbers")"
        var result: [Double] = []
        repeat {
            scanner.skipSpace()
            guard result.count < count, let number = scanner.number(), !number.isPercentage, let value = number.value
            else { throw .malformed(expectation) }
            result.append(value)
            scanner.skipSpace()
        } while scanner.accept(",")
        guard scanner.accept(")"), result.count == count else { throw .malformed(expectation) }
        return result
    }

    private static func steps(from scanner: inout EasingScanner) throws(EasingError) -> Easing {
        let expectation = EasingError.malformed("steps() takes a whole number and perhaps a step position")
        scanner.skipSpace()
        guard let number = scanner.number(), let count = number.integer, !number.isPercentage else { throw expectation }
        scanner.skipSpace()
        var position = Steps.Position.jumpEnd
        if scanner.accept(",") {
            scanner.skipSpace()
            let name = scanner.name()
            switch name {
            case "start": position = .jumpStart
            case "end": position = .jumpEnd
            default:
                guard let named = Steps.Position(rawValue: name) else {
                    throw .malformed("a step position is jump-start, jump-end, jump-none, jump-both, start or end")
                }
                position = named
            }
            scanner.skipSpace()
        }
        guard scanner.accept(")") else { throw expectation }
        return try .steps(count, position)
    }

    /// Reads comma-separated stops, at least one.
    private static func linearStops(from scanner: inout EasingScanner) throws(EasingError) -> LinearStops {
        var stops: [LinearStops.Stop] = []
        repeat {
            stops += try linearStop(from: &scanner)
        } while scanner.accept(",")
        guard scanner.accept(")") else { throw .malformed("linear() is not closed") }
        return try LinearStops(stops)
    }

    /// Reads an output with up to two percentages, all before it or all after it. Two make two points.
    private static func linearStop(from scanner: inout EasingScanner) throws(EasingError) -> [LinearStops.Stop] {
        let expectation = EasingError.malformed("a stop of linear() is a number and up to two percentages")
        var outputs: [Double] = []
        var inputs: [Double] = []
        var inputsBeforeOutput = 0
        scanner.skipSpace()
        while inputs.count + outputs.count < 4, let number = scanner.number() {
            guard let value = number.value else { throw expectation }
            if number.isPercentage {
                inputs.append(value)
            } else {
                outputs.append(value)
                inputsBeforeOutput = inputs.count
            }
            scanner.skipSpace()
        }
        guard outputs.count == 1, inputs.count <= 2, inputsBeforeOutput == 0 || inputsBeforeOutput == inputs.count
        else { throw expectation }
        guard let first = inputs.first, let last = inputs.last else { return [LinearStops.Stop(outputs[0])] }
        let start = LinearStops.Stop(outputs[0], at: first)
        return inputs.count == 1 ? [start] : [start, LinearStops.Stop(outputs[0], at: last)]
    }

    /// Shortens a text for an error message.
    private static func excerpt(_ text: String) -> String {
        text.unicodeScalars.count <= 40 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))) + "…"
    }
}
