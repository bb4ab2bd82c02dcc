// The thread that appends. Each round trip sends all entries that waited for it.

import OperatingSystem
import Replication
import Synchronization

/// Takes the turns of an appender.
final class LogWriter: Sendable {
    /// The most waiting messages; the node bounds their size.
    private static let capacity = 100_000

    let appender: LogAppender
    private let inbox = Mailbox<LogAppender.Message>(capacity: LogWriter.capacity)
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ parts: RedisLog.Parts) { appender = LogAppender(parts) }

    func post(_ message: LogAppender.Message) -> Bool { inbox.post(message) }

    /// Starts with a session that has begun.
    func start(_ session: LogSession) -> Bool {
        appender.begin(session)
        let thread = OwnedThread(name: "log-writer") { [self] in run() }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Leaves the board and ends the thread.
    func stop() {
        inbox.close()
        thread.withLock { $0.take() }?.join()
        appender.stopSnapshots()
    }

    private func run() {
        var messages: [LogAppender.Message] = []
        while inbox.receive(into: &messages, until: appender.nextTurn) { appender.turn(messages) }
        appender.leave()
    }
}
