// The log: one line per entry on standard error, written by its own thread, so that callers never wait for a slow reader.

import Base
import OperatingSystem
import Synchronization

/// Writes what an operator should know.
package final class Log: Sendable {
    /// The program's log.
    package static let standard = Log(descriptor: 2)

    /// The number of bytes that a pipe takes at once when it is ready (PIPE_BUF).
    private static let piece = 4_096
    /// Milliseconds between two checks whether to give up on a descriptor that takes nothing.
    private static let checkInterval: Int32 = 50
    /// Above all levels: nothing is written.
    private static let off = UInt8.max

    private let output: OutputDescriptor
    private let queue = Mutex(LogQueue())
    /// Wakes the thread; `queue` holds the lines to write.
    private let calls = Mailbox<Void>(capacity: 1)
    private let thread = Mutex<OwnedThread?>(nil)
    /// Monotonic nanoseconds after which nothing is written.
    private let end = Atomic<Int64>(.max)
    private let lowest = Atomic<UInt8>(LogLevel.info.rawValue)
    private let ofRequests = Atomic<UInt8>(LogLevel.debug.rawValue)
    private let form = Atomic<UInt8>(LogFormat.text.rawValue)
    private let isToJournal = Atomic(false)
    /// Lines logged, by level, including those that were dropped later.
    let lines = CounterTable<LogLevel>()

    /// - Parameter descriptor: The descriptor to write to; it stays open. The thread starts with the first line.
    init(descriptor: Int32) {
        output = OutputDescriptor(descriptor)
    }

    // MARK: - Settings (any thread)

    /// The lowest level that is written.
    package var level: LogLevel {
        get { LogLevel(rawValue: lowest.load(ordering: .relaxed)) ?? .info }
        set { lowest.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The level of lines about requests; nil writes none.
    package var accessLevel: LogLevel? {
        get { LogLevel(rawValue: ofRequests.load(ordering: .relaxed)) }
        set { ofRequests.store(newValue?.rawValue ?? Self.off, ordering: .relaxed) }
    }

    package var format: LogFormat {
        get { LogFormat(rawValue: form.load(ordering: .relaxed)) ?? .text }
        set { form.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Whether systemd's journal reads the log. It takes the level from the start of a line and adds the time itself.
    package var isForJournal: Bool {
        get { isToJournal.load(ordering: .relaxed) }
        set { isToJournal.store(newValue, ordering: .relaxed) }
    }

    /// The level of lines about requests, if it is logged at all; nil otherwise.
    var levelOfRequests: LogLevel? { accessLevel.flatMap { $0 >= level ? $0 : nil } }

    // MARK: - Lines

    /// Writes a line to the program's log and returns at once.
    /// - Parameters:
    ///   - message: The message; its wording is fixed.
    ///   - fields: The details; they may contain text from clients.
    static func write(
        _ kind: LogKind, _ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        standard.write(kind, level, message, fields.map { ($0.key, $0.value) })
    }

    /// Writes what waits in the program's log, for at most `seconds`. Nothing is written afterwards.
    package static func finish(within seconds: Double) { standard.finish(within: seconds) }

    /// Writes a line and returns at once.
    /// - Parameter isRecord: Whether the line is one of many alike that are all wanted.
    func write(
        _ kind: LogKind, _ level: LogLevel, _ message: String, _ fields: LogMessage.Fields = [], isRecord: Bool = false
    ) {
        guard level >= self.level else { return }
        lines.add(to: level)
        let entry = LogMessage(
            time: SystemClock.wall(), level: level, kind: kind, message: message, fields: fields, isRecord: isRecord)
        guard queue.withLock({ $0.add(entry, at: SystemClock.monotonic()) }) else { return }
        _ = calls.post(())
        thread.withLock { thread in
            guard thread == nil, end.load(ordering: .relaxed) == .max else { return }
            let started = OwnedThread(name: "log") { [self] in run() }
            if started.start() { thread = started }
        }
    }

    /// Lines dropped because the reader was too slow or their message was repeated too often.
    var dropped: UInt64 { queue.withLock { $0.dropped } }

    /// The number of waiting lines, and about how many bytes they take.
    var waiting: (lines: Int, bytes: Int) { queue.withLock { ($0.count, $0.bytes) } }

    /// Writes what waits, for at most `seconds`, and stops.
    func finish(within seconds: Double) {
        end.store(SystemClock.monotonic().addingSaturated(Int64(saturating: seconds * 1e9)), ordering: .releasing)
        calls.close()
        thread.withLock { $0.take() }?.join()
    }

    // MARK: - Writer thread

    private func run() {
        var taken: [Void] = []
        while calls.receive(into: &taken, until: queue.withLock { $0.nextDue }) {
            send(queue.withLock { $0.dequeue(at: SystemClock.monotonic(), SystemClock.wall()) })
        }
        send(queue.withLock { $0.dequeueLast(SystemClock.wall()) })
    }

    private func send(_ entries: [LogMessage]) {
        let format = format
        let isForJournal = isForJournal
        // Write as many lines at a time as a pipe takes.
        var bytes: [UInt8] = []
        for entry in entries {
            let line = LogLine.bytes(of: entry, as: format, forJournal: isForJournal)
            if bytes.count + line.count > Self.piece {
                send(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            bytes += line
        }
        send(bytes)
    }

    private func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, isReady(), let count = output.write(rest.prefix(Self.piece)) {
            rest = rest.dropFirst(count)
        }
        let lost = rest.count { $0 == UInt8(ascii: "\n") }
        if lost > 0 { queue.withLock { $0.drop(lost) } }
    }

    /// Waits until the descriptor is ready.
    /// - Returns: false if the deadline has passed.
    private func isReady() -> Bool {
        while SystemClock.monotonic() < end.load(ordering: .acquiring) {
            if output.isReady(within: Self.checkInterval) { return true }
        }
        return false
    }
}
