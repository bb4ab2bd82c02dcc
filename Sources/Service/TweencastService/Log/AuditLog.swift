// The audit trail on its way to a file: lines are queued by whoever answers, and written by a thread of its own.

import Base
import Gateway
import OperatingSystem
import Synchronization

/// Writes audit lines to the end of a file.
package final class AuditLog: AuditTrail {
    /// The most bytes that wait for the file. Beyond it lines are left out and counted: a full disk is no reason to answer
    /// nobody.
    package static let maximumBytes = 8 << 20
    /// Seconds between two lines of the log that say that the file takes nothing.
    private static let complaintInterval: Int64 = 60_000_000_000

    private struct Waiting: Sendable {
        var bytes: [UInt8] = []
        var leftOut: UInt64 = 0
        var isToReopen = false
    }

    private let path: String
    private let waiting = Mutex(Waiting())
    private let calls = Mailbox<Void>(capacity: 1)
    private let thread = Mutex<OwnedThread?>(nil)

    /// - Parameter path: Where the file is, or is made, for its owner alone.
    package init(path: String) { self.path = path }

    /// Why the file can't be written; nil where it can. Nothing is written, or made.
    package var obstacle: String? { OutputDescriptor.canAppend(to: path) ? nil : refusal }

    private var refusal: String { "\(path) can't be written" }

    /// Opens the file and begins to write.
    /// - Returns: Why that can't be; nil when it has begun.
    package func start() -> String? {
        guard let file = OutputDescriptor.appending(to: path) else { return refusal }
        let thread = OwnedThread(name: "audit") { [self] in run(file) }
        guard thread.start() else { return "no thread" }
        self.thread.withLock { $0 = thread }
        return nil
    }

    package func write(_ lines: [UInt8], isRefusal: Bool) {
        // What was done finds room also where somebody asks for much that isn't.
        let most = isRefusal ? Self.maximumBytes / 2 : Self.maximumBytes
        let isFirst = waiting.withLock { waiting in
            guard waiting.bytes.count + lines.count <= most else {
                waiting.leftOut += UInt64(lines.count { $0 == UInt8(ascii: "\n") })
                return false
            }
            defer { waiting.bytes += lines }
            return waiting.bytes.isEmpty
        }
        if isFirst { _ = calls.post(()) }
    }

    package func leaveOut(_ count: Int) { waiting.withLock { $0.leftOut += UInt64(clamping: count) } }

    /// Lines that found no room, or were too many of a kind.
    package var leftOut: UInt64 { waiting.withLock { $0.leftOut } }

    /// Bytes that wait for the file.
    var waitingBytes: Int { waiting.withLock { $0.bytes.count } }

    /// Goes on in a file of the same name: the one before was moved away.
    package func reopen() {
        waiting.withLock { $0.isToReopen = true }
        _ = calls.post(())
    }

    /// Writes what waits, and ends.
    package func stop() {
        calls.close()
        thread.withLock { $0.take() }?.join()
    }

    // MARK: - Its thread

    private func run(_ first: OutputDescriptor) {
        var file = first
        var taken: [Void] = []
        var complained = Int64.min
        var goesOn = true
        var endsWithinLine = false
        while goesOn {
            goesOn = calls.take(into: &taken, until: nil)
            let (bytes, isToReopen) = waiting.withLock { waiting in
                defer { (waiting.bytes, waiting.isToReopen) = ([], false) }
                return (waiting.bytes, waiting.isToReopen)
            }
            if isToReopen { reopen(&file, endsWithinLine: &endsWithinLine) }
            let now = SystemClock.monotonic()
            if !write(bytes, to: file, endsWithinLine: &endsWithinLine),
                now.subtractingSaturated(complained) >= Self.complaintInterval
            {
                complained = now
                Log.write(.service, .error, "can't write to the audit file", ["file": .text(path)])
            }
        }
    }

    private func reopen(_ file: inout OutputDescriptor, endsWithinLine: inout Bool) {
        guard let next = OutputDescriptor.appending(to: path) else {
            Log.write(
                .service, .error, "can't reopen the audit file; the previous one stays in use",
                ["file": .text(path)])
            return
        }
        file = next
        endsWithinLine = false
    }

    /// - Parameter endsWithinLine: Whether what is in the file ends with a piece of a line, which nothing may be added to.
    /// - Returns: false when the file did not take all; what it did not is counted.
    private func write(_ bytes: [UInt8], to file: OutputDescriptor, endsWithinLine: inout Bool) -> Bool {
        let newline = UInt8(ascii: "\n")
        var rest = ArraySlice((endsWithinLine && !bytes.isEmpty ? [newline] : []) + bytes)
        while !rest.isEmpty {
            guard let count = file.write(rest) else {
                let lost = rest.suffix(bytes.count).count { $0 == newline }
                waiting.withLock { $0.leftOut += UInt64(lost) }
                return false
            }
            if count > 0 { endsWithinLine = rest.prefix(count).last != newline }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
