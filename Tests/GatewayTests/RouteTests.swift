// Paths and methods to routes.

import Base
import Board
import EventStream
import Machine
import Testing
import Wire

@testable import Gateway

@Suite struct RouteTests {
    @Test(arguments: [
        ("GET", "/v1/tickers", Route.look(.list(.ticker))),
        ("POST", "/v1/tickers", .change(.make(.ticker))),
        ("POST", "/v1/tickers/a", .change(.update(ResourceName(.ticker, "a")))),
        ("PUT", "/v1/progress/a.b~c", .change(.define(ResourceName(.progress, "a.b~c")))),
        ("HEAD", "/v1/tickers/a", .look(.resource(ResourceName(.ticker, "a")))),
        ("GET", "/v1/tickers/a/history", .look(.history(ResourceName(.ticker, "a")))),
        ("GET", "/v1/progress/history/history", .look(.history(ResourceName(.progress, "history")))),
        ("GET", "/v1/progress/a/frames", .look(.frames(ResourceName(.progress, "a")))),
        ("DELETE", "/v1/tickers/a", .change(.remove(ResourceName(.ticker, "a")))),
        ("POST", "/v1/progress/a/seek", .change(.play(ResourceName(.progress, "a"), .seek))),
        ("GET", "/v1/tickers/a/events", .stream(.resource(ResourceName(.ticker, "a")))),
        ("POST", "/v1/schedules/pause", .change(.setAllPaused(true))),
        ("POST", "/v1/schedules/resume", .change(.setAllPaused(false))),
        ("POST", "/v1/schedules/preview", .look(.preview)),
        ("PUT", "/v1/schedules/preview", .change(.define(ResourceName(.schedule, "preview")))),
        ("GET", "/v1/schedules/pause", .look(.resource(ResourceName(.schedule, "pause")))),
        ("POST", "/v1/schedules/a/pause", .change(.setPaused(ResourceName(.schedule, "a"), true))),
        ("DELETE", "/v1/schedules", .change(.removeAll)),
        ("GET", "/v1/events", .stream(.topics)),
        ("POST", "/v1/batch", .batch),
        ("GET", "/healthz", .health), ("GET", "/readyz", .look(.readiness)), ("GET", "/metrics", .look(.metrics)),
        ("GET", "/", .file), ("GET", "/v1x/tickers", .file), ("HEAD", "/viewer.js", .file),
        ("POST", "/v1/events", .stream(.topicsByBody)), ("GET", "/v1/selftest", .stream(.selfTest)),
        ("GET", "/v1/clients", .look(.clients)), ("GET", "/v1/limits", .look(.limits)),
        ("POST", "/v1/session", .session(isBegun: true)), ("DELETE", "/v1/session", .session(isBegun: false)),
        ("PUT", "/v1/streams/AAAAAAAAAAAAAAAAAAAABA", .stream(.change(StreamName(1 << 2)))),
        ("POST", "/v1/tickets", .ticket), ("GET", "/v1/webhooks/failed", .look(.failedWebhooks)),
        ("DELETE", "/v1/webhooks/failed/x", .deadLetter("x", .discard)),
        ("POST", "/v1/webhooks/failed/x/retry", .deadLetter("x", .retry)),
        ("POST", "/v1/schedules/a/resume", .change(.setPaused(ResourceName(.schedule, "a"), false))),
        ("GET", "/v1/schedules/a/events", .stream(.resource(ResourceName(.schedule, "a")))),
        ("PUT", "/v1/schedules/pause", .change(.define(ResourceName(.schedule, "pause")))),
        ("POST", "/v1/schedules", .change(.make(.schedule))), ("GET", "/v1/progress", .look(.list(.progress))),
    ])
    func `a known method and path give their route`(method: String, path: String, route: Route) throws {
        #expect(try Route(method: method, path: path) == route)
    }

    @Test(arguments: [
        ("PATCH", "/v1/tickers/a", 405), ("DELETE", "/v1/tickers", 405), ("POST", "/healthz", 405),
        ("GET", "/v1/batch", 405), ("POST", "/", 405), ("GET", "/v1", 404), ("GET", "/v1/nothing", 404),
        ("POST", "/v1/tickers/a/explode", 404), ("GET", "/v1/tickers/a/events/b", 404),
        ("POST", "/v1/tickers/a b", 422), ("POST", "/v1/tickers/../etc", 422), ("GET", "/v1/schedules/.", 422),
        ("GET", "/v1/tickers/", 422), ("GET", "/v1/", 404), ("GET", "/v1/events/a", 404), ("POST", "/v1/batch/", 404),
        ("GET", "/v1/webhooks", 404), ("GET", "/v1/webhooks/lost", 404), ("POST", "/v1/webhooks/failed/x/y", 404),
        ("POST", "/v1/webhooks/failed/x/retry/y", 404), ("POST", "/v1/schedules/a/pause/b", 404),
        ("POST", "/v1/schedules/a/seek", 404), ("POST", "/v1/tickers/a b/explode/c", 422), ("post", "/v1/tickers", 405),
    ])
    func `an unknown path or method is refused with 404, 405 or 422`(method: String, path: String, status: Int) {
        let refusal = #expect(throws: Route.Refusal.self) { try Route(method: method, path: path) }
        #expect(refusal?.problem.status == status)
        #expect((refusal?.allowed.isEmpty ?? true) == (status != 405))
    }

    @Test(arguments: [
        ("/v1/tickers/a", "DELETE, GET, POST, PUT, HEAD, OPTIONS"), ("/v1/tickers", "GET, POST, HEAD, OPTIONS"),
        ("/v1/schedules/a", "DELETE, GET, PUT, HEAD, OPTIONS"), ("/v1/tickers/a/pause", "POST, OPTIONS"),
        ("/v1/schedules/pause", "DELETE, GET, POST, PUT, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS"),
        ("/v1/schedules", "DELETE, GET, POST, HEAD, OPTIONS"), ("/v1/session", "DELETE, POST, OPTIONS"),
        ("/v1/webhooks/failed/x", "DELETE, OPTIONS"),
    ])
    func `405 lists the methods that the path takes`(path: String, methods: String) {
        let refusal = #expect(throws: Route.Refusal.self) { try Route(method: "PATCH", path: path) }
        #expect(refusal?.allowed.joined(separator: ", ") == methods)
        let hint = path.hasPrefix("/v1") ? "" : "; what changes something begins with /v1"
        #expect(refusal?.problem.detail == "this path takes \(methods)\(hint)")
    }

    @Test(arguments: [
        ("POST", "/v1/tickers/a", true), ("POST", "/v1/batch", true), ("GET", "/v1/tickers/a/frames", true),
        ("HEAD", "/v1/tickers/a/frames", false), ("GET", "/v1/tickers/a", false), ("GET", "/v1/tickers", false),
    ])
    func `changes and frame lists reserve room for their answers, reads do not`(
        method: String, path: String, isNeeded: Bool
    ) throws {
        #expect(try RouteMatch(method: method, path: path).needsRoom(for: method) == isNeeded)
    }

    @Test func `an id of 128 characters is the longest`() throws {
        let id = String(repeating: "x", count: 128)
        #expect(try Route(method: "GET", path: "/v1/tickers/" + id) == .look(.resource(ResourceName(.ticker, id))))
        #expect(throws: Route.Refusal.self) { try Route(method: "GET", path: "/v1/tickers/x" + id) }
    }
}
