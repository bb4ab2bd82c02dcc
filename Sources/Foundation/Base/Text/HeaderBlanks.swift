// The blanks that headers may have around their values and parameters (RFC 9110, 5.6.3).

extension Substring {
    /// The text without spaces and tabs at either end.
    package var trimmedBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return rest.prefix(through: last)
    }
}
