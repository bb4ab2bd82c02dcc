// Settings of a connection.

/// A connection's login, database and timeouts.
package struct RedisConnectionConfiguration: Hashable, Sendable {
    /// Nil connects without a login.
    package var credentials: RedisCredentials?
    package var database: Int
    /// For each address of the host.
    package var connectTimeout: Duration
    /// The usual time limit for replies.
    package var answerTimeout: Duration

    package init(
        credentials: RedisCredentials? = nil, database: Int = 0, connectTimeout: Duration = .seconds(2),
        answerTimeout: Duration = .seconds(5)
    ) {
        self.credentials = credentials
        self.database = database
        self.connectTimeout = connectTimeout
        self.answerTimeout = answerTimeout
    }
}
