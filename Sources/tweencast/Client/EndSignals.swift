// Signals that end `tweencast pipe`: it stops its progress first, and then ends as they would have ended it.

import Glibc
import OperatingSystem
import Synchronization

/// The signal that has come, if one has. A thread waits for it, because the main one is busy.
final class EndSignals: Sendable {
    private let number = Atomic<Int32>(0)

    /// Seconds until the process ends, whatever its server does.
    private static let limit = 2

    /// Keeps the signals from this thread, and from those that it begins.
    init() {
        var signals = Self.all()
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    var hasOne: Bool { number.load(ordering: .acquiring) != 0 }

    /// Begins to wait.
    /// - Parameter stop: Called once one has come. What it begins calls `end`, unless another signal or the limit comes first.
    func wait(_ stop: @escaping @Sendable () -> Void) {
        let thread = OwnedThread(name: "signals") {
            var signals = Self.all()
            while !self.hasOne { self.number.store(max(0, unsafe sigwaitinfo(&signals, nil)), ordering: .releasing) }
            stop()
            var limit = timespec(tv_sec: Self.limit, tv_nsec: 0)
            _ = unsafe sigtimedwait(&signals, nil, &limit)
            self.end(or: 0)
        }
        guard !thread.start() else { return }
        var signals = Self.all()
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Ends the process by the signal that has come, or with an exit code.
    func end(or code: Int32) -> Never {
        let number = number.load(ordering: .acquiring)
        guard number != 0 else { _exit(code) }
        _ = signal(number, SIG_DFL)
        var signals = Self.all()
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }

    private static func all() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        // One that is ignored would arrive all the same once it is blocked, and end what nohup keeps.
        for signal in [SIGINT, SIGTERM, SIGHUP] where !ProcessSetup.ignores(signal) {
            unsafe sigaddset(&signals, signal)
        }
        return signals
    }
}
