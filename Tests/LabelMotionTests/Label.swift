// Labels such as user interfaces have, and what they were told.

import LabelMotion

/// Keeps every text it was given.
@MainActor final class Label: TextLabel {
    var text: String {
        didSet { texts.append(text) }
    }
    private(set) var texts: [String] = []

    /// The texts as numbers.
    var values: [Double] { texts.compactMap { Double($0) } }

    init(_ text: String) { self.text = text }
}

/// A text that may be missing, as UIKit's labels have it.
@MainActor final class OptionalLabel: TextLabel {
    var text: String?
}

/// Shows what it is given in capitals.
@MainActor final class Shouting: TextLabel {
    private var shown: String
    var text: String {
        get { shown }
        set { shown = newValue.uppercased() }
    }

    /// Shows the text as it is until it is told another.
    init(_ text: String) { shown = text }
}

/// What completions and closures were told.
@MainActor final class Record {
    private(set) var conclusions: [Bool] = []
    private(set) var texts: [String] = []

    func conclude(_ finished: Bool) { conclusions.append(finished) }
    func note(_ text: String) { texts.append(text) }
}
