// Labels: what the scanner finds is what it writes, and what it doesn't move stays byte for byte.

import Labels
import Wire

extension FuzzTarget {
    /// Labels with numbers in them.
    static let labels = FuzzTarget("labels") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let index = Int(input.byte() % 4)
        let value = input.choice(LabelProperties.values)
        try LabelProperties.check(input.text, index: index, value: value)
    }

    /// Plural messages, templates of progresses and of countdowns.
    static let messages = FuzzTarget("messages") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let language = input.choice(["en", "ar", "pl", "de", "ja", "lv"])
        try LabelProperties.checkMessage(input.text, language: language)
        try LabelProperties.checkTemplates(input.text)
    }
}

enum LabelProperties {
    static let values: [ExactDecimal] =
        ["0", "1", "-1", "7", "1234", "-1234567", "0.5", "-0.05", "12345678901234567890", "99.995", "1000000", "2.000"]
        .compactMap { ExactDecimal(parsing: $0) }

    private static let shown = ProgressLabel.Values(
        value: 1234.5, maximum: ExactDecimal(5000), percent: 25, fraction: 0.25, elapsed: 61, rate: 3, eta: 3_661)

    static func check(_ text: String, index: Int, value: ExactDecimal) throws(Violation) {
        let label = TickerLabel(text, index: index)
        try require(TickerLabel.numberCount(in: text) <= text.utf8.count, "more numbers than bytes")
        try checkEscapes(label, value)
        guard let number = label.number else { return }
        let utf8 = Array(text.utf8)
        try require(utf8.starts(with: label.prefix), "the prefix is another one")
        try require(Array(utf8.suffix(label.suffix.count)) == label.suffix, "the suffix is another one")
        let written = label.text(of: number)
        let isInPlace =
            Array(written.utf8).starts(with: label.prefix)
            && Array(written.utf8.suffix(label.suffix.count)) == label.suffix
        try require(isInPlace, "what stands around the number moved: \(written)")
        try checkReading(of: label, written, number)
    }

    /// Digits behind the point that a label writes at most; its text may have had more.
    private static let mostDecimals = 20

    /// What was written is found again, and written the same.
    private static func checkReading(
        of label: TickerLabel, _ written: String, _ number: ExactDecimal
    ) throws(Violation) {
        let before = TickerLabel.numberCount(in: String(decoding: label.prefix, as: UTF8.self))
        let count = TickerLabel.numberCount(in: written)
        try require(count > 0, "no number is found in \(written)")
        let shown = number.rounded(to: mostDecimals)
        let found = (0..<count).contains { TickerLabel(written, index: $0).number == shown }
        try require(found, "\(number) is not among the \(count) numbers of \(written), behind \(before) others")
    }

    static func checkMessage(_ text: String, language: String) throws(Violation) {
        let label: TickerLabel
        do throws(LabelError) {
            label = try TickerLabel(message: text, language: language)
        } catch {
            return try check(error, text)
        }
        for value in values { try checkEscapes(label, value) }
    }

    static func checkTemplates(_ text: String) throws(Violation) {
        var (plain, escaped): ([UInt8], [UInt8]) = ([], [])
        do throws(LabelError) {
            let label = try ProgressLabel(parsing: text)
            label.append(shown, to: &plain)
            label.escapedForJSON().append(shown, to: &escaped)
        } catch {
            try check(error, text)
        }
        try checkEscaped(escaped, plain)
        (plain, escaped) = ([], [])
        do throws(LabelError) {
            let label = try CountdownLabel(parsing: text)
            label.append(TimeSpan(seconds: 93_784), to: &plain)
            label.escapedForJSON().append(TimeSpan(seconds: 93_784), to: &escaped)
        } catch {
            try check(error, text)
        }
        try checkEscaped(escaped, plain)
    }

    private static func check(_ error: LabelError, _ text: String) throws(Violation) {
        try require((0...text.utf8.count).contains(error.offset), "an error at \(error.offset) of \(text.utf8.count)")
        try require(!error.description.isEmpty, "an error without words")
    }

    /// The form for JSON is the other one, escaped.
    private static func checkEscapes(_ label: TickerLabel, _ value: ExactDecimal) throws(Violation) {
        var (plain, escaped): ([UInt8], [UInt8]) = ([], [])
        label.append(value, to: &plain)
        label.escapedForJSON().append(value, to: &escaped)
        try checkEscaped(escaped, plain)
    }

    private static func checkEscaped(_ escaped: [UInt8], _ plain: [UInt8]) throws(Violation) {
        let json = [UInt8(ascii: "\"")] + escaped + [UInt8(ascii: "\"")]
        guard let document = try? JSONDocument(json), case .string(let text) = document.root.content else {
            throw Violation("\(String(decoding: escaped, as: UTF8.self)) is no text of JSON")
        }
        try require(Array(text.utf8) == plain, "\(text) is not \(String(decoding: plain, as: UTF8.self))")
        try require(!escaped.contains { $0 == 0x0A || $0 == 0x0D }, "a line break in JSON")
    }
}
