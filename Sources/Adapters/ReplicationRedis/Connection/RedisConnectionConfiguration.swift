// What a connection begins with.

/// How a connection is made and what it waits for.
package struct RedisConnectionConfiguration: Hashable, Sendable {
    /// Nil logs in nowhere.
    package var credentials: RedisCredentials?
    package var database: Int
    /// For each address of the host.
    package var connectTimeout: Duration
    /// The usual patience with answers.
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
