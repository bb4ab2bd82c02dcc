// The label that a ticker writes to: any object with a text.

/// An object whose text can be read and set, such as a label of a user interface. Only used on the main actor.
///
/// `UILabel`, `UITextField` and `NSTextField` conform. Any other class with a `text` can conform too: `extension Gauge:
/// TextLabel {}`.
@MainActor
public protocol TextLabel: AnyObject {
    /// `String` or `String?`.
    associatedtype Text: LabelText

    /// The shown text.
    var text: Text { get set }
}

extension TextLabel {
    /// The shown text as characters, whatever its type.
    var characters: String {
        get { Text.characters(of: text) }
        set { text = Text(newValue) }
    }
}

/// A label without a user interface: a closure that receives every text.
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
