// A thread with an owner that joins it. Threads are only created here.

import CLinux
import Glibc

/// A named POSIX thread. Its owner must join it before letting it go.
package final class OwnedThread: @unchecked Sendable {
    // @unchecked because: only `start` and `join` write `handle`, and the owner calls them in order.
    private var handle: pthread_t?
    private let name: String
    private let body: @Sendable () -> Void

    /// - Parameters:
    ///   - name: At most 15 characters are kept.
    ///   - body: Runs once, on the thread.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    deinit { assert(handle == nil, "thread \(name) was not joined") }

    /// Starts the thread.
    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        var started = pthread_t()
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&started, nil, runOwnedThread, owner) == 0 else {
            unsafe Unmanaged<OwnedThread>.fromOpaque(owner).release()
            return false
        }
        handle = started
        return true
    }

    /// Waits until the thread has ended.
    package func join() {
        guard let running = handle else { return }
        pthread_join(running, nil)
        handle = nil
    }

    /// Makes this thread's timers precise to the nanosecond instead of 50 µs late, at the price of more wake-ups.
    package static func sharpenTimers() { tweencast_set_timer_slack(1) }

    fileprivate func run() {
        unsafe tweencast_name_thread(name)
        body()
    }
}

/// Consumes the reference that `start` retained.
private func runOwnedThread(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let owner = unsafe owner else { return nil }
    unsafe Unmanaged<OwnedThread>.fromOpaque(owner).takeRetainedValue().run()
    return nil
}
