// The login of a connection. The password never appears in a description.

/// A user and password.
package struct RedisCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Nil for a server with only a password, or for its default user.
    package let user: String?
    package let password: String

    package init(user: String? = nil, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "\(user ?? ""):***" }
    package var customMirror: Mirror { Mirror(self, children: ["user": user ?? ""]) }
}
