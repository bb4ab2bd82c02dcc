// Writes answers to the audit trail, with a limit so that repeated rejections can't fill it.

import Base
import Synchronization

/// Receives lines, each a JSON object with a line feed.
package protocol AuditTrail: Sendable {
    /// Writes lines; returns at once.
    /// - Parameter isRefusal: Whether nothing was done; such lines leave room for those of real changes.
    func write(_ lines: [UInt8], isRefusal: Bool)
    /// Counts lines that are not written.
    func drop(_ count: Int)
}

/// Writes changes to the audit trail, and a limited number of rejections.
package final class AuditLogger: Sendable {
    /// The maximum rejections a second for one address without a token: rejected requests cost their sender nothing.
    package static let refusalRate = 20

    private let trail: any AuditTrail
    private let refusals = Mutex(RateTable(rate: refusalRate))

    package init(_ trail: any AuditTrail) { self.trail = trail }

    /// Writes the result of a request.
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - isRepeated: Whether the answer was given before.
    func record(_ action: AuditAction, by origin: AuditOrigin, status: Int, isRepeated: Bool = false) {
        let isRefusal = status >= 400
        if isRefusal, !origin.caller.principal.isKnown,
            refusals.withLock({ $0.consume(1, of: origin.caller.owner, at: origin.uptime) }) != nil
        {
            return trail.drop(1)
        }
        trail.write(origin.line(action, status: status, isRepeated: isRepeated), isRefusal: isRefusal)
    }

    /// Writes the results of a batch's lines.
    func write(_ lines: [UInt8]) { trail.write(lines, isRefusal: false) }
}
