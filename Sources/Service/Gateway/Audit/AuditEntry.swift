// What is told of a change: who asked for what, from where, and what came of it. No token, ticket or secret is among it, and
// nothing of what was written: ids alone.

import Base
import Board
import Machine
import Tween
import Wire

/// Who asked, from where, and when.
struct AuditOrigin: Sendable {
    var caller: Caller
    /// Unix nanoseconds.
    var time: Int64
    /// Nanoseconds of a clock that nobody sets.
    var uptime: Int64

    /// Bytes of a target that are told: of any id that there may be, all.
    private static let longestTarget = 160

    /// One line.
    /// - Parameters:
    ///   - status: That of the answer, or of the line of a batch.
    ///   - isRepeated: The answer is one that was given before, and nothing was done again.
    ///   - line: Of a batch, counted from 1.
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

    /// A text that others have made.
    private static func append(_ name: String, _ text: String, most: Int = .max, to json: inout JSONWriter) {
        json.name(name)
        json.quoted { ShownText.append(text, as: .json, most: most, to: &$0) }
    }

    private static func outcome(_ status: Int) -> String {
        status < 400 ? "done" : status == 401 || status == 403 ? "denied" : "refused"
    }
}

/// What was asked for.
struct AuditAction: Hashable, Sendable {
    var what: String
    /// `ticker/a`; nil where it is none in particular.
    var target: String?

    init(_ what: String, _ target: String? = nil) {
        self.what = what
        self.target = target
    }

    /// That of a route; nil for one that changes nothing.
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

    /// That of a request by its first line; nil for one that changes nothing. Of what no path is, or a path doesn't take, the
    /// line itself is told.
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

    /// - Parameter name: The resource that is changed, also where its path doesn't name it.
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

    /// That of a batch's line.
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
