// The log: one line an entry, on standard error, written by a thread of its own: whoever has something to say never
// waits for those who should read it.

import Board
import Conversions
import Machine
import Synchronization
import Threads
import Wire

/// Writes what an operator should know.
package final class Log: Sendable {
    /// The program's.
    static let standard = Log(descriptor: 2)

    /// Bytes that a pipe takes at once when it says that it takes any (PIPE_BUF).
    private static let piece = 4_096
    /// Milliseconds between two looks at whether a descriptor that takes nothing is to be given up.
    private static let patience: Int32 = 50

    private let output: OutputDescriptor
    private let queue = Mutex(LogQueue())
    /// Wakes the thread; what is to be written is in `queue`.
    private let calls = Mailbox<Void>(capacity: 1)
    private let thread = Mutex<OwnedThread?>(nil)
    /// Monotonic nanoseconds after which nothing is written any more.
    private let end = Atomic<Int64>(.max)

    /// - Parameter descriptor: Left open. Its thread starts with the first line.
    init(descriptor: Int32) {
        output = OutputDescriptor(descriptor)
    }

    /// Writes a line to the program's log.
    /// - Parameter text: What clients wrote may be in it: characters that could do more than be read are escaped.
    static func write(_ kind: LogKind, _ text: String) { standard.write(kind, text) }

    /// Tells what a turn left to be told.
    static func write(_ notes: [Outcome.Note]) {
        for note in notes {
            switch note {
            case .actionRefused(let name, let error):
                write(.action, "\(name.kind) \(name.id): an action was refused: \(Problem(error).detail)")
            case .webhookGivenUp(let delivery):
                write(
                    .webhook,
                    "webhook \(delivery.id) of \(delivery.by.kind) \(delivery.by.id) was given up: \(delivery.failure ?? "")"
                )
            }
        }
    }

    /// Gives what waits in the program's log a last time to go out. Nothing is written afterwards.
    package static func finish(within seconds: Double) { standard.finish(within: seconds) }

    /// Writes a line; returns at once.
    func write(_ kind: LogKind, _ text: String) {
        guard queue.withLock({ $0.add(kind, text, at: SystemClock.monotonic()) }) else { return }
        _ = calls.post(())
        thread.withLock { thread in
            guard thread == nil, end.load(ordering: .relaxed) == .max else { return }
            let started = OwnedThread(name: "log") { [self] in run() }
            if started.start() { thread = started }
        }
    }

    /// Lines that were left out: nobody took them, or there were too many of their kind.
    var leftOut: UInt64 { queue.withLock { $0.leftOut } }

    /// Gives what waits a last time to go out, and ends.
    func finish(within seconds: Double) {
        end.store(SystemClock.monotonic().addingSaturated(Int64(saturating: seconds * 1e9)), ordering: .releasing)
        calls.close()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        var taken: [Void] = []
        while calls.take(into: &taken, until: queue.withLock { $0.nextDue }) {
            send(queue.withLock { $0.take(at: SystemClock.monotonic()) })
        }
        send(queue.withLock { $0.takeLast() })
    }

    private func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count, isReady() {
            guard let count = output.write(bytes.dropFirst(start).prefix(Self.piece)) else { return }
            start += count
        }
    }

    /// Waits until the descriptor takes something.
    /// - Returns: false when it is too late for that.
    private func isReady() -> Bool {
        while SystemClock.monotonic() < end.load(ordering: .acquiring) {
            if output.isReady(within: Self.patience) { return true }
        }
        return false
    }
}
