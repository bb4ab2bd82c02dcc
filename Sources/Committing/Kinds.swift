// A record's kind and a resource's: what else is kept beside resources is none of them.

import Board
import Storage

extension RecordKind {
    init(_ kind: ResourceKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        }
    }
}

extension ResourceKind {
    init?(_ kind: RecordKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        case .setting, .delivery: return nil
        }
    }
}
