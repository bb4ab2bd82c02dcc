// What a path is one of: names for figures and lines of the log, of which there are as many as stand here, whatever clients
// write.

import Base
import Board
import EventStream
import Machine

/// The pattern of a request's path.
package enum RoutePattern: UInt8, CaseIterable, Sendable {
    /// Nothing is there, the method is not taken, or it was not looked at.
    case none = 0
    /// The viewer's files, and the contract.
    case file
    case health, readiness, metrics, version
    case tickers, ticker, tickerVerb, tickerEvents, tickerHistory
    case progresses, progress, progressVerb, progressEvents, progressHistory
    case schedules, schedule, scheduleVerb, scheduleEvents, allSchedulesVerb, schedulePreview
    case events, stream, batch, clients, limits, selfTest, session, tickets
    case notification, failedWebhooks, failedWebhook, failedWebhookRetry

    /// As it stands in figures and in the log.
    package var text: String {
        switch self {
        case .none: "none"
        case .file: "file"
        case .health: "/healthz"
        case .readiness: "/readyz"
        case .metrics: "/metrics"
        case .version: "/version"
        case .tickers: "/v1/tickers"
        case .ticker: "/v1/tickers/{id}"
        case .tickerVerb: "/v1/tickers/{id}/{verb}"
        case .tickerEvents: "/v1/tickers/{id}/events"
        case .tickerHistory: "/v1/tickers/{id}/history"
        case .progresses: "/v1/progress"
        case .progress: "/v1/progress/{id}"
        case .progressVerb: "/v1/progress/{id}/{verb}"
        case .progressEvents: "/v1/progress/{id}/events"
        case .progressHistory: "/v1/progress/{id}/history"
        case .schedules: "/v1/schedules"
        case .schedule: "/v1/schedules/{id}"
        case .scheduleVerb: "/v1/schedules/{id}/{verb}"
        case .scheduleEvents: "/v1/schedules/{id}/events"
        case .allSchedulesVerb: "/v1/schedules/{verb}"
        case .schedulePreview: "/v1/schedules/preview"
        case .events: "/v1/events"
        case .stream: "/v1/streams/{name}"
        case .batch: "/v1/batch"
        case .clients: "/v1/clients"
        case .limits: "/v1/limits"
        case .selfTest: "/v1/selftest"
        case .session: "/v1/session"
        case .tickets: "/v1/tickets"
        case .notification: "/v1/notifications/{name}"
        case .failedWebhooks: "/v1/webhooks/failed"
        case .failedWebhook: "/v1/webhooks/failed/{id}"
        case .failedWebhookRetry: "/v1/webhooks/failed/{id}/retry"
        }
    }
}

extension RoutePattern {
    init(_ route: Result<Route, Route.Refusal>) {
        if case .success(let route) = route { self.init(route) } else { self = .none }
    }

    init(_ route: Route) {
        switch route {
        case .health: self = .health
        case .version: self = .version
        case .file: self = .file
        case .look(let look): self.init(look)
        case .change(let change): self.init(change)
        case .stream(.resource(let name)): self = Self.of(name.kind, .tickerEvents, .progressEvents, .scheduleEvents)
        case .stream(.topics), .stream(.topicsByBody): self = .events
        case .stream(.change): self = .stream
        case .stream(.selfTest): self = .selfTest
        case .batch: self = .batch
        case .deadLetter(_, .retry): self = .failedWebhookRetry
        case .deadLetter(_, .discard): self = .failedWebhook
        case .session: self = .session
        case .ticket: self = .tickets
        }
    }

    private init(_ look: Route.Look) {
        switch look {
        case .readiness: self = .readiness
        case .metrics: self = .metrics
        case .limits: self = .limits
        case .list(let kind): self = Self.of(kind, .tickers, .progresses, .schedules)
        case .resource(let name): self = Self.of(name.kind, .ticker, .progress, .schedule)
        case .history(let name): self = Self.of(name.kind, .tickerHistory, .progressHistory, .none)
        case .preview: self = .schedulePreview
        case .clients: self = .clients
        case .failedWebhooks: self = .failedWebhooks
        }
    }

    private init(_ change: Route.Change) {
        switch change {
        case .make(let kind): self = Self.of(kind, .tickers, .progresses, .schedules)
        case .update(let name), .define(let name), .remove(let name):
            self = Self.of(name.kind, .ticker, .progress, .schedule)
        case .removeAll: self = .schedules
        case .play(let name, _): self = Self.of(name.kind, .tickerVerb, .progressVerb, .scheduleVerb)
        case .setPaused: self = .scheduleVerb
        case .setAllPaused: self = .allSchedulesVerb
        case .notify: self = .notification
        }
    }

    private static func of(
        _ kind: ResourceKind, _ ticker: RoutePattern, _ progress: RoutePattern, _ schedule: RoutePattern
    ) -> RoutePattern {
        switch kind {
        case .ticker: ticker
        case .progress: progress
        case .schedule: schedule
        }
    }
}
