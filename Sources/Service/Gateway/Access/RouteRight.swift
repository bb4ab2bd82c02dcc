// The right that a route requires before anything is decoded. Decoders check what a body requires beyond that.

import Base
import Board
import EventStream
import Wire

/// A right to a route.
enum RouteRight: Sendable {
    case none
    /// Any right.
    case some(to: String)
    case admin(to: String)
    /// To read totals of the whole server.
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
    /// To publish something, or to add to something.
    case publishOrAdd
    /// To subscribe to something.
    case subscribe
}

extension Caller {
    /// - Throws: 401 or 403 for a request that would be rejected whatever its body contains.
    func check(_ match: RouteMatch) throws(Problem) {
        switch match.row.right {
        case .none: break
        case .some(let purpose): guard rights != .none else { throw refusal(purpose) }
        case .admin(let purpose): guard rights.isAdmin else { throw refusal(purpose) }
        case .whole(let purpose): guard seesWhole else { throw refusal(purpose) }
        case .readAny(let kind): try checkRead(kind)
        case .read(let kind): try checkRead(ResourceName(kind, match.value))
        case .change(let kind):
            let name = ResourceName(kind, match.value)
            // Whether an update only adds is known when it is decoded.
            if case .change(.update) = match.route, rights.mostAdded(to: TopicName(name)) != nil { return }
            try checkChange(of: name)
        case .notify: try checkNotification(match.value)
        case .publish: guard !rights.publish.isEmpty else { throw refusal("publish anything") }
        case .publishOrAdd:
            guard !rights.publish.isEmpty || !rights.add.isEmpty else { throw refusal("publish anything") }
        case .subscribe: guard !rights.subscribe.isEmpty else { throw refusal("listen to any of these topics") }
        }
    }
}
