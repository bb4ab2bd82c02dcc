// The real program as a process: started, asked for its port, and ended gracefully or not.

package import Foundation

/// A running server on a port of its own.
package final class ServerProcess {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let port: UInt16
    private let process: Process
    /// The certificate that its clients trust; nil without TLS.
    private let certificate: TestCertificate?

    /// The program that `TWEENCAST` names, such as a build with a sanitizer; otherwise the one built with the tests.
    package static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["TWEENCAST"] { return URL(filePath: path) }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "tweencast")
    }

    /// Starts a server and waits until it reports that it listens.
    /// - Parameters:
    ///   - folder: Where it keeps its state; nil keeps it in memory.
    ///   - environment: Variables in addition to those of the tests.
    ///   - descriptors: The maximum number of its descriptors; nil for the same as the tests.
    ///   - errors: Receives its standard error; nil uses that of the tests, with only warnings and errors.
    ///   - certificate: The certificate for TLS.
    ///   - servesPages: Whether it serves the viewer, which takes an unoptimised program most of a second to load.
    package init(
        folder: String? = nil, arguments: [String] = [], environment: [String: String] = [:], descriptors: Int? = nil,
        errors: Pipe? = nil, certificate: TestCertificate? = nil, servesPages: Bool = false
    ) throws {
        self.certificate = certificate
        process = Process()
        if let errors { process.standardError = errors }
        let arguments =
            (folder.map { ["--data", $0] } ?? ["--ephemeral"]) + ["--port", "0"] + arguments
            + (certificate?.flags ?? [])
        if let descriptors {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -n \(descriptors) && exec \"$@\"", "sh", Self.executable.path] + arguments
        } else {
            process.executableURL = Self.executable
            process.arguments = arguments
        }
        let quiet = errors == nil ? ["TWEENCAST_LOG_LEVEL": "warning"] : [:]
        process.environment = ProcessInfo.processInfo.environment.merging(quiet) { $1 }.merging(environment) { $1 }
        process.currentDirectoryURL = servesPages ? Self.project : URL(filePath: "/")
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                process.waitUntilExit()
                throw Failure(description: "the server ended with \(process.terminationStatus)")
            }
            line.append(byte)
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let port = text.split(separator: ":").last.flatMap({ UInt16($0.dropLast()) }) else {
            throw Failure(description: "no port in \(text)")
        }
        self.port = port
    }

    deinit { kill() }

    /// The package's folder, which contains the viewer's.
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package var client: HTTPClient { HTTPClient(port: port, trusting: certificate?.chain) }
    package var processIdentifier: Int32 { process.processIdentifier }

    /// Ends it as an operator would.
    /// - Returns: The exit code.
    package func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Sends it a signal.
    package func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

    /// Whether it is still running.
    package var isRunning: Bool { process.isRunning }

    /// Pauses or continues it.
    package func setStopped(_ isStopped: Bool) {
        Foundation.kill(process.processIdentifier, isStopped ? SIGSTOP : SIGCONT)
    }

    /// Ends it at once, as a crash would.
    package func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs the program to its end.
    /// - Parameter setup: A shell command to run before, such as a limit.
    /// - Returns: Its exit code and its standard error.
    package static func run(_ arguments: [String], after setup: String? = nil) throws -> (code: Int32, errors: String) {
        let errors = Pipe()
        let (code, text) = try run(arguments, reading: errors) { process in
            process.standardError = errors
            guard let setup else { return }
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "\(setup) && exec \"$@\"", "sh", executable.path] + arguments
        }
        return (code, text)
    }

    /// Runs the program to its end.
    /// - Parameter environment: Variables for a shell to set before, such as `A=1 B=2`.
    /// - Returns: Its exit code and its standard output.
    package static func output(
        _ arguments: [String], environment: String = ""
    ) throws -> (code: Int32, output: String) {
        let output = Pipe()
        return try run(arguments, reading: output) { process in
            process.standardOutput = output
            guard !environment.isEmpty else { return }
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "export \(environment); exec \"$@\"", "sh", executable.path] + arguments
        }
    }

    private static func run(
        _ arguments: [String], reading pipe: Pipe, with prepare: (Process) -> Void
    ) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        prepare(process)
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
