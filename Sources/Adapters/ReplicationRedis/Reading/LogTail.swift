// The thread that reads the log.

import OperatingSystem
import Synchronization

/// Takes the turns of a reader.
final class LogTail: Sendable {
    let reader: LogReader
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ parts: RedisLog.Parts) { reader = LogReader(parts) }

    /// Starts to read after this entry.
    func start(behind sequence: UInt64) -> Bool {
        reader.begin(behind: sequence)
        let thread = OwnedThread(name: "log-reader") { [self] in run() }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    func stop() {
        reader.stop()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        while !reader.isStopped {
            let pause = reader.turn()
            if pause > 0 { SystemClock.sleep(nanoseconds: pause) }
        }
        reader.close()
    }
}
