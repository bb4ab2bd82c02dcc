// What can be wrong with a label: its template, or its moving number.

/// Why a label was rejected, with the byte offset of the error.
public struct LabelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// An unknown placeholder, by its name.
        case unknownPlaceholder(String)
        /// A single brace; literal braces are doubled in progress templates, and quoted in messages.
        case unbalancedBrace
        /// A message with a malformed argument.
        case malformedPlural
        /// A plural argument without its `other` form.
        case missingOther
        /// Arguments with different names; only one number moves.
        case severalArguments
        /// Plural arguments with different offsets.
        case severalOffsets
        /// An unsupported kind of argument, by its name.
        case unknownArgument(String)
        /// An argument without a name, as in `{}`.
        case namelessArgument
        /// A number with its own style.
        case numberStyle
        /// A count's width that isn't `:02` to `:09`.
        case malformedWidth(String)
        /// A unit of time that countdowns don't support, by its name.
        case noSuchUnit(String)
        /// Too many forms.
        case tooLarge
        /// A number with more digits than an exact decimal.
        case tooManyDigits
        /// Fewer numbers than the index requires.
        case noSuchNumber(count: Int)
    }

    /// What is wrong.
    public let reason: Reason
    /// The position in bytes from the start.
    public let offset: Int

    /// Creates an error with its position.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A sentence for the client.
    public var description: String {
        switch reason {
        case .unknownPlaceholder(let name): "unknown placeholder {\(name)} at byte \(offset)"
        case .unbalancedBrace: "unbalanced brace at byte \(offset)"
        case .malformedPlural: "malformed argument at byte \(offset)"
        case .missingOther: "plural argument without an \"other\" form at byte \(offset)"
        case .severalArguments: "a second argument at byte \(offset); a label has one number"
        case .severalOffsets: "another offset at byte \(offset); all plural arguments of a label have the same"
        case .unknownArgument(let kind):
            "{…, \(kind)} at byte \(offset) is not supported; use {n}, {n, number}, {n, plural, …} or "
                + "{n, selectordinal, …}, and put text with braces in `prefix` or `suffix`"
        case .namelessArgument:
            "braces without a name at byte \(offset); put text with braces in `prefix` or `suffix`"
        case .numberStyle: "a number with a style at byte \(offset); `format` says how it is written"
        case .malformedWidth(let text):
            "{\(text)} at byte \(offset): a count may have :02 to :09, to fill up with zeros"
        case .noSuchUnit(let name):
            "a countdown has days, hours, minutes and seconds; it can't count in \(name), at byte \(offset)"
        case .tooLarge: "too many plural forms at byte \(offset)"
        case .tooManyDigits: "the number at byte \(offset) has more than \(ExactDecimal.maximumDigits) digits"
        case .noSuchNumber(let count): "the label has only \(count) numbers; the first is 0"
        }
    }
}
