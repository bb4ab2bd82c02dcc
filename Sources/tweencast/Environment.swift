// The process' surroundings: its environment, and the signals that end it or have it read files again.

import Glibc

enum Environment {
    /// The environment's variables.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        for flag in Flag.all {
            guard let value = unsafe getenv(flag.variable) else { continue }
            variables[flag.variable] = unsafe String(cString: value)
        }
        return variables
    }
}

/// SIGTERM, SIGINT and SIGHUP, blocked in every thread and waited for in one.
struct ServerSignals {
    private static let ends = [SIGTERM, SIGINT]

    init() {
        var set = Self.set(Self.ends + [SIGHUP])
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that leaves while it is written to is no reason to die.
        _ = signal(SIGPIPE, SIG_IGN)
        // Whoever started the process may have had it ignored (nohup), and then it might not be seen. Blocked, a terminal
        // that is closed ends nothing.
        _ = signal(SIGHUP, SIG_DFL)
    }

    /// Returns when one has come that ends the process.
    /// - Parameter reload: Called, on this thread, each time that files are to be read again.
    func wait(reload: () -> Void) {
        var waited = Self.set(Self.ends + [SIGHUP])
        var signal: Int32 = 0
        repeat {
            if signal == SIGHUP { reload() }
            unsafe sigwait(&waited, &signal)
        } while !Self.ends.contains(signal)
        // A second one ends the process at once, whatever the drain takes.
        var ends = Self.set(Self.ends)
        unsafe pthread_sigmask(SIG_UNBLOCK, &ends, nil)
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}
