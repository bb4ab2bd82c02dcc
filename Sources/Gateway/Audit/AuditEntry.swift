// What is told of a change: who asked for what, from where, and what came of it. No token, ticket or secret is among it, and
// nothing of what was written: ids alone.

import Access
import Board
import Machine
import Primitives
import Tween
import Wire

/// Takes lines, each a JSON object with a line feed.
package protocol AuditTrail: Sendable {
    /// Takes lines; returns at once.
    func write(_ lines: [UInt8])
}

/// Who asked, from where, and when.
struct AuditOrigin: Sendable {
    var caller: Caller
    /// Unix nanoseconds.
    var time: Int64

    /// One line.
    /// - Parameters:
    ///   - status: That of the answer, or of the line of a batch.
    ///   - line: Of a batch, counted from 1.
    func line(_ deed: AuditDeed, status: Int, line: Int? = nil) -> [UInt8] {
        var json = JSONWriter(capacity: 192)
        json.object {
            $0.member("time", Timestamp.text(Instant(nanoseconds: time)))
            $0.member("who", caller.principal.name)
            $0.member("from", caller.address)
            $0.member("what", deed.what)
            if let target = deed.target { $0.member("target", target) }
            if let line { $0.member("line", line) }
            $0.member("status", status)
            $0.member("outcome", status < 400 ? "done" : status == 401 || status == 403 ? "denied" : "refused")
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

/// What was asked for.
struct AuditDeed: Hashable, Sendable {
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
        case .health, .file, .look, .stream: return nil
        case .change(let change): self.init(change)
        case .batch: self.init("batch")
        case .deadLetter(let id, .retry): self.init("retry webhook", id)
        case .deadLetter(let id, .discard): self.init("discard webhook", id)
        case .session(let isBegun): self.init(isBegun ? "begin session" : "end session")
        case .ticket: self.init("make ticket")
        }
    }

    private init(_ change: Route.Change) {
        let target = change.name.map { "\($0.kind)/\($0.id)" }
        switch change {
        case .make(let kind): self.init("make \(kind)")
        case .update: self.init("update", target)
        case .define: self.init("define", target)
        case .remove: self.init("remove", target)
        case .removeAll: self.init("remove all schedules")
        case .play(_, let verb): self.init(verb.rawValue, target)
        case .setPaused(_, let isPaused): self.init(isPaused ? "pause" : "resume", target)
        case .setAllPaused(let isPaused): self.init("\(isPaused ? "pause" : "resume") all schedules")
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
