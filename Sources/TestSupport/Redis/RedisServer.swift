// A real Redis server as a process of its own, on a free port.

import Foundation
import Glibc

/// A running server.
package final class RedisServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let port: UInt16
    private let arguments: [String]
    private let folder: TemporaryFolder
    private var process: Process

    /// Starts a server and waits until it answers.
    /// - Parameter arguments: As on its command line, behind port, folder and no snapshots. Unless they say otherwise what it
    ///   has answered outlives its process: with any other `appendfsync` it may not have been written when that is killed.
    package init(_ arguments: [String] = ["--appendonly", "yes", "--appendfsync", "always"]) throws {
        folder = TemporaryFolder()
        self.arguments = arguments
        // Between looking for a free port and taking it another may come: then it is looked for again.
        for _ in 0..<20 {
            let port = try Self.freePort()
            let process = try Self.start(port, folder.path, arguments)
            if Self.answers(port, process) {
                (self.port, self.process) = (port, process)
                return
            }
            process.terminate()
            process.waitUntilExit()
        }
        throw Failure(description: "no redis-server answers")
    }

    deinit { stop() }

    private static func start(_ port: UInt16, _ folder: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/redis-server")
        process.arguments =
            ["--port", "\(port)", "--dir", folder, "--save", "", "--logfile", "log", "--enable-debug-command", "yes"]
            + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
                unsafe bind(descriptor, socket, size) == 0 ? getsockname(descriptor, socket, &size) : -1
            }
        }
        guard code == 0 else { throw Failure(description: "the system has no port to give") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until something listens on a port, or its process has ended.
    private static func answers(_ port: UInt16, _ process: Process) -> Bool {
        while process.isRunning {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { Glibc.close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let isConnected = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
                    unsafe connect(descriptor, socket, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { return true }
            usleep(5_000)
        }
        return false
    }

    /// Where a board of this name is.
    package func address(_ board: String = "board", _ more: String = "") -> String {
        "redis://127.0.0.1:\(port)?name=\(board)\(more)"
    }

    /// Its unix socket, where it was given one called `socket`.
    package var socketPath: String { folder.path + "/socket" }

    /// Stops it in the middle of what it does.
    package func pause() { send(SIGSTOP) }
    package func resume() { send(SIGCONT) }

    /// Ends it without a word.
    package func kill() {
        send(SIGKILL)
        process.waitUntilExit()
    }

    /// Starts it again on the same port, with what it kept.
    package func restart() throws {
        if process.isRunning { kill() }
        process = try Self.start(port, folder.path, arguments)
        guard Self.answers(port, process) else { throw Failure(description: "the server does not start again") }
    }

    package func stop() {
        guard process.isRunning else { return }
        resume()
        kill()
    }

    private func send(_ signal: Int32) { _ = Glibc.kill(process.processIdentifier, signal) }
}
