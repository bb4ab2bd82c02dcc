// Numbers as parameters of an address.

/// Reads numbers as they may stand in an address.
package enum ParameterNumber {
    private static let characters = Array("0123456789.+-eE".utf8)

    /// Returns a decimal number; nil for anything else, also for hexadecimal, infinity and NaN, which Swift also parses.
    package static func value(of text: String) -> Double? {
        text.utf8.allSatisfy(characters.contains) ? Double(text) : nil
    }
}
