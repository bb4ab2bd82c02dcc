// A real redis-server as a process of its own: started, stopped in its tracks, ended as a crash or an operator would.

import Foundation

/// A server, or a Sentinel, on a port of its own with a folder of its own.
package final class RedisServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What is waited for when a server starts.
    package enum Readiness: Sendable {
        /// It takes commands.
        case serving
        /// It answers, be it that it is still loading.
        case answering
    }

    package private(set) var port: UInt16 = 0
    private let folder = TemporaryFolder()
    private let settings: [String]
    private let isSentinel: Bool
    private var process = Process()

    /// Seconds after which a server that doesn't answer is given up.
    private static let patience = 30.0

    /// - Parameters:
    ///   - settings: Lines of its configuration. It keeps nothing on disk unless they say so.
    ///   - isSentinel: Whether it watches others instead of keeping anything.
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

    /// The socket of a server that is told `unixsocket redis.sock`.
    package var socket: String { folder.path + "/redis.sock" }

    /// What it wrote to its log, and to standard error before it had one.
    package var log: String {
        ["/errors", "/log"].map { (try? String(contentsOfFile: folder.path + $0, encoding: .utf8)) ?? "" }.joined()
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    /// Starts it, on the port and with the files that it had.
    /// - Parameter extra: Lines of its configuration for this run.
    package func start(_ extra: [String] = [], until readiness: Readiness = .serving) throws {
        let path = folder.path + "/redis.conf"
        // A Sentinel keeps in its file what it has learnt.
        if !isSentinel || !FileManager.default.fileExists(atPath: path) {
            let always = ["port \(port)", "bind 127.0.0.1", "dir \(folder.path)", "logfile log"]
            let kept = isSentinel ? [] : ["save \"\"", "repl-diskless-sync-delay 0", "enable-debug-command yes"]
            let text = (always + kept + settings + extra).joined(separator: "\n") + "\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["redis-server", path] + (isSentinel ? ["--sentinel"] : [])
        // Nothing of the tests' own: a server that outlives a crash of theirs would keep it open.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        _ = FileManager.default.createFile(atPath: folder.path + "/errors", contents: nil)
        process.standardError = FileHandle(forWritingAtPath: folder.path + "/errors")
        try process.run()
        try eventually("an answer of redis-server on port \(port)", within: Self.patience) {
            guard process.isRunning else { throw Failure(description: "redis-server ended: \(log)") }
            return isReady(readiness)
        }
    }

    /// Lets it end as an operator does, which writes out what it is to keep.
    package func terminate() {
        // By its own command: it has SIGTERM blocked, as the threads have that started it. No answer is its answer.
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

    /// Stops it in its tracks: connections stay, and nothing is answered.
    package func pause() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    /// Lets a paused server go on.
    package func resume() { Foundation.kill(process.processIdentifier, SIGCONT) }

    /// Asks it something over a connection of its own.
    /// - Returns: The answer, an array's elements as lines; an error with its minus sign.
    package func ask(_ words: String...) throws -> String { try ask(words) }

    /// The same with the words in an array.
    package func ask(_ words: [String]) throws -> String {
        let connection = try RawConnection(port: port, timeout: Int(Self.patience))
        if let line = settings.first(where: { $0.hasPrefix("requirepass ") }) {
            _ = try Self.ask(["AUTH", String(line.dropFirst("requirepass ".count))], over: connection)
        }
        return try Self.ask(words, over: connection)
    }

    private func isReady(_ readiness: Readiness) -> Bool {
        guard let answer = try? ask("PING") else { return false }
        // One that wants a user's login serves those who have it.
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
