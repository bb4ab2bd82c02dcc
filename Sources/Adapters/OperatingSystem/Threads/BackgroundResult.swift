// The result of work that a thread of its own does while its owner goes on.

import Synchronization

/// Work on another thread, and what came of it. The thread ends before its owner lets this go.
package final class BackgroundResult<Success: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Success, Failure>

    /// What the thread leaves. It doesn't hold its owner, which joins it.
    private final class Box: Sendable {
        let outcome = Mutex<Outcome?>(nil)
    }

    private let box: Box
    private let thread: Mutex<OwnedThread?>

    /// Starts the work, or does it before this returns if no thread can be started.
    /// - Parameters:
    ///   - name: The thread's; at most 15 characters are kept.
    ///   - work: Done once.
    package init(name: String, _ work: @escaping @Sendable () -> Outcome) {
        let box = Box()
        let run = { @Sendable in
            let outcome = work()
            box.outcome.withLock { $0 = outcome }
        }
        let started = OwnedThread(name: name, run)
        self.box = box
        thread = Mutex(started)
        guard !started.start() else { return }
        thread.withLock { $0 = nil }
        run()
    }

    deinit { end() }

    /// Waits for the result.
    package func get() throws(Failure) -> Success {
        end()
        guard let outcome = box.outcome.withLock({ $0 }) else { preconditionFailure("work without a result") }
        return try outcome.get()
    }

    /// Waits until the work has ended, whatever came of it.
    package func end() {
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}
