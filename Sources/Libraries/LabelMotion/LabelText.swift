// Types of a label's text: optional or not. UIKit's labels have one, other labels the other.

/// The type of a label's text: `String` or `String?`.
public protocol LabelText {
    /// Creates a text with these characters.
    init(_ characters: String)

    /// Returns the characters of a text; empty if there is none.
    static func characters(of text: Self) -> String
}

extension String: LabelText {
    /// Returns the text itself.
    public static func characters(of text: String) -> String { text }
}

extension Optional: LabelText where Wrapped == String {
    /// Returns the text; empty if it is nil.
    public static func characters(of text: String?) -> String { text ?? "" }
}
