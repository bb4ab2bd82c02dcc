// What a ticker writes to: any object with a text.

/// An object whose text can be read and set, such as a label of a user interface. Used on the main actor alone.
///
/// `UILabel`, `UITextField` and `NSTextField` are; another class that has a `text` conforms by saying so:
/// `extension Gauge: TextLabel {}`.
@MainActor
public protocol TextLabel: AnyObject {
    /// `String` or `String?`.
    associatedtype Text: LabelText

    /// The text shown.
    var text: Text { get set }
}

extension TextLabel {
    /// The text shown as characters, whatever its type.
    var characters: String {
        get { Text.characters(of: text) }
        set { text = Text(newValue) }
    }
}

/// A label for those who have none: a closure that is told every text.
@MainActor
final class ClosureLabel: TextLabel {
    var text: String {
        didSet { show(text) }
    }
    private let show: @MainActor (String) -> Void

    init(_ text: String, _ show: @escaping @MainActor (String) -> Void) {
        self.text = text
        self.show = show
    }
}
