// The process' surroundings: its environment, and the signals that end it.

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

/// SIGTERM and SIGINT, blocked in every thread and waited for in one.
struct TerminationSignals {
    init() {
        var set = Self.set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that leaves while it is written to is no reason to die, nor is a terminal that is closed.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGHUP, SIG_IGN)
    }

    /// Returns when one of them has come.
    func wait() {
        var set = Self.set
        var signal: Int32 = 0
        unsafe sigwait(&set, &signal)
        // A second one ends the process at once, whatever the drain takes.
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        return set
    }
}
