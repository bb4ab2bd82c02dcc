// A real redis-server process: started, paused, and ended as by a crash or an operator.

import Foundation

/// A server, or a Sentinel, with its own port and folder.
package final class RedisServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What to wait for at a server's start.
    package enum Readiness: Sendable {
        /// It accepts commands.
        case serving
        /// It answers, even if only that it is loading.
        case answering
    }

    package private(set) var port: UInt16 = 0
    private let folder = TemporaryFolder()
    private let settings: [String]
    private let isSentinel: Bool
    private var process = Process()

    /// Seconds after which a server that doesn't answer counts as failed.
    private static let timeout = 30.0

    /// - Parameters:
    ///   - settings: Lines of its configuration. By default it keeps nothing on disk.
    ///   - isSentinel: Whether it is a Sentinel, which only watches other servers.
    package init(_ settings: [String] = [], isSentinel: Bool = false) throws {
        self.settings = settings
        self.isSentinel = isSentinel
        var attempts = 10
        while true {
            port = FreePort.take()
            do {
                try start()
                return
            } catch {
                // Another process may have taken the port in between.
                attempts -= 1
                guard attempts > 0, log.contains("Address already in use") else { throw error }
            }
        }
    }

    deinit { kill() }

    /// The socket of a server with the setting `unixsocket redis.sock`.
    package var socket: String { folder.path + "/redis.sock" }

    /// The contents of its log, preceded by its standard error.
    package var log: String {
        ["/errors", "/log"].map { (try? String(contentsOfFile: folder.path + $0, encoding: .utf8)) ?? "" }.joined()
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    /// Starts it with the same port and files.
    /// - Parameter extra: Lines of its configuration for this run.
    package func start(_ extra: [String] = [], until readiness: Readiness = .serving) throws {
        let path = folder.path + "/redis.conf"
        // A Sentinel keeps its state in its configuration file.
        if !isSentinel || !FileManager.default.fileExists(atPath: path) {
            let always = ["port \(port)", "bind 127.0.0.1", "dir \(folder.path)", "logfile log"]
            let kept = isSentinel ? [] : ["save \"\"", "repl-diskless-sync-delay 0", "enable-debug-command yes"]
            let text = (always + kept + settings + extra).joined(separator: "\n") + "\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["redis-server", path] + (isSentinel ? ["--sentinel"] : [])
        // Does not inherit the tests' descriptors: a server that outlives them would keep them open.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        _ = FileManager.default.createFile(atPath: folder.path + "/errors", contents: nil)
        process.standardError = FileHandle(forWritingAtPath: folder.path + "/errors")
        try process.run()
        try eventually("an answer of redis-server on port \(port)", within: Self.timeout) {
            guard process.isRunning else { throw Failure(description: "redis-server ended: \(log)") }
            return isReady(readiness)
        }
    }

    /// Ends it as an operator does, which saves what it should keep.
    package func terminate() {
        // By a command, because the threads that start it block SIGTERM, and it inherits that. The command has no answer.
        _ = try? ask("SHUTDOWN")
        process.waitUntilExit()
    }

    /// Ends it at once, as a crash would.
    package func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it and starts it again.
    package func restart(_ extra: [String] = [], until readiness: Readiness = .serving) throws {
        terminate()
        try start(extra, until: readiness)
    }

    /// Pauses the process: connections stay open, but nothing is answered.
    package func pause() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    /// Continues a paused server.
    package func resume() { Foundation.kill(process.processIdentifier, SIGCONT) }

    /// Sends a command over a new connection.
    /// - Returns: The answer, with an array's elements as lines, and an error with its minus sign.
    package func ask(_ words: String...) throws -> String { try ask(words) }

    /// Sends a command whose words are in an array.
    package func ask(_ words: [String]) throws -> String {
        let connection = try RawConnection(port: port, timeout: Int(Self.timeout))
        if let line = settings.first(where: { $0.hasPrefix("requirepass ") }) {
            _ = try Self.ask(["AUTH", String(line.dropFirst("requirepass ".count))], over: connection)
        }
        return try Self.ask(words, over: connection)
    }

    private func isReady(_ readiness: Readiness) -> Bool {
        guard let answer = try? ask("PING") else { return false }
        // A server that requires a login is ready, too.
        return answer == "PONG" || answer.hasPrefix("-NOAUTH") || readiness == .answering
    }

    private static func ask(_ words: [String], over connection: RawConnection) throws -> String {
        let pieces = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }
        try connection.send("*\(words.count)\r\n" + pieces.joined())
        return try answer(from: connection)
    }

    private static func answer(from connection: RawConnection) throws -> String {
        guard let line = try connection.read(through: "\r\n")?.dropLast(), let kind = line.first else {
            throw Failure(description: "redis-server closed the connection")
        }
        let rest = line.dropFirst()
        switch kind {
        case "-": return String(line)
        case "$":
            guard let count = Int(rest), count >= 0 else { return "" }
            return String(try connection.read(count: count + 2)?.dropLast() ?? "")
        case "*":
            return try (0..<max(0, Int(rest) ?? 0)).map { _ in try answer(from: connection) }.joined(separator: "\n")
        default: return String(rest)
        }
    }
}
