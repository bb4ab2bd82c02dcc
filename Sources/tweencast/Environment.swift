// The process' surroundings: its environment, and the signals that end it, have it read files again or make room for
// another.

import Glibc

enum Environment {
    /// The environment's settings.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        for flag in Flag.all {
            guard let value = unsafe getenv(flag.variable) else { continue }
            variables[flag.variable] = unsafe String(cString: value)
        }
        if serviceLink != nil { variables[servicePort] = nil }
        return variables
    }

    /// The variable by which Kubernetes tells containers where a service named `tweencast` is, and which is a port's here.
    private static let servicePort = "TWEENCAST_PORT"

    /// What it says, where it is of Kubernetes and not of an operator: `tcp://10.96.0.7:8080`.
    private static var serviceLink: String? {
        guard let value = unsafe getenv(servicePort) else { return nil }
        let text = unsafe String(cString: value)
        return ["tcp://", "udp://", "sctp://"].contains(where: text.hasPrefix) ? text : nil
    }

    /// Variables that look like settings and are not used, with the reason.
    static var unused: [(name: String, reason: String)] {
        let names = unknown
        guard let link = serviceLink else { return names.map { ($0, "names no setting") } }
        // The others that come with it go without saying.
        return [(servicePort, "\(link) is what Kubernetes tells of a service; set the port with --port")]
            + names.filter { !isOfService($0) }.map { ($0, "names no setting") }
    }

    /// Whether Kubernetes tells a service's ports by a variable: `TWEENCAST_SERVICE_HOST`, `TWEENCAST_PORT_8080_TCP_ADDR`.
    private static func isOfService(_ name: String) -> Bool {
        let words = name.split(separator: "_").dropFirst()
        switch words.first {
        case "SERVICE": return ["HOST", "PORT"].contains(words.dropFirst().first)
        case "PORT": return words.count > 2 && Int(words.dropFirst().first ?? "") != nil
        default: return false
        }
    }

    /// Device and inode of systemd's journal, which has given this program, or one that started it, its standard error.
    static var journal: String? { unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) } }

    /// Where the C library, and other programs, look for time zones.
    static var zoneFolder: String? {
        let folder = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
        return folder?.isEmpty == true ? nil : folder
    }

    /// Names of variables that look like settings, and are none.
    private static var unknown: [String] {
        let known = Set(Flag.all.map(\.variable))
        var names: [String] = []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            let name = String(unsafe String(cString: entry).prefix { $0 != "=" })
            if name.hasPrefix(Flag.variablePrefix), !known.contains(name) { names.append(name) }
            unsafe place += 1
        }
        return names.sorted()
    }
}

/// SIGTERM, SIGINT, SIGHUP and SIGUSR2, blocked in every thread and waited for in one.
struct ServerSignals {
    /// Why a server ends.
    enum End {
        case asked
        /// Another process goes on on its socket.
        case succeeded
    }

    private static let ends = [SIGTERM, SIGINT]
    private static let waited = ends + [SIGHUP, SIGUSR2]

    init() {
        var set = Self.set(Self.waited)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that leaves while it is written to is no reason to die.
        _ = signal(SIGPIPE, SIG_IGN)
        // Whoever started the process may have had it ignored (nohup), and then it might not be seen. Blocked, a terminal
        // that is closed ends nothing.
        _ = signal(SIGHUP, SIG_DFL)
    }

    /// Whether one waits that ends the process.
    var areEnding: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return Self.ends.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Returns when one has come that ends the process. All closures are called on this thread.
    /// - Parameters:
    ///   - retry: Called each second until it says that all is there.
    ///   - reload: Called each time that files are to be read again.
    ///   - handOver: Called when another process is to go on; tells whether one does.
    func wait(retry: () -> Bool, reload: () -> Void, handOver: () -> Bool) -> End {
        var waited = Self.set(Self.waited)
        var isComplete = retry()
        var end: End?
        while end == nil {
            var second = timespec(tv_sec: 1, tv_nsec: 0)
            let signal = unsafe isComplete ? sigwaitinfo(&waited, nil) : sigtimedwait(&waited, nil, &second)
            switch signal {
            case SIGHUP: reload()
            case SIGUSR2: end = handOver() ? .succeeded : nil
            case SIGTERM, SIGINT: end = .asked
            // Nothing came in time, or the wait was interrupted.
            default: if !isComplete { isComplete = retry() }
            }
        }
        // Where another process goes on, a signal for both is for that one: this one leaves already.
        guard end != .succeeded else { return .succeeded }
        // A second one ends the process at once, whatever the drain takes.
        var ends = Self.set(Self.ends)
        unsafe pthread_sigmask(SIG_UNBLOCK, &ends, nil)
        return end ?? .asked
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}
