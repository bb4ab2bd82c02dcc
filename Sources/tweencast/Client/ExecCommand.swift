// `tweencast exec`: runs a command, and shows its time as a progress that ends with it.

import Glibc
import OperatingSystem
import TweencastClient

/// What is run, and where it is shown.
struct ExecRequest: Sendable {
    let id: String
    /// The program and its arguments.
    let words: [String]
    let label: String?

    init(_ arguments: ClientArguments) throws(ClientUsage) {
        guard arguments.separator == 1 else {
            throw ClientUsage(message: "the id comes before --, and the command after it: \(ClientCommand.exec.usage)")
        }
        id = try arguments.id()
        words = Array(arguments.operands.dropFirst())
        label = arguments[.label]
    }
}

/// How a bar moves while a command's progress is unknown.
struct ExecCourse: Hashable, Sendable {
    /// Seconds that the command is expected to take; nil for its first run.
    let estimate: Double?

    /// Where the bar is after the estimate, in percent: it is full only at the end.
    static let expected: Amount = 95
    /// Where it comes to if the command takes longer, in three times the estimate.
    static let late: Amount = 99

    /// The time until the bar is at `expected`.
    var first: Duration? { estimate.map { .seconds($0) } }
    /// The time from there to `late`.
    var second: Duration { .seconds(2 * (estimate ?? 0)) }
}

extension ExecRequest {
    /// The signals that the command gets.
    private static let passed = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]

    /// Runs the command and waits for it on this thread, the main one, which passes signals on; posts on another.
    func run(_ client: Client, server: String) -> Never {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in Self.passed + [SIGCHLD] { unsafe sigaddset(&signals, signal) }
        // Before other threads begin, which inherit the mask. The child doesn't.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A parent may have ignored it, and an ignored signal doesn't arrive.
        _ = signal(SIGCHLD, SIG_DFL)
        let folder = RunHistory.folder { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
        var history = folder.map { RunHistory(in: $0, of: id) }
        let course = ExecCourse(estimate: history?.estimate)
        let start = ContinuousClock.now
        let child: ChildProcess
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(running: words)
        } catch {
            ClientProgram.complain("\(words[0]): \(error)")
            _exit(error.exitCode)
        }
        let report = ProgressReport(client.progress(id), on: server, label: label)
        let pause = WorkPause()
        let showing = Task { await show(course, report, pause) }
        let code = Self.wait(for: child, &signals)
        if code == 0 { history?.add(Self.seconds(ContinuousClock.now - start)) }
        pause.end()
        Task {
            await showing.value
            await end(course, report, succeeded: code == 0)
            _exit(code)
        }
        // One that came with the command's end was meant for it. Who is impatient from now on ends this process.
        for number in Self.passed {
            _ = signal(number, SIG_IGN)
            // These two are mostly questions, such as how far dd is: one that comes late ends nothing.
            if number != SIGUSR1, number != SIGUSR2 { _ = signal(number, SIG_DFL) }
        }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        while true { Glibc.pause() }
    }

    /// Waits for the command's end. Signals are passed on, but those that the terminal has sent to the command, too.
    /// - Returns: Its exit code.
    private static func wait(for child: ChildProcess, _ signals: inout sigset_t) -> Int32 {
        while true {
            if let code = child.exitCode() { return code }
            var information = unsafe siginfo_t()
            let signal = unsafe sigwaitinfo(&signals, &information)
            guard signal > 0, signal != SIGCHLD, unsafe information.si_code <= 0 else { continue }
            child.send(signal)
        }
    }

    private func show(_ course: ExecCourse, _ report: ProgressReport, _ pause: WorkPause) async {
        guard let first = course.first else {
            await report.post(0, of: .unknown, from: 0, in: .zero)
            return
        }
        await report.post(ExecCourse.expected, of: .known(100), from: 0, in: first)
        guard await pause.sleep(for: first) else { return }
        await report.post(
            ExecCourse.late, of: .known(100), in: course.second, easing: "ease-out")
    }

    private func end(_ course: ExecCourse, _ report: ProgressReport, succeeded: Bool) async {
        if succeeded {
            await report.post(100, of: .known(100), in: .milliseconds(300))
        } else if course.estimate == nil {
            await report.post(0, of: .known(100), in: .zero)
        } else {
            await report.stop()
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
