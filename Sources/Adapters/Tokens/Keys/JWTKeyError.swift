// Reasons for rejecting a key.

/// What is wrong with a key, for the user who configured it. Contains nothing of the key itself.
package struct JWTKeyError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static let noMemory = JWTKeyError("there is no memory for a key")
}
