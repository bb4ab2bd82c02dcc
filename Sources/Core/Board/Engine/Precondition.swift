// The revisions that a client requires before a change or a response (RFC 9110, 13.1.1 and 13.1.2).

/// Revisions that a resource must have, and must not have.
package struct Precondition: Hashable, Sendable {
    /// Revisions in a header.
    package enum Revisions: Hashable, Sendable {
        /// `*`: any existing resource.
        case any
        case these([UInt64])

        fileprivate func contains(_ revision: UInt64) -> Bool {
            switch self {
            case .any: true
            case .these(let revisions): revisions.contains(revision)
            }
        }
    }

    /// Which header doesn't hold.
    package enum Failure: Error, Hashable, Sendable {
        case match, noneMatch
    }

    /// `If-Match`: the resource must exist with one of these.
    package var match: Revisions?
    /// `If-None-Match`: the resource must not exist with one of these.
    package var noneMatch: Revisions?

    package init(match: Revisions? = nil, noneMatch: Revisions? = nil) {
        self.match = match
        self.noneMatch = noneMatch
    }

    /// Requires that the resource doesn't exist.
    package static let absent = Precondition(noneMatch: .any)
    /// Requires the revision that the client saw.
    package static func revision(_ revision: UInt64) -> Precondition { Precondition(match: .these([revision])) }

    /// Stands for something that exists without a revision; no resource has it.
    package static let untagged: UInt64 = 0

    /// Returns which header doesn't hold; nil if all hold.
    /// - Parameter revision: The resource's; nil if it doesn't exist.
    package func failure(at revision: UInt64?) -> Failure? {
        if let match, !(revision.map { match.contains($0) } ?? false) { return .match }
        if let noneMatch, revision.map({ noneMatch.contains($0) }) ?? false { return .noneMatch }
        return nil
    }
}
