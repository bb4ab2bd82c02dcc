// A topic's kind and a resource's: notifications are topics of no resource.

package import Board
package import EventStream

extension TopicKind {
    package init(_ kind: ResourceKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        }
    }
}

extension ResourceKind {
    package init?(_ kind: TopicKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        case .notification: return nil
        }
    }
}
