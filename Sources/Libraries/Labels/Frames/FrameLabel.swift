// A label compiled for frames: alternating static text and numbers, with all text in one array of words. It decides nothing
// beyond the label's plans. Labels with other contents than numbers that follow the value (plural messages, compact
// notation, the remaining time) write themselves.

/// A label whose frames need no reference counting.
package struct FrameLabel: Sendable {
    /// What a number in a label shows.
    fileprivate enum Source {
        /// There is no number.
        case nothing
        case value, percent, fraction
    }

    /// A number with the text around it.
    private struct Piece {
        var source: Source
        var layout: NumberLayout

        /// Records its number.
        /// - Returns: false if that needs the shortest decimal, or there is none.
        @inline(__always)
        func note(_ value: Double, _ share: ProgressShare?, in numbers: inout Numbers) -> Bool {
            switch source {
            case .value:
                guard let units = layout.units(of: value) else { return false }
                numbers.value = units
            case .percent:
                guard let share, let units = layout.units(of: Double(share.percent)) else { return false }
                numbers.percent = units
            case .fraction:
                guard let share, let units = layout.units(of: share.fraction) else { return false }
                numbers.fraction = units
            case .nothing: return false
            }
            return true
        }

        @inline(__always)
        func put(_ numbers: Numbers, _ words: Span<UInt64>, into out: inout MutableRawSpan, at start: Int) -> Int {
            let units: Int64
            switch source {
            case .value: units = numbers.value
            case .percent: units = numbers.percent
            case .fraction: units = numbers.fraction
            case .nothing: return start
            }
            return layout.put(units, words, into: &out, at: start)
        }
    }

    /// The numbers of a frame, each in units of its last digit. Frames of one label with equal numbers have equal texts.
    @usableFromInline
    package struct Numbers: Equatable, Sendable {
        @usableFromInline var value: Int64 = 0
        @usableFromInline var percent: Int64 = 0
        @usableFromInline var fraction: Int64 = 0

        package init() {}

        // Written by hand: a synthesized one would be called through a table in every frame.
        @inlinable
        package static func == (left: Numbers, right: Numbers) -> Bool {
            left.value == right.value && left.percent == right.percent && left.fraction == right.fraction
        }
    }

    /// The most words of text: their places fit into 16 bits.
    static let capacity = 4_096
    /// The buffer size for any of its texts, including what a last word writes beyond the end.
    package let room: Int
    /// Whether different numbers always give different texts. Two adjacent numbers may run together.
    package let isUnambiguous: Bool
    private let words: [UInt64]
    /// The first number, which is usually the only one. It is stored inline, not in separate memory.
    private let first: Piece
    private let others: [Piece]

    /// A label that shows nothing.
    package static let none = FrameLabel()

    /// Nil for an unsupported label.
    package init?(_ label: TickerLabel) {
        var compiler = Compiler()
        guard compiler.update(label) else { return nil }
        self.init(compiler)
    }

    /// Nil for an unsupported label.
    /// - Parameters:
    ///   - maximum: Nil while unknown.
    ///   - target: The end value; nil when nothing moves.
    package init?(_ label: ProgressLabel, maximum: ExactDecimal?, target: ExactDecimal?) {
        var compiler = Compiler()
        guard compiler.update(label, maximum: maximum, target: target) else { return nil }
        self.init(compiler)
    }

    private init?(_ compiler: consuming Compiler) {
        guard let pieces = compiler.finish(), let first = pieces.first else { return nil }
        words = compiler.words
        self.first = first
        others = Array(pieces.dropFirst())
        isUnambiguous = pieces.count == 1
        room = pieces.reduce(MutableRawSpan.overrun) { $0 + $1.layout.room }
    }

    private init() {
        (words, first, others) = ([], Piece(source: .nothing, layout: NumberLayout()), [])
        isUnambiguous = false
        room = 0
    }

    /// Returns the numbers that show a moving value. Nil if one needs its shortest decimal, and for a label without numbers.
    /// - Parameter share: A progress' value relative to its maximum; required if the label shows it.
    ///
    /// Mutating only so that it is used in place without a copy, like `put`; it changes nothing.
    package mutating func numbers(of value: Double, _ share: ProgressShare?) -> Numbers? {
        var numbers = Numbers()
        guard first.note(value, share, in: &numbers) else { return nil }
        guard !others.isEmpty else { return numbers }
        for piece in others where !piece.note(value, share, in: &numbers) { return nil }
        return numbers
    }

    /// Writes the label with its numbers into a buffer of at least `room` bytes.
    /// - Returns: The end position.
    package mutating func put(_ numbers: Numbers, into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = first.put(numbers, words.span, into: &out, at: start)
        guard !others.isEmpty else { return place }
        for piece in others { place = piece.put(numbers, words.span, into: &out, at: place) }
        return place
    }

    /// Appends the label with its numbers.
    package mutating func append(_ numbers: Numbers, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in put(numbers, into: &out, at: start) }
    }
}

extension FrameLabel {
    /// Splits labels into pieces, escaping their texts for JSON.
    private struct Compiler {
        private struct Number {
            var source: Source
            var plan: NumberPlan
            /// The text since the previous number.
            var before: [UInt8]
        }

        private(set) var words: [UInt64] = []
        private var numbers: [Number] = []
        private var text: [UInt8] = []

        /// - Returns: false for an unsupported label.
        mutating func update(_ label: TickerLabel) -> Bool {
            guard !label.isMessage else { return false }
            text += label.prefix
            update(.value, label.plan)
            text += label.suffix
            return true
        }

        /// - Returns: false for an unsupported label.
        mutating func update(_ label: ProgressLabel, maximum: ExactDecimal?, target: ExactDecimal?) -> Bool {
            for piece in label.pieces {
                switch piece {
                case .text(let bytes): text += bytes
                case .placeholder(.maximum):
                    guard let maximum else { text += ProgressLabel.unknown; continue }
                    label.maximumPlan.append(maximum, to: &text)
                case .placeholder(.target):
                    guard let target, !label.showsShare else { return false }
                    label.plan.append(target, to: &text)
                case .placeholder(let placeholder):
                    guard let source = Source(placeholder), let plan = label.plan(of: placeholder) else { return false }
                    guard source == .value || maximum != nil else { text += ProgressLabel.unknown; continue }
                    update(source, plan)
                }
            }
            return true
        }

        private mutating func update(_ source: Source, _ plan: NumberPlan) {
            numbers.append(Number(source: source, plan: plan, before: text))
            text = []
        }

        /// Returns the numbers with the texts around them; nil for an unsupported label or one without numbers.
        mutating func finish() -> [Piece]? {
            var pieces: [Piece] = []
            for (index, number) in numbers.enumerated() {
                let after = index == numbers.count - 1 ? text : []
                let layout = NumberLayout(
                    number.plan.escapedForJSON(), before: JSONText.escaped(number.before),
                    after: JSONText.escaped(after), { words.adopt($0) })
                guard let layout, words.count <= FrameLabel.capacity else { return nil }
                pieces.append(Piece(source: number.source, layout: layout))
            }
            return pieces.isEmpty ? nil : pieces
        }
    }
}

extension FrameLabel.Source {
    fileprivate init?(_ placeholder: ProgressLabel.Placeholder) {
        switch placeholder {
        case .value: self = .value
        case .percent: self = .percent
        case .fraction: self = .fraction
        case .target, .maximum, .bar, .elapsed, .rate, .eta, .remaining, .words: return nil
        }
    }
}
