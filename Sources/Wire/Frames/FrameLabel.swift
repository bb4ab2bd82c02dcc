// A label as frames need it: static text and numbers in turns, all text in one array of words. It decides nothing that
// the label's plans don't; what shows more than numbers that follow the value (plural messages, compact notation, the
// time that is left) is written by the label itself.

package import Board
import Labels

/// A label whose frames touch no reference count.
package struct FrameLabel: Sendable {
    /// What a number in a label is of.
    fileprivate enum Source {
        case value, percent, fraction
    }

    /// A number and the text before it.
    private struct Piece {
        var text: WordRange
        var source: Source
        var layout: NumberLayout
    }

    /// The numbers that a frame shows: frames of one label with equal ones have equal texts.
    package struct Numbers: Equatable, Sendable {
        fileprivate var value = NumberLayout.Number()
        fileprivate var percent = NumberLayout.Number()
        fileprivate var fraction = NumberLayout.Number()

        package init() {}

        // Compared by hand: what the compiler makes goes through two more calls in every frame.
        package static func == (left: Numbers, right: Numbers) -> Bool {
            left.value.units == right.value.units && left.percent.units == right.percent.units
                && left.fraction.units == right.fraction.units
        }
    }

    /// Room for any of its texts, what a last word carries too much included.
    package let room: Int
    /// Other numbers are another text. With more than one number two may run together to the same.
    package let isUnambiguous: Bool
    private let words: [UInt64]
    private let pieces: [Piece]
    /// The text after the last number.
    private let end: WordRange

    /// A label that shows nothing.
    package static let none = FrameLabel(Compiler())

    /// That of a track; nil for one that it can't hold.
    package init?(_ track: Track) {
        var compiler = Compiler()
        switch track.face {
        case .ticker(let face):
            guard compiler.take(face.plain) else { return nil }
        case .progress(let face):
            var maximum: ExactDecimal?
            if case .value(let value) = face.maximum { maximum = value }
            guard !face.followsTime, compiler.take(face.plain, maximum: maximum) else { return nil }
        }
        self.init(compiler)
    }

    private init(_ compiler: consuming Compiler) {
        end = compiler.takeText()
        words = compiler.words
        pieces = compiler.pieces
        isUnambiguous = pieces.count == 1
        room = pieces.reduce(Int(end.count) + MutableRawSpan.overrun) { $0 + Int($1.text.count) + $1.layout.room }
    }

    /// The numbers that a value on its way is shown as; nil where finding one takes its shortest decimal, and for a label
    /// without any.
    /// - Parameter share: What a progress' value is of its maximum; a label that shows it was made with one.
    package func numbers(of value: Double, _ share: ProgressShare?) -> Numbers? {
        guard !pieces.isEmpty else { return nil }
        var numbers = Numbers()
        let pieces = pieces.span
        for index in pieces.indices {
            switch pieces[index].source {
            case .value:
                guard let number = pieces[index].layout.number(of: value) else { return nil }
                numbers.value = number
            case .percent:
                guard let share, let number = pieces[index].layout.number(of: Double(share.percent)) else { return nil }
                numbers.percent = number
            case .fraction:
                guard let share, let number = pieces[index].layout.number(of: share.fraction) else { return nil }
                numbers.fraction = number
            }
        }
        return numbers
    }

    /// Puts the label with its numbers into room of at least `room` bytes.
    /// - Returns: Where it ends.
    package func put(_ numbers: Numbers, into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = start
        let (pieces, words) = (pieces.span, words.span)
        for index in pieces.indices {
            place = out.put(pieces[index].text, of: words, at: place)
            let number =
                switch pieces[index].source {
                case .value: numbers.value
                case .percent: numbers.percent
                case .fraction: numbers.fraction
                }
            place = pieces[index].layout.put(number, words, into: &out, at: place)
        }
        return out.put(end, of: words, at: place)
    }

    /// Appends the label with its numbers.
    package func append(_ numbers: Numbers, to bytes: inout [UInt8]) {
        bytes.append(room: room) { out, start in put(numbers, into: &out, at: start) }
    }
}

extension FrameLabel {
    /// Takes labels apart, escaping their texts for JSON.
    private struct Compiler {
        private(set) var words: [UInt64] = []
        private(set) var pieces: [Piece] = []
        private var text: [UInt8] = []

        /// - Returns: false for one that it can't take.
        mutating func take(_ label: TickerLabel) -> Bool {
            guard !label.isMessage else { return false }
            text += label.prefix
            guard takeNumber(.value, label.plan) else { return false }
            text += label.suffix
            return true
        }

        /// - Returns: false for one that it can't take.
        mutating func take(_ label: ProgressLabel, maximum: ExactDecimal?) -> Bool {
            for piece in label.pieces {
                switch piece {
                case .text(let bytes): text += bytes
                case .placeholder(.maximum):
                    guard let maximum else { text += ProgressLabel.unknown; continue }
                    label.maximumPlan.append(maximum, to: &text)
                case .placeholder(let placeholder):
                    guard let source = Source(placeholder), let plan = label.plan(of: placeholder) else { return false }
                    guard source == .value || maximum != nil else { text += ProgressLabel.unknown; continue }
                    guard takeNumber(source, plan) else { return false }
                }
            }
            return true
        }

        private mutating func takeNumber(_ source: Source, _ plan: NumberPlan) -> Bool {
            let before = takeText()
            guard let layout = NumberLayout(plan.escapedForJSON(), { words.adopt($0) }) else { return false }
            pieces.append(Piece(text: before, source: source, layout: layout))
            return words.count <= Self.capacity
        }

        /// The text since the last number.
        mutating func takeText() -> WordRange {
            let taken = JSONText.escaped(text)
            text = []
            return words.adopt(taken.span)
        }

        /// Fewer than 16 bits count, the text after the last number included.
        private static let capacity = 4_096
    }
}

extension FrameLabel.Source {
    fileprivate init?(_ placeholder: ProgressLabel.Placeholder) {
        switch placeholder {
        case .value, .current: self = .value
        case .percent: self = .percent
        case .fraction: self = .fraction
        case .maximum, .elapsed, .rate, .eta: return nil
        }
    }
}
