// Restarts the program on this process' listening socket, for setups without a supervisor that holds the socket. Connections
// wait in the kernel between the two processes, so none is refused.

import CLinux
import Glibc

/// Starts and tracks the successor process.
package enum Handover {
    /// Set in a successor's environment; the predecessor then waits for its report.
    private static let variable = "TWEENCAST_PREDECESSOR"
    /// Milliseconds that the successor has to read its configuration and load or check the board.
    private static let timeout = 300_000
    /// Milliseconds that it has to serve once this process has released what only one of them can hold.
    package static let serviceTimeout = 60_000
    /// Milliseconds of one wait for a report, between two checks whether this process was asked to end.
    private static let interval: Int32 = 100
    /// Lower descriptors have a fixed meaning in the successor.
    private static let leastDescriptor: Int32 = 16

    /// The successor's reports, one byte each.
    private enum Word: UInt8 {
        /// It can take over once this process has released what only one of them can hold.
        case letGo = 1
        /// It serves.
        case serves = 2
    }

    /// Why there is no successor.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The program's file: the name it was started by if that contains a folder, since a link may point to another release
    /// by then. Read when the process begins, because the kernel only knows the old file once it has been replaced.
    private static let program: String = {
        let file = ProgramFile.path
        let name = CommandLine.arguments.first ?? ""
        return name.contains("/") && leads(name, to: file) ? name : file
    }()

    private static func leads(_ name: String, to file: String) -> Bool {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe realpath(name, &path) != nil else { return false }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == file
    }

    /// Notes the program's file, so that a successor starts whatever file has that name then.
    package static func prepare() { _ = program }

    /// Starts the successor. Returns when it has taken over, or is ready for this process to release what only one can hold.
    /// - Parameters:
    ///   - listener: The listening socket for the successor.
    ///   - arguments: Without the program's name.
    ///   - isAskedToEnd: Polled while waiting; true ends the wait because this process must stop in any case.
    package static func begin(
        listener: consuming Descriptor, arguments: [String], unless isAskedToEnd: () -> Bool
    ) throws(Failure) -> Successor {
        let successor = try start(listener, arguments)
        try successor.waitUntilItCanTakeOver(unless: isAskedToEnd)
        return successor
    }

    /// A process that was started, and the pipe for its reports.
    package final class Successor {
        package let number: Int32
        private let report: Descriptor
        private let listener: Descriptor
        private var serves = false

        init(_ number: pid_t, report: consuming Descriptor, listener: consuming Descriptor) {
            self.number = number
            self.report = report
            self.listener = listener
        }

        fileprivate func waitUntilItCanTakeOver(unless isAskedToEnd: () -> Bool) throws(Failure) {
            for _ in 0..<(timeout / Int(interval)) {
                if hasReported() {
                    guard let word = nextWord() else {
                        throw end("the new process ended before it took over; its own message says why")
                    }
                    serves = word == .serves
                    return
                }
                if isAskedToEnd() { throw end("this process was asked to end in the meantime") }
            }
            throw end("the new process did not take over within \(timeout / 1_000) s")
        }

        /// Waits until the successor serves. One that doesn't within the limit is killed, since nobody serves meanwhile.
        /// - Parameter limit: In milliseconds.
        /// - Returns: Why it doesn't serve: it has ended then, and holds nothing. nil if it serves.
        package func awaitService(within limit: Int = Handover.serviceTimeout) -> Failure? {
            var intervals = limit / Int(interval)
            while !serves {
                guard hasReported() else {
                    intervals -= 1
                    guard intervals > 0 else { return end("the new process did not serve within \(limit / 1_000) s") }
                    continue
                }
                guard let word = nextWord() else { return end("the new process ended before it served") }
                serves = word == .serves
            }
            return nil
        }

        /// Waits for a report, or for the process' end, an interval at most.
        /// - Returns: Whether one of them has come.
        private func hasReported() -> Bool {
            var wait = pollfd(fd: report.number, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&wait, 1, interval) > 0
        }

        /// - Returns: nil if no report will come.
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

        /// Replaces this process with a new instance of the same program, on the socket meant for the successor. No other
        /// thread may be running.
        /// - Returns: Only on failure.
        package func startAgain(arguments: [String]) -> Failure {
            // Both protocols name the process they are meant for: this one.
            for (name, value) in [("LISTEN_PID", "\(getpid())"), ("LISTEN_FDS", "1"), ("WATCHDOG_PID", "\(getpid())")] {
                unsafe setenv(name, value, 1)
            }
            let code = unsafe withStrings([program] + arguments) { strings in
                unsafe tweencast_begin_anew(strings, environ, listener.number)
            }
            return Failure(description: unsafe String(cString: strerror(code)))
        }
    }

    /// Starts a process that alone holds the pipe's write end.
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
        // The shell execs the program, so its process ID is the program's. The program ignores a socket or watchdog whose ID
        // differs.
        let script = "export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_PID=$$ \(variable)=$PPID; exec \"$0\" \"$@\""
        let code = unsafe withStrings(["sh", "-c", script, program] + arguments) { strings in
            unsafe tweencast_spawn_successor(&child, "/bin/sh", strings, environ, socket.number, told.number)
        }
        guard code == 0 else { throw Failure(description: unsafe String(cString: strerror(code))) }
        return Successor(child, report: report, listener: listener)
    }

    /// The process that started this one as its successor.
    package struct Predecessor: Sendable {
        package let number: Int32
        fileprivate let pipe: SharedDescriptor

        /// Whether it is still running, and serves at the same address.
        package var isThere: Bool { getppid() == number }

        /// Asks it to release what only one process can hold. If this process ends before it serves, the predecessor
        /// restarts itself.
        package func askToLetGo() { say(.letGo) }

        /// Reports that this process serves.
        package func reportServing() { say(.serves) }

        private func say(_ word: Word) {
            var byte = word.rawValue
            _ = unsafe write(pipe.number, &byte, 1)
        }
    }

    /// Returns the process to take over from. Nil if there is none, and on every later call.
    package static func findPredecessor() -> Predecessor? {
        guard let text = unsafe getenv(variable) else { return nil }
        defer { unsafe unsetenv(variable) }
        // A leftover variable doesn't say what the descriptor is.
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
