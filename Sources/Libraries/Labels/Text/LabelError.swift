// What can be wrong with a label: with its template, or with the number that moves in it.

/// Why a label was refused, with the byte offset at which it went wrong.
public struct LabelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// A placeholder that doesn't exist, by its name.
        case unknownPlaceholder(String)
        /// A brace without its partner; literal braces are doubled in progress templates, quoted in messages.
        case unbalancedBrace
        /// A message whose argument is malformed.
        case malformedPlural
        /// A plural argument without its `other` form.
        case missingOther
        /// Arguments of different names: only one number moves.
        case severalArguments
        /// Plural arguments that subtract different numbers.
        case severalOffsets
        /// An argument of a kind that labels don't have, by its name.
        case unknownArgument(String)
        /// An argument without a name, as in `{}`.
        case namelessArgument
        /// A number with a style of its own.
        case numberStyle
        /// A width of a count that isn't `:02` to `:09`.
        case malformedWidth(String)
        /// A unit of time that countdowns don't have, by its name.
        case noSuchUnit(String)
        /// More forms than a label needs.
        case tooLarge
        /// A number of more digits than an exact decimal holds.
        case tooManyDigits
        /// Fewer numbers than were asked for.
        case noSuchNumber(count: Int)
    }

    /// What is wrong.
    public let reason: Reason
    /// Where, in bytes from the start.
    public let offset: Int

    /// A reason and the byte it is at.
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
