// Looks for damage in a whole file beside whoever reads it: with a hundred thousand records it takes as long as reading
// half of them does.

import OperatingSystem
import Storage
import Synchronization

/// A check of a database on a thread and a connection of its own.
final class IntegrityCheck: Sendable {
    private let thread: OwnedThread?
    private let finding: Finding

    private final class Finding: Sendable {
        let error = Mutex<StoreError?>(nil)
    }

    /// Begins.
    /// - Parameter isDone: There is nothing left to look at.
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

    /// Waits for its end.
    /// - Throws: What it found, `corrupt` for damage.
    func wait() throws(StoreError) {
        end()
        if let error = finding.error.withLock({ $0 }) { throw error }
    }

    /// Waits for its end, whatever it finds.
    func end() { thread?.join() }
}
