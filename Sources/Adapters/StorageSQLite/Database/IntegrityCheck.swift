// Checks a whole file for damage while others read it. With 100,000 records, that takes as long as reading half of them.

import OperatingSystem
import Storage
import Synchronization

/// A check of a database, with its own thread and connection.
final class IntegrityCheck: Sendable {
    private let thread: OwnedThread?
    private let finding: Finding

    private final class Finding: Sendable {
        let error = Mutex<StoreError?>(nil)
    }

    /// Starts the check.
    /// - Parameter isDone: There is nothing to check.
    init(path: String, isDone: Bool) {
        let finding = Finding()
        self.finding = finding
        let thread = OwnedThread(name: "check") { Self.look(at: path, finding) }
        guard !isDone else {
            self.thread = nil
            return
        }
        if thread.start() {
            self.thread = thread
        } else {
            self.thread = nil
            Self.look(at: path, finding)
        }
    }

    private static func look(at path: String, _ finding: Finding) {
        do throws(StoreError) {
            try SQLiteConnection(path: path).check()
        } catch {
            finding.error.withLock { $0 = error }
        }
    }

    /// Waits until it has ended.
    /// - Throws: What it found; `corrupt` for damage.
    func wait() throws(StoreError) {
        end()
        if let error = finding.error.withLock({ $0 }) { throw error }
    }

    /// Waits until it has ended, whatever it finds.
    func end() { thread?.join() }
}
