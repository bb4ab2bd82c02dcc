// Audit lines: who requested which change, from where, and with what result. They contain no token, ticket or secret, and no
// values: only ids.

import Base
import Board
import Machine
import Tween
import Wire

/// Who sent a request, from where, and when.
struct AuditOrigin: Sendable {
    var caller: Caller
    /// Unix nanoseconds.
    var time: Int64
    /// Nanoseconds of a monotonic clock.
    var uptime: Int64

    /// The maximum bytes of a target; every valid id fits.
    private static let longestTarget = 160

    /// Returns one line.
    /// - Parameters:
    ///   - status: The status of the answer, or of a batch line's answer.
    ///   - isRepeated: Whether the answer was given before, and nothing was done again.
    ///   - line: The number of a batch's line, counted from 1.
    func line(_ action: AuditAction, status: Int, isRepeated: Bool = false, line: Int? = nil) -> [UInt8] {
        var json = JSONWriter(capacity: 192)
        json.object {
            $0.member("time", date: Instant(nanoseconds: time))
            Self.append("who", caller.principal.name, to: &$0)
            Self.append("from", caller.address, to: &$0)
            $0.member("what", action.what)
            if let target = action.target { Self.append("target", target, most: Self.longestTarget, to: &$0) }
            if let line { $0.member("line", line) }
            $0.member("status", status)
            $0.member("outcome", isRepeated ? "repeated" : Self.outcome(status))
            if !caller.request.isEmpty { Self.append("request", caller.request, to: &$0) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Appends a text from a client.
    private static func append(_ name: String, _ text: String, most: Int = .max, to json: inout JSONWriter) {
        json.name(name)
        json.quoted { ShownText.append(text, as: .json, most: most, to: &$0) }
    }

    private static func outcome(_ status: Int) -> String {
        status < 400 ? "done" : status == 401 || status == 403 ? "denied" : "refused"
    }
}

/// The requested action.
struct AuditAction: Hashable, Sendable {
    var what: String
    /// `ticker/a`; nil without a particular resource.
    var target: String?

    init(_ what: String, _ target: String? = nil) {
        self.what = what
        self.target = target
    }

    /// Creates the action of a route; nil if the route changes nothing.
    init?(_ route: Route) {
        switch route {
        case .health, .version, .file, .look, .stream: return nil
        case .change(let change): self.init(change, of: change.name)
        case .batch: self.init("batch")
        case .deadLetter(let id, let operation): self.init(operation, id)
        case .session(let isBegun): self = .session(isBegun)
        case .ticket: self = .ticket
        }
    }

    /// Creates the action of a request by its method and path; nil if it changes nothing. For an unknown path or method the
    /// target is both of them.
    init?(method: String, path: String) {
        do throws(Route.Refusal) {
            self.init(try Route(method: method, path: path))
        } catch {
            guard !["GET", "HEAD", "OPTIONS"].contains(method) else { return nil }
            self.init("request", "\(method) \(path)")
        }
    }

    static let ticket = AuditAction("make ticket")

    static func notify(_ name: String) -> AuditAction { AuditAction("notify", "notification/\(name)") }

    static func session(_ isBegun: Bool) -> AuditAction { AuditAction(isBegun ? "begin session" : "end session") }

    init(_ operation: DeadLetterOperation, _ id: String) {
        self.init(operation == .retry ? "retry webhook" : "discard webhook", id)
    }

    /// - Parameter name: The resource that is changed, even if the path does not name it.
    init(_ change: Route.Change, of name: ResourceName?) {
        let target = name.map { "\($0.kind)/\($0.id)" }
        switch change {
        case .make(let kind): self.init("make \(kind)", target)
        case .update: self.init("update", target)
        case .define: self.init("define", target)
        case .remove: self.init("remove", target)
        case .removeAll: self.init("remove all schedules")
        case .play(_, let verb): self.init(verb.rawValue, target)
        case .setPaused(_, let isPaused): self.init(isPaused ? "pause" : "resume", target)
        case .setAllPaused(let isPaused): self.init("\(isPaused ? "pause" : "resume") all schedules")
        case .notify(let notification): self = .notify(notification)
        }
    }

    /// Creates the action of a batch's line.
    init(_ command: Command) {
        let target = command.target.map { "\($0.kind)/\($0.id)" }
        switch command {
        case .update: self.init("update", target)
        case .define, .schedule: self.init("define", target)
        case .remove: self.init("remove", target)
        case .play(_, let operation): self.init(operation.verb, target)
        case .pauseSchedule: self.init("pause", target)
        case .resumeSchedule: self.init("resume", target)
        case .pauseAllSchedules: self.init("pause all schedules")
        case .resumeAllSchedules: self.init("resume all schedules")
        case .removeAllSchedules: self.init("remove all schedules")
        case .notify(let name, _): self = .notify(name)
        }
    }
}

extension PlaybackOperation {
    fileprivate var verb: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .cancel: "cancel"
        case .finish: "finish"
        case .seekFraction, .seekSeconds: "seek"
        case .rate: "rate"
        }
    }
}
