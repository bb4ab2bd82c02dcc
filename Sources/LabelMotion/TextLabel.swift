// What a ticker writes to: any object with a text.

/// An object whose text can be read and set, such as a label of a user interface. Used on the main actor alone.
///
/// A class that has a `text` conforms by saying so: `extension UILabel: TextLabel {}`.
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
