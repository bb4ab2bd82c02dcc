// The program started anew on the socket of this process, for those that no supervisor holds the socket for: connections
// wait in the kernel while one process leaves and the next one begins, and nobody is refused.

import CLinux
import Glibc

/// The next process.
package enum Handover {
    /// Set where a process takes over from another, which waits to hear that it can.
    private static let variable = "TWEENCAST_PREDECESSOR"
    /// Milliseconds that the next process has to read its configuration.
    private static let patience: Int32 = 30_000
    /// Descriptors below have a meaning in the next process.
    private static let leastDescriptor: Int32 = 16

    /// Why there is no next process.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The program's file, by the name that it was started by where that has a folder: a link leads to another release by then.
    /// Once another one is in its place, the kernel knows the old one alone: this is read when the process begins.
    private static let program: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let file = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let name = CommandLine.arguments.first ?? ""
        return name.contains("/") && leads(name, to: file) ? name : file
    }()

    private static func leads(_ name: String, to file: String) -> Bool {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe realpath(name, &path) != nil else { return false }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == file
    }

    /// Notes which file the program is, for a next process of whatever is in its place then.
    package static func prepare() { _ = program }

    /// Starts the next process, and returns when it is ready to take over.
    /// - Parameters:
    ///   - listener: The socket that it is to have.
    ///   - arguments: Without the program's name.
    /// - Returns: Its number.
    package static func begin(listener: Int32, arguments: [String]) throws(Failure) -> Int32 {
        var report: [Int32] = [-1, -1]
        guard unsafe pipe(&report) == 0 else { throw Failure(description: "no pipe") }
        defer { close(report[0]) }
        let given = [listener, report[1]].map { fcntl($0, F_DUPFD_CLOEXEC, leastDescriptor) }
        close(report[1])
        defer { for descriptor in given where descriptor >= 0 { close(descriptor) } }
        guard given.allSatisfy({ $0 >= 0 }) else { throw Failure(description: "no descriptors") }
        var child: pid_t = 0
        // The shell that becomes the program knows the number of the process, which the program is to be told: a socket and
        // a watchdog that are somebody else's it lets alone.
        let script = "export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_PID=$$ \(variable)=$PPID; exec \"$0\" \"$@\""
        let code = unsafe withStrings(["sh", "-c", script, program] + arguments) { strings in
            unsafe tweencast_spawn_successor(&child, "/bin/sh", strings, environ, given[0], given[1])
        }
        guard code == 0 else { throw Failure(description: unsafe String(cString: strerror(code))) }
        close(given[1])
        try hear(from: report[0], of: child)
        return child
    }

    /// The process before this one.
    package struct Predecessor: Sendable {
        fileprivate let number: pid_t

        /// Whether it is still there, and has what a process can't share.
        package var isThere: Bool { getppid() == number }

        /// Tells it that it can go.
        package func report() {
            var byte: UInt8 = 1
            _ = unsafe write(Int32(TWEENCAST_SUCCESSOR_REPORT), &byte, 1)
            close(Int32(TWEENCAST_SUCCESSOR_REPORT))
        }
    }

    /// The process that this one is to take over from; nil where there is none, and when asked again.
    package static func takePredecessor() -> Predecessor? {
        guard let text = unsafe getenv(variable) else { return nil }
        defer { unsafe unsetenv(variable) }
        return pid_t(unsafe String(cString: text)).map { Predecessor(number: $0) }
    }

    private static func hear(from report: Int32, of child: pid_t) throws(Failure) {
        var wait = pollfd(fd: report, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        let isHeard = unsafe poll(&wait, 1, patience) > 0 && read(report, &byte, 1) == 1
        guard !isHeard else { return }
        kill(child, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(child, &status, 0)
        throw Failure(description: "the next process ended before it could take over; its own message says why")
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let strings = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        return unsafe body(strings)
    }
}
