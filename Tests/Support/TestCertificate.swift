// Certificates for tests, made with the tool that operators use.

import Foundation

/// A self-signed certificate with its key, as files.
package final class TestCertificate: Sendable {
    struct Failure: Error {
        let text: String
    }

    private let folder = TemporaryFolder()
    /// PEM.
    package var chain: String { folder.path + "/chain.pem" }
    /// PEM.
    package var key: String { folder.path + "/key.pem" }

    private let algorithm: [String]

    /// Makes a certificate for localhost.
    package init(isRSA: Bool = false) throws {
        algorithm = isRSA ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        try renew()
    }

    /// Replaces the files atomically, as `mv` does.
    package func renew() throws {
        let (chain, key) = (chain + ".new", key + ".new")
        let (code, output) = try Tool.run(
            ["openssl", "req", "-x509", "-newkey"] + algorithm + [
                "-nodes", "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-keyout", key, "-out", chain,
            ])
        guard code == 0 else { throw Failure(text: output) }
        for (new, old) in [(chain, self.chain), (key, self.key)] {
            guard unsafe rename(new, old) == 0 else { throw Failure(text: "errno \(errno)") }
        }
    }

    /// The flags for starting a server with it.
    package var flags: [String] { ["--tls-cert", chain, "--tls-key", key] }
}

/// Programs that tests use as clients.
package enum Tool {
    /// Runs a program to its end, without input.
    /// - Returns: Its exit code and its output.
    @discardableResult
    package static func run(_ command: [String]) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
