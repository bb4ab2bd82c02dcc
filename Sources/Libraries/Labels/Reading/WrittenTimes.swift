// Times in a countdown's text: `3 days left`, `2 h 30 min`, `0:00:00`. Units are recognised in the label's language and in
// English.

/// Reads a countdown's text without placeholders.
enum WrittenTimes {
    /// - Returns: The text with its counting fields, and why it can't be a countdown, if it can't.
    static func read(_ text: String, in words: TimeWords) -> (Template<CountdownField>, LabelError?) {
        let names = words == .english ? words.unitNames : words.unitNames + TimeWords.english.unitNames
        let bytes = Array(text.utf8)
        var parts: [(field: CountdownField, range: Range<Int>)] = []
        var refusal: LabelError?
        for number in NumberScanner(text) {
            guard let found = unit(beside: number, in: bytes, names + UnitName.english) else { continue }
            guard let unit = found.name.unit else {
                refusal = refusal ?? LabelError(.noSuchUnit(found.word), at: number.range.lowerBound)
                continue
            }
            // Each unit counts once; a second one is text.
            guard !parts.contains(where: { $0.field.unit == unit }) else { continue }
            parts.append((.written(unit, found.written), found.range))
        }
        if parts.isEmpty, let clock = NumberScanner(text).first(where: { $0.style.clock != nil }) {
            parts = [(.clock(clock.style.plan(decimals: 0)), clock.range)]
        }
        if parts.isEmpty, let number = NumberScanner(text).first(where: { $0.value != nil }) {
            let symbol = number.style.symbol.count
            let start = number.style.symbol.isEmpty ? number.range.lowerBound : place(of: number, symbol, in: bytes)
            parts = [(.count(nil, digits: 1), start..<number.range.upperBound)]
        }
        guard !parts.isEmpty else { return (Template([(nil, text + " "), (.time(.clock), "")]), refusal) }
        return (Template(text: bytes, parts), refusal)
    }

    /// Returns where a number begins after its symbol, which stays.
    private static func place(of number: WrittenNumber, _ symbol: Int, in bytes: [UInt8]) -> Int {
        // proven: a number was found at its range, and a position in it is within bounds too.
        let signs = bytes[number.range].indices.first { bytes[$0...].starts(with: number.style.symbol) }
        return signs.map { $0 + symbol } ?? number.range.lowerBound
    }

    /// A unit's name next to a number.
    private struct Found {
        let name: UnitName
        let word: String
        let written: WrittenUnit
        /// The range of the number and the name.
        let range: Range<Int>
    }

    /// Returns the longest name on either side of a number.
    private static func unit(beside number: WrittenNumber, in bytes: [UInt8], _ names: [UnitName]) -> Found? {
        // proven: a number was found at its range.
        let before = Side(Array(bytes[..<number.range.lowerBound].reversed()), isReversed: true)
        // proven: as before.
        let behind = Side(Array(bytes[number.range.upperBound...]), isReversed: false)
        var best: (name: UnitName, prefix: Side.Match, suffix: Side.Match)?
        for name in names {
            for form in name.forms.all.map({ $0.positive }) {
                guard let prefix = before.match(form.prefix), let suffix = behind.match(form.suffix) else { continue }
                let length = prefix.word.count + suffix.word.count
                guard length > (best.map { $0.prefix.word.count + $0.suffix.word.count } ?? 0) else { continue }
                best = (name, prefix, suffix)
            }
        }
        guard let best else { return nil }
        let forms = best.name.forms.mapped { signed in
            signed.mapped { affixes in
                Affixes(
                    prefix: best.prefix.written(like: affixes.prefix), suffix: best.suffix.written(like: affixes.suffix)
                )
            }
        }
        let range = (number.range.lowerBound - best.prefix.length)..<(number.range.upperBound + best.suffix.length)
        return Found(
            name: best.name, word: best.suffix.word.isEmpty ? best.prefix.word : best.suffix.word,
            written: WrittenUnit(forms: forms), range: range)
    }
}

