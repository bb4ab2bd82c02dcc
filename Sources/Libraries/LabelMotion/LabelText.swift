// What the text of a label can be: there, or perhaps missing. UIKit's labels have the one, others the other.

/// The type of a label's text: `String` or `String?`.
public protocol LabelText {
    /// A text of these characters.
    init(_ characters: String)

    /// The characters of a text; empty where there is none.
    static func characters(of text: Self) -> String
}

extension String: LabelText {
    /// The text itself.
    public static func characters(of text: String) -> String { text }
}

extension Optional: LabelText where Wrapped == String {
    /// The text, or nothing where it is missing.
    public static func characters(of text: String?) -> String { text ?? "" }
}
