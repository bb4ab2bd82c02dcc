// Which query parameters each route takes: one that is misspelt would be served as if it weren't there.

import Base
import Board
import Wire

extension Route {
    /// The query's parameters; nil where whoever reads them looks at each, and for files, whose pages have their own.
    var parameters: Set<String>? {
        switch self {
        case .file, .stream(.resource), .stream(.topics), .change(.make(.ticker)), .change(.make(.progress)): nil
        case .look(let look): look.parameters
        case .change(.make(.schedule)): ["preview"]
        case .change(.define(let name)) where name.kind == .schedule: ["preview"]
        case .stream(.topicsByBody), .stream(.change): [Application.ticketParameter]
        // A reader that comes back tells where it was, though each test is a new one.
        case .stream(.selfTest):
            Set([StreamOption.lastEventID, .lastEventIDOfPolyfills].map(\.rawValue) + [Application.ticketParameter])
        case .batch: ["stagger"]
        case .health, .version, .change, .deadLetter, .session, .ticket: []
        }
    }
}

extension Route.Look {
    fileprivate var parameters: Set<String> {
        switch self {
        case .list: ["limit", "after", "prefix", ReaderLocale.name]
        case .resource(let name): name.kind == .schedule ? ["preview", ReaderLocale.name] : [ReaderLocale.name]
        case .history: ["points"]
        case .preview: ["preview"]
        case .clients: ["limit"]
        case .failedWebhooks: ["limit", "after"]
        case .readiness, .metrics, .limits: []
        }
    }
}