/// The text on one side of a number, in the direction away from it.
private struct Side {
    /// A name as found in the text.
    struct Match {
        /// In reading order.
        let word: String
        /// Between the name and the number.
        let space: String
        let isReversed: Bool

        /// Bytes of both.
        var length: Int { word.utf8.count + space.utf8.count }

        /// Returns another form of the name, in this one's case and spacing.
        func written(like form: [UInt8]) -> [UInt8] {
            let (own, text) = (Side.trimmed(form), self.word)
            guard !own.isEmpty else { return text.isEmpty ? form : [] }
            guard !text.isEmpty else { return form }
            var word = own
            if text.count > 1, text == text.uppercased(), text != text.lowercased() {
                word = own.uppercased()
            } else if let first = text.first, first.isUppercase, own.first?.isLowercase == true {
                word = own.prefix(1).uppercased() + own.dropFirst()
            }
            return Array((isReversed ? word + space : space + word).utf8)
        }
    }

    private let scalars: [Unicode.Scalar]
    private let isReversed: Bool

    init(_ bytes: [UInt8], isReversed: Bool) {
        let text = String(decoding: isReversed ? bytes.reversed() : bytes, as: UTF8.self)
        scalars = isReversed ? text.unicodeScalars.reversed() : Array(text.unicodeScalars)
        self.isReversed = isReversed
    }

    /// Returns a match if a name begins here as a whole word; an empty name always matches.
    func match(_ form: [UInt8]) -> Match? {
        let name = Self.trimmed(form)
        guard !name.isEmpty else { return Match(word: "", space: "", isReversed: isReversed) }
        var wanted = Array(name.unicodeScalars)
        if isReversed { wanted.reverse() }
        let spaces = scalars.first.map(NumberSigns.isSpace) == true ? 1 : 0
        let found = scalars.dropFirst(spaces).prefix(wanted.count)
        guard found.count == wanted.count, zip(found, wanted).allSatisfy({ isSame($0, $1, in: wanted.count) }) else {
            return nil
        }
        if let next = scalars.dropFirst(spaces + wanted.count).first, next.properties.isAlphabetic,
            let last = wanted.last, last.properties.isAlphabetic, !NumberSigns.isWrittenTogether(last)
        {
            return nil
        }
        func text(_ scalars: some Collection<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: isReversed ? scalars.reversed() : Array(scalars))
            return String(view)
        }
        return Match(word: text(found), space: text(scalars.prefix(spaces)), isReversed: isReversed)
    }

    /// A single letter must match exactly; longer names ignore case.
    private func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar, in count: Int) -> Bool {
        left == right || count > 1 && left.properties.lowercaseMapping == right.properties.lowercaseMapping
    }

    fileprivate static func trimmed(_ text: [UInt8]) -> String {
        var view = Substring(String(decoding: text, as: UTF8.self)).unicodeScalars
        while let first = view.first, NumberSigns.isSpace(first) { view.removeFirst() }
        while let last = view.last, NumberSigns.isSpace(last) { view.removeLast() }
        return String(view)
    }
}

extension Template<CountdownField> {
    /// Creates a template from a text with fields replacing some of its ranges, which are in order. One that
    /// overlaps the one before it is left out.
    fileprivate init(text: [UInt8], _ parts: [(field: CountdownField, range: Range<Int>)]) {
        // proven: numbers and their neighbours were found at these positions, from left to right.
        func between(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        var pieces: [(placeholder: CountdownField?, text: String)] = []
        var place = 0
        for part in parts where part.range.lowerBound >= place {
            pieces.append((nil, between(place..<part.range.lowerBound)))
            pieces.append((part.field, ""))
            place = part.range.upperBound
        }
        pieces.append((nil, between(place..<text.count)))
        self.init(pieces)
    }
}
