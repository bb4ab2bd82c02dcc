// The audit log: any thread queues lines, and the log's own thread writes them to a file.

import Base
import Gateway
import OperatingSystem
import Synchronization

/// Writes audit lines to the end of a file.
package final class AuditLog: AuditTrail {
    /// The most bytes that wait for the file. Beyond it, lines are dropped and counted: a full disk should not stop the
    /// service.
    package static let maximumBytes = 8 << 20
    /// The least nanoseconds between two log lines about a file that can't be written.
    private static let complaintInterval: Int64 = 60_000_000_000

    private struct Waiting: Sendable {
        var bytes: [UInt8] = []
        var dropped: UInt64 = 0
        var isToReopen = false
    }

    private let path: String
    private let waiting = Mutex(Waiting())
    private let wakeUps = Mailbox<Void>(capacity: 1)
    private let thread = Mutex<OwnedThread?>(nil)

    /// - Parameter path: The file's path. If missing, the file is created, readable by its owner only.
    package init(path: String) { self.path = path }

    /// Why the file can't be written; nil if it can. Checking neither writes nor creates the file.
    package var obstacle: String? { OutputDescriptor.canAppend(to: path) ? nil : writeError }

    private var writeError: String { "\(path) can't be written" }

    /// Opens the file and starts writing.
    /// - Returns: Why it can't start; nil if it has started.
    package func start() -> String? {
        guard let file = OutputDescriptor.appending(to: path) else { return writeError }
        let thread = OwnedThread(name: "audit") { [self] in run(file) }
        guard thread.start() else { return "the audit thread can't start" }
        self.thread.withLock { $0 = thread }
        return nil
    }

    package func write(_ lines: [UInt8], isRefusal: Bool) {
        // Refusals use at most half the space, so that a flood of them doesn't displace the record of what was done.
        let most = isRefusal ? Self.maximumBytes / 2 : Self.maximumBytes
        let isFirst = waiting.withLock { waiting in
            guard waiting.bytes.count + lines.count <= most else {
                waiting.dropped += UInt64(lines.count { $0 == UInt8(ascii: "\n") })
                return false
            }
            defer { waiting.bytes += lines }
            return waiting.bytes.isEmpty
        }
        if isFirst { _ = wakeUps.post(()) }
    }

    package func drop(_ count: Int) { waiting.withLock { $0.dropped += UInt64(clamping: count) } }

    /// Lines not written: there was no room, there were too many of a kind, or a write failed.
    package var dropped: UInt64 { waiting.withLock { $0.dropped } }

    /// Bytes that wait for the file.
    var waitingBytes: Int { waiting.withLock { $0.bytes.count } }

    /// Reopens the file by its path, after log rotation.
    package func reopen() {
        waiting.withLock { $0.isToReopen = true }
        _ = wakeUps.post(())
    }

    /// Writes what waits and stops.
    package func stop() {
        wakeUps.close()
        thread.withLock { $0.take() }?.join()
    }

    // MARK: - Writer thread

    private func run(_ first: OutputDescriptor) {
        var file = first
        var taken: [Void] = []
        var complained = Int64.min
        var goesOn = true
        // A crash or a full disk may have cut the last line.
        var endsWithinLine = OutputDescriptor.endsWithinLine(path)
        while goesOn {
            goesOn = wakeUps.receive(into: &taken, until: nil)
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
        endsWithinLine = OutputDescriptor.endsWithinLine(path)
    }

    /// - Parameter endsWithinLine: Whether the file ends with an incomplete line, which must be terminated first.
    /// - Returns: false if the file did not take everything; the lost lines are counted.
    private func write(_ bytes: [UInt8], to file: OutputDescriptor, endsWithinLine: inout Bool) -> Bool {
        let newline = UInt8(ascii: "\n")
        var rest = ArraySlice((endsWithinLine && !bytes.isEmpty ? [newline] : []) + bytes)
        while !rest.isEmpty {
            guard let count = file.write(rest) else {
                let lost = rest.suffix(bytes.count).count { $0 == newline }
                waiting.withLock { $0.dropped += UInt64(lost) }
                return false
            }
            if count > 0 { endsWithinLine = rest.prefix(count).last != newline }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
