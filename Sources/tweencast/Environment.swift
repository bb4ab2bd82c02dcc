// The process' environment variables, and the signals that stop it, reload its files or hand over to a successor.

import Glibc

enum Environment {
    /// The settings in the environment.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        for flag in Flag.all {
            guard let value = unsafe getenv(flag.variable) else { continue }
            variables[flag.variable] = unsafe String(cString: value)
        }
        if serviceLink != nil { variables[servicePort] = nil }
        return variables
    }

    /// Kubernetes sets this variable to the address of a service named `tweencast`; here it is a port.
    private static let servicePort = "TWEENCAST_PORT"

    /// Its value, if Kubernetes set it and not an operator: `tcp://10.96.0.7:8080`.
    private static var serviceLink: String? {
        guard let value = unsafe getenv(servicePort) else { return nil }
        let text = unsafe String(cString: value)
        return ["tcp://", "udp://", "sctp://"].contains(where: text.hasPrefix) ? text : nil
    }

    /// Variables that look like settings but aren't used, with the reason.
    static var unused: [(name: String, reason: String)] {
        let names = unknown
        guard let link = serviceLink else { return names.map { ($0, "names no setting") } }
        // The other variables of that service need no mention.
        return [(servicePort, "\(link) is what Kubernetes tells of a service; set the port with --port")]
            + names.filter { !isOfService($0) }.map { ($0, "names no setting") }
    }

    /// Returns whether a variable is one of Kubernetes' for a service: `TWEENCAST_SERVICE_HOST`,
    /// `TWEENCAST_PORT_8080_TCP_ADDR`.
    private static func isOfService(_ name: String) -> Bool {
        let words = name.split(separator: "_").dropFirst()
        switch words.first {
        case "SERVICE": return ["HOST", "PORT"].contains(words.dropFirst().first)
        case "PORT": return words.count > 2 && Int(words.dropFirst().first ?? "") != nil
        default: return false
        }
    }

    /// Device and inode of systemd's journal, if standard error of this program, or of one that started it, is connected to
    /// it.
    static var journal: String? { unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) } }

    /// The folder in which the C library and other programs look for time zones.
    static var zoneFolder: String? {
        let folder = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
        return folder?.isEmpty == true ? nil : folder
    }

    /// Variables of the example clients, which often run beside a server.
    private static let ofClients: Set = ["TWEENCAST_KEY", "TWEENCAST_TOKEN", "TWEENCAST_URL"]

    /// Variables that look like settings and aren't.
    private static var unknown: [String] {
        let known = ofClients.union(Flag.all.map(\.variable))
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

/// SIGTERM, SIGINT, SIGHUP and SIGUSR2, blocked in all threads and awaited in one.
struct ServerSignals {
    /// Why a server ends.
    enum End {
        case asked
        /// A successor serves on its socket.
        case succeeded
    }

    private static let ends = [SIGTERM, SIGINT]
    private static let waited = ends + [SIGHUP, SIGUSR2]

    init() {
        var set = Self.set(Self.waited)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        // Writing to a client that has left must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        // The parent may have made the process ignore it (nohup), and ignored signals may not arrive. Since it is blocked,
        // closing a terminal ends nothing.
        _ = signal(SIGHUP, SIG_DFL)
    }

    /// Whether a pending signal ends the process.
    var areEnding: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return Self.ends.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Returns when a signal ends the process. Calls all closures on this thread.
    /// - Parameters:
    ///   - retry: Called every second until it returns true.
    ///   - reload: Called on each request to reload files.
    ///   - handOver: Called on each request to hand over; returns whether a successor serves.
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
            // The second is over, or the wait was interrupted.
            default: if !isComplete { isComplete = retry() }
            }
        }
        // After a hand-over, a signal to both processes is meant for the successor: this one is ending already.
        guard end != .succeeded else { return .succeeded }
        // A second signal ends the process at once, without draining.
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
