// `tweencast pipe`: passes standard input on unchanged, and shows how much has come as a progress.

import Glibc
import OperatingSystem
import Synchronization
import TweencastClient

/// What is counted.
struct PipeRequest: Sendable {
    let id: String
    let countsBytes: Bool
    /// nil if the total is unknown.
    let total: Amount?
    let label: String?

    init(_ arguments: ClientArguments) throws(ClientUsage) {
        id = try arguments.id()
        countsBytes = arguments.has(.bytes)
        total = try arguments[.total].map { text throws(ClientUsage) in try ClientArguments.amount(text) }
        label = arguments[.label]
    }

    /// Between two posts.
    private static let interval = Duration.milliseconds(500)
    private static let pieceBytes = 65_536
}

/// What has passed, counted by the thread that copies and read by the task that posts.
private final class Meter: Sendable {
    private let passed = Atomic(0)

    var count: Int { passed.load(ordering: .relaxed) }

    func add(_ count: Int) { passed.add(count, ordering: .relaxed) }
}

extension PipeRequest {
    /// The exit code when the output has no reader, as if SIGPIPE had ended the process.
    private static let brokenPipe = 128 + SIGPIPE

    /// Copies on this thread, the main one, and posts on another.
    func run(_ client: Client, server: String) -> Never {
        _ = signal(SIGPIPE, SIG_IGN)
        // Before other threads begin.
        let signals = EndSignals()
        let (meter, pause) = (Meter(), WorkPause())
        let report = ProgressReport(client.progress(id), on: server, label: label)
        let posting = Task { await post(meter, report, pause) }
        let finish = { @Sendable (code: Int32) in
            guard pause.end() else { return }
            Task {
                await posting.value
                await end(meter, report, succeeded: code == 0 && !signals.hasOne)
                signals.end(or: code)
            }
        }
        signals.wait { finish(1) }
        finish(copy(meter, signals))
        while true { Glibc.pause() }
    }

    /// The end of the input is the end of the work, whatever was expected. What was cut off stops where it is.
    private func end(_ meter: Meter, _ report: ProgressReport, succeeded: Bool) async {
        if succeeded {
            let count = Amount(meter.count)
            await report.post(count, of: .known(count), in: .milliseconds(300))
        } else if total == nil {
            // Without a maximum it would be at work for ever.
            await report.post(0, of: .known(100), in: .zero)
        } else {
            await report.stop()
        }
    }

    /// Copies until the input ends, the output has no reader or a signal has come.
    /// - Returns: The exit code.
    private func copy(_ meter: Meter, _ signals: EndSignals) -> Int32 {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        let output = OutputDescriptor(1)
        var isWithinLine = false
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                ClientProgram.complain("cannot read standard input")
                return 1
            }
            guard count > 0, !signals.hasOne else {
                // The last line may lack its end.
                if isWithinLine, !countsBytes { meter.add(1) }
                return 0
            }
            // proven: read(2) returns at most as many as there is room for.
            let bytes = Array(piece[..<count])
            guard output.writeAll(bytes, isPatient: true) else {
                guard errno == EPIPE else {
                    ClientProgram.complain("cannot write to standard output")
                    return 1
                }
                return Self.brokenPipe
            }
            isWithinLine = bytes.last != UInt8(ascii: "\n")
            meter.add(countsBytes ? count : bytes.count { $0 == UInt8(ascii: "\n") })
        }
    }

    private func post(_ meter: Meter, _ report: ProgressReport, _ pause: WorkPause) async {
        // Each post has the maximum: the one before may have been lost, or the server with all that it had.
        let maximum = total.map { RemoteProgress.Maximum.known($0) } ?? .unknown
        await report.post(0, of: maximum, from: 0, in: .zero)
        var posted = 0
        while await pause.sleep(for: Self.interval) {
            let count = meter.count
            guard count != posted else { continue }
            await report.post(Amount(count), of: maximum, in: Self.interval)
            posted = count
        }
    }
}
