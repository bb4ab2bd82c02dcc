// What a ticker writes to: any object with a text.

/// An object whose text can be read and set, such as a label of a user interface. Used on the main actor alone.
@MainActor
public protocol TextLabel: AnyObject {
    /// The text shown.
    var text: String { get set }
}
