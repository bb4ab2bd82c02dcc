// A program that this one runs and waits for, at the same terminal.

import CLinux
import Glibc

/// A child process.
package struct ChildProcess: Sendable {
    /// The system's number.
    package let number: Int32

    /// Starts a program. It inherits the first three descriptors, and neither blocked nor ignored signals.
    /// - Parameter words: The program, looked for on the path, and its arguments.
    /// - Throws: The system's error.
    package init(running words: [String]) throws(Failure) {
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child = pid_t()
        let code = unsafe tweencast_run(&child, &arguments)
        guard code == 0 else { throw Failure(code: code) }
        number = child
    }

    /// Why a program can't be run.
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32

        /// 127 if there is no such program, else 126: the codes of a shell.
        package var exitCode: Int32 { code == ENOENT ? 127 : 126 }

        package var description: String { unsafe String(cString: strerror(code)) }
    }

    /// Sends a signal.
    package func send(_ signal: Int32) { kill(number, signal) }

    /// Returns the exit code if it has ended; for one that a signal has ended, 128 and the signal's number, as a shell does.
    package func exitCode() -> Int32? {
        var status: Int32 = 0
        guard unsafe waitpid(number, &status, WNOHANG) == number else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
