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

/// A label without a user interface: a closure that receives every frame.
@MainActor
final class ClosureLabel: TextLabel {
    var text: String
    private var number: Double?
    private let receive: @MainActor (Ticker.Frame) -> Void

    init(_ text: String, _ receive: @escaping @MainActor (Ticker.Frame) -> Void) {
        self.text = text
        self.receive = receive
    }

    /// Passes a frame on, unless it equals the last one.
    func show(_ frame: Ticker.Frame) {
        guard number != frame.number || text != frame.text else { return }
        (number, text) = frame
        receive(frame)
    }
}
