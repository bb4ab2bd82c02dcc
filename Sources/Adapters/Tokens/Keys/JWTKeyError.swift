// Why keys are refused.

/// What is wrong with a key, in words for whoever gave it. Holds nothing of the key itself.
package struct JWTKeyError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static let noMemory = JWTKeyError("there is no memory for a key")
}
