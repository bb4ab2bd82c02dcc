// The program started anew on the socket of this process, for those that no supervisor holds the socket for: connections
// wait in the kernel while one process leaves and the next one begins, and nobody is refused.

import CLinux
import Glibc

/// The next process.
package enum Handover {
    /// Set where a process takes over from another, which waits to hear that it can.
    private static let variable = "TWEENCAST_PREDECESSOR"
    /// Milliseconds that the next process has to read its configuration, and to load the board or to look through it.
    private static let patience = 300_000
    /// Milliseconds between two looks whether this process was asked to end in the meantime.
    private static let interval: Int32 = 100
    /// Descriptors below have a meaning in the next process.
    private static let leastDescriptor: Int32 = 16

    /// What the next process tells this one, a byte each.
    private enum Word: UInt8 {
        /// It can take over as soon as this process has let go of what both can't have.
        case letGo = 1
        /// It serves.
        case serves = 2
    }

    /// Why there is no next process.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The program's file, by the name that it was started by where that has a folder: a link leads to another release by then.
    /// Once another one is in its place, the kernel knows the old one alone: this is read when the process begins.
    private static let program: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let found = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // So it is where another file has come in its place, and this process began as the old program anew.
        let gone = " (deleted)"
        let file = found.hasSuffix(gone) ? String(found.dropLast(gone.count)) : found
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

    /// Starts the next process, and returns when this one has to go for it, or can.
    /// - Parameters:
    ///   - listener: The socket that it is to have.
    ///   - arguments: Without the program's name.
    ///   - isAskedToEnd: ServiceRequest again and again: this process has to end now, whoever goes on.
    package static func begin(
        listener: consuming Descriptor, arguments: [String], unless isAskedToEnd: () -> Bool
    ) throws(Failure) -> Successor {
        let successor = try start(listener, arguments)
        try successor.waitUntilItCanTakeOver(unless: isAskedToEnd)
        return successor
    }

    /// A process that was started, and what it reports by.
    package final class Successor {
        package let number: Int32
        private let report: Descriptor
        private let listener: Descriptor
        private var serves = false

        fileprivate init(_ number: pid_t, report: consuming Descriptor, listener: consuming Descriptor) {
            self.number = number
            self.report = report
            self.listener = listener
        }

        fileprivate func waitUntilItCanTakeOver(unless isAskedToEnd: () -> Bool) throws(Failure) {
            for _ in 0..<(patience / Int(interval)) {
                var wait = pollfd(fd: report.number, events: Int16(POLLIN), revents: 0)
                if unsafe poll(&wait, 1, interval) > 0 {
                    guard let word = nextWord() else {
                        throw end("the new process ended before it took over; its own message says why")
                    }
                    serves = word == .serves
                    return
                }
                if isAskedToEnd() { throw end("this process was asked to end in the meantime") }
            }
            throw end("the new process did not take over within \(patience / 1_000) s")
        }

        /// Waits until it serves, or has ended.
        /// - Returns: Whether it serves.
        package func takesOver() -> Bool {
            while !serves {
                guard let word = nextWord() else {
                    _ = end("")
                    return false
                }
                serves = word == .serves
            }
            return true
        }

        /// - Returns: nil where none will come.
        private func nextWord() -> Word? {
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(report.number, &byte, 1)
                if count < 0, errno == EINTR { continue }
                return count == 1 ? Word(rawValue: byte) : nil
            }
        }

        private func end(_ reason: String) -> Failure {
            kill(number, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(number, &status, 0)
            return Failure(description: reason)
        }

        /// Begins this process anew, as the program that it is, on the socket that the next one was to have. No other thread may
        /// run any more.
        /// - Returns: Only where that can't be.
        package func beginAnew(arguments: [String]) -> Failure {
            // Both are told whom they are for: this process.
            for (name, value) in [("LISTEN_PID", "\(getpid())"), ("LISTEN_FDS", "1"), ("WATCHDOG_PID", "\(getpid())")] {
                unsafe setenv(name, value, 1)
            }
            let code = unsafe withStrings([program] + arguments) { strings in
                unsafe tweencast_begin_anew(strings, environ, listener.number)
            }
            return Failure(description: unsafe String(cString: strerror(code)))
        }
    }

    /// Starts a process, which alone has the end of the pipe that is written to.
    private static func start(
        _ listener: consuming Descriptor, _ arguments: [String]
    ) throws(Failure) -> Successor {
        var ends: [Int32] = [-1, -1]
        guard unsafe tweencast_pipe(&ends) == 0, let report = Descriptor(owning: ends[0]),
            let written = Descriptor(owning: ends[1])
        else { throw Failure(description: "no pipe") }
        guard let socket = listener.duplicate(from: leastDescriptor),
            let told = written.duplicate(from: leastDescriptor)
        else { throw Failure(description: "no descriptors") }
        var child: pid_t = 0
        // The shell that becomes the program knows the number of the process, which the program is to be told: a socket and
        // a watchdog that are somebody else's it lets alone.
        let script = "export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_PID=$$ \(variable)=$PPID; exec \"$0\" \"$@\""
        let code = unsafe withStrings(["sh", "-c", script, program] + arguments) { strings in
            unsafe tweencast_spawn_successor(&child, "/bin/sh", strings, environ, socket.number, told.number)
        }
        guard code == 0 else { throw Failure(description: unsafe String(cString: strerror(code))) }
        return Successor(child, report: report, listener: listener)
    }

    /// The process before this one.
    package struct Predecessor: Sendable {
        package let number: Int32
        fileprivate let pipe: SharedDescriptor

        /// Whether it is still there, and serves at the same address.
        package var isThere: Bool { getppid() == number }

        /// Asks it to let go of what both can't have; where this process ends then, it begins anew.
        package func askToLetGo() { say(.letGo) }

        /// Tells it that this process serves.
        package func reportServing() { say(.serves) }

        private func say(_ word: Word) {
            var byte = word.rawValue
            _ = unsafe write(pipe.number, &byte, 1)
        }
    }

    /// The process that this one is to take over from; nil where there is none, and when asked again.
    package static func takePredecessor() -> Predecessor? {
        guard let text = unsafe getenv(variable) else { return nil }
        defer { unsafe unsetenv(variable) }
        // A variable that is left over from elsewhere says nothing of what the descriptor is.
        guard let number = pid_t(unsafe String(cString: text)), number == getppid(),
            let pipe = Descriptor(owning: tweencast_successor_report())
        else { return nil }
        return Predecessor(number: number, pipe: SharedDescriptor(pipe))
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let strings = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        return unsafe body(strings)
    }
}
