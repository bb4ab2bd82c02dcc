// What most tests here begin with.

import ReplicationRedis
import TestSupport

extension RedisServer {
    var endpoint: RedisEndpoint { .tcp(host: "127.0.0.1", port: port) }

    func connect(
        user: String? = nil, password: String? = nil, database: Int = 0, answerTimeout: Duration = .seconds(30)
    ) throws -> RedisConnection {
        try RedisConnection(
            to: endpoint,
            RedisConnectionConfiguration(
                credentials: password.map { RedisCredentials(user: user, password: $0) }, database: database,
                connectTimeout: .seconds(30), answerTimeout: answerTimeout))
    }
}

/// The code with which something fails; nil when it doesn't.
func code(_ body: () throws -> Void) -> RedisError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? RedisError)?.code
    }
}

/// A word as an argument.
func bytes(_ word: String) -> [UInt8] { Array(word.utf8) }
