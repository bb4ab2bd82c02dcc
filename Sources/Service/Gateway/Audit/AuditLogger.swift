// Between answers and the audit trail: whoever is refused again and again can't fill it.

import Base
import Synchronization

/// Takes lines, each a JSON object with a line feed.
package protocol AuditTrail: Sendable {
    /// Takes lines; returns at once.
    /// - Parameter isRefusal: They tell of nothing that was done, and so leave room for those that do.
    func write(_ lines: [UInt8], isRefusal: Bool)
    /// Counts lines that are not written.
    func leaveOut(_ count: Int)
}

/// Has the trail told of changes, and of refusals as many as it is good to know of.
package final class AuditLogger: Sendable {
    /// Refusals a second, of one address without a token, that are told of: what nobody was let do costs nothing to ask for.
    package static let refusalRate = 20

    private let trail: any AuditTrail
    private let refusals = Mutex(RateTable(rate: refusalRate))

    package init(_ trail: any AuditTrail) { self.trail = trail }

    /// Tells what became of a request.
    /// - Parameters:
    ///   - status: That of the answer.
    ///   - isRepeated: The answer is one that was given before.
    func tell(_ action: AuditAction, by origin: AuditOrigin, status: Int, isRepeated: Bool = false) {
        let isRefusal = status >= 400
        if isRefusal, !origin.caller.principal.isKnown,
            refusals.withLock({ $0.take(1, of: origin.caller.owner, at: origin.uptime) }) != nil
        {
            return trail.leaveOut(1)
        }
        trail.write(origin.line(action, status: status, isRepeated: isRepeated), isRefusal: isRefusal)
    }

    /// Tells what became of a batch's lines.
    func tell(_ lines: [UInt8]) { trail.write(lines, isRefusal: false) }
}
