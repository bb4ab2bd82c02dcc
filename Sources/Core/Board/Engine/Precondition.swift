// What a client expects of a resource before that is changed or shown (RFC 9110, 13.1.1 and 13.1.2).

/// Revisions that a resource must have, and must not have.
package struct Precondition: Hashable, Sendable {
    /// Revisions that a header names.
    package enum Revisions: Hashable, Sendable {
        /// `*`: that of whatever is there.
        case any
        case these([UInt64])

        fileprivate func contains(_ revision: UInt64) -> Bool {
            switch self {
            case .any: true
            case .these(let revisions): revisions.contains(revision)
            }
        }
    }

    /// Which of the two isn't so.
    package enum Failure: Error, Hashable, Sendable {
        case match, noneMatch
    }

    /// `If-Match`: it must be there, at one of these.
    package var match: Revisions?
    /// `If-None-Match`: it must not be there at one of these.
    package var noneMatch: Revisions?

    package init(match: Revisions? = nil, noneMatch: Revisions? = nil) {
        self.match = match
        self.noneMatch = noneMatch
    }

    /// There is to be none yet.
    package static let absent = Precondition(noneMatch: .any)
    /// It is to be as it was seen.
    package static func revision(_ revision: UInt64) -> Precondition { Precondition(match: .these([revision])) }

    /// The revision of what is there and has none; no resource has it.
    package static let untagged: UInt64 = 0

    /// Why it doesn't hold; nil where it does.
    /// - Parameter revision: The resource's; nil where there is no such resource.
    package func failure(at revision: UInt64?) -> Failure? {
        if let match, !(revision.map { match.contains($0) } ?? false) { return .match }
        if let noneMatch, revision.map({ noneMatch.contains($0) }) ?? false { return .noneMatch }
        return nil
    }
}
