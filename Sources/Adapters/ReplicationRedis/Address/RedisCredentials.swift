// With what a connection logs in. The password is in no text that is made of it.

/// A user and password.
package struct RedisCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// nil for the server's one password, or its default user's.
    package let user: String?
    package let password: String

    package init(user: String? = nil, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "\(user ?? ""):***" }
    package var customMirror: Mirror { Mirror(self, children: ["user": user ?? ""]) }
}
