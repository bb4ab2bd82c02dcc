// What a route takes of its sender, before anything is decoded. What a body asks for beyond that is looked at where it is
// decoded.

import Base
import Board
import EventStream
import Wire

/// A right to a route.
enum RouteRight: Sendable {
    case none
    /// Any right at all.
    case some(to: String)
    case admin(to: String)
    /// To be told the figures of the whole server.
    case whole(to: String)
    /// To read some resource of a kind.
    case readAny(ResourceKind)
    /// To read the resource that the path names.
    case read(ResourceKind)
    /// To change the resource that the path names.
    case change(ResourceKind)
    /// To publish the notification that the path names.
    case notify
    /// To publish something.
    case publish
    /// To subscribe to something.
    case subscribe
}

extension Caller {
    /// - Throws: 401 or 403 where a request would be refused whatever its body holds.
    func check(_ match: RouteMatch) throws(Problem) {
        switch match.row.right {
        case .none: break
        case .some(let purpose): guard rights != .none else { throw refusal(purpose) }
        case .admin(let purpose): guard rights.isAdmin else { throw refusal(purpose) }
        case .whole(let purpose): guard seesWhole else { throw refusal(purpose) }
        case .readAny(let kind): try checkRead(kind)
        case .read(let kind): try checkRead(ResourceName(kind, match.value))
        case .change(let kind): try checkChange(of: ResourceName(kind, match.value))
        case .notify: try checkNotification(match.value)
        case .publish: guard !rights.publish.isEmpty else { throw refusal("publish anything") }
        case .subscribe: guard !rights.subscribe.isEmpty else { throw refusal("listen to any of these topics") }
        }
    }
}
