// The table of routes: one row for each method of each path, with everything known before a request is handled. A test
// compares the rows with the contract's.

import Base
import Board
import EventStream
import Machine
import Wire

/// A row of the table. A class, since each request refers to its row.
final class RouteRow: Sendable {
    /// Who may send a request, before any right is checked.
    enum Access {
        /// Anyone, without a rate limit: health checks.
        case probe
        /// Anyone: the response has nothing from the board.
        case open
        /// Identified callers.
        case known
    }

    /// What replaces the braces of a path.
    enum Value {
        /// The id of a resource or a notification.
        case id
        /// The name of a stream.
        case stream
        /// Any text.
        case text
    }

    /// What a request changes for others.
    enum Effect {
        case none
        /// One change, which counts towards its sender's rate limit.
        case change
        case other
    }

    let method: RouteMethod
    /// The path as in the contract.
    let path: String
    /// Its label in metrics and logs.
    let figure: String
    let access: Access
    /// The right that its sender needs before anything is decoded.
    let right: RouteRight
    let takesBody: Bool
    let effect: Effect
    let value: Value
    /// The query's parameters; nil if the handler checks each itself, and for files, whose pages have their own. A change
    /// that is answered by a stream has those of streams instead.
    let parameters: Set<String>?
    /// Returns the route for the text in place of the braces; nil if that names nothing.
    let route: @Sendable (String) -> Route?

    private init(
        _ method: RouteMethod, _ path: String, figure: String? = nil, access: Access = .known,
        right: RouteRight = .none, body: Bool = false, effect: Effect = .none, value: Value = .id,
        parameters: Set<String>? = [], _ route: @escaping @Sendable (String) -> Route?
    ) {
        self.method = method
        self.path = path
        self.figure = figure ?? path
        self.access = access
        self.right = right
        takesBody = body
        self.effect = effect
        self.value = value
        self.parameters = parameters
        self.route = route
    }

    /// The number of changes that count towards its sender's rate limit.
    var updates: Int { effect == .change ? 1 : 0 }

    // MARK: - The table

    /// The viewer's files and the contract: every path of no other row.
    static let file = RouteRow(.get, "/{file}", figure: "file", access: .open, parameters: nil) { _ in .file }

    /// All other rows. Metrics are shown in this order.
    static let all =
        server + tracks(.ticker, "/v1/tickers") + tracks(.progress, "/v1/progress") + schedules + streams + operations

    private static let server = [
        RouteRow(.get, "/healthz", access: .probe) { _ in .health },
        RouteRow(.get, "/readyz", access: .probe) { _ in .look(.readiness) },
        RouteRow(.get, "/metrics", right: .whole(to: "read the metrics")) { _ in .look(.metrics) },
        RouteRow(.get, "/version", access: .open) { _ in .version },
    ]

    private static let pageParameters: Set = ["limit", "after", "prefix", ReaderLocale.name]
    private static let listen = "listen to any of these topics"

    private static func tracks(_ kind: ResourceKind, _ list: String) -> [RouteRow] {
        let one = list + "/{id}"
        let rows = [
            RouteRow(.get, list, right: .readAny(kind), parameters: pageParameters) { _ in .look(.list(kind)) },
            RouteRow(.post, list, right: .publish, body: true, effect: .change) { _ in
                .change(.make(kind))
            },
            RouteRow(.get, one, right: .read(kind), parameters: [ReaderLocale.name, MomentQuery.instant]) {
                .look(.resource(ResourceName(kind, $0)))
            },
            RouteRow(.post, one, right: .change(kind), body: true, effect: .change) {
                .change(.update(ResourceName(kind, $0)))
            },
            RouteRow(.put, one, right: .change(kind), body: true, effect: .change) {
                .change(.define(ResourceName(kind, $0)))
            },
            RouteRow(.delete, one, right: .change(kind), effect: .change) {
                .change(.remove(ResourceName(kind, $0)))
            },
        ]
        let verbs = PlaybackVerb.allCases.map { verb in
            RouteRow(
                .post, "\(one)/\(verb.rawValue)", figure: one + "/{verb}", right: .change(kind), body: true,
                effect: .change
            ) { .change(.play(ResourceName(kind, $0), verb)) }
        }
        return rows + verbs + [
            RouteRow(.get, one + "/events", right: .some(to: listen), parameters: nil) {
                .stream(.resource(ResourceName(kind, $0)))
            },
            RouteRow(.get, one + "/history", right: .read(kind), parameters: ["points"]) {
                .look(.history(ResourceName(kind, $0)))
            },
            RouteRow(.get, one + "/frames", right: .read(kind), parameters: frameListParameters) {
                .look(.frames(ResourceName(kind, $0)))
            },
        ]
            + PictureForm.allCases.map { form in
                RouteRow(.get, "\(one)/\(form.rawValue)", right: .read(kind), parameters: pictureParameters) {
                    .look(.picture(ResourceName(kind, $0), form))
                }
            }
    }

    private static let frameListParameters =
        Set(FrameListParameter.allCases.map(\.rawValue) + [ReaderLocale.name])
    private static let pictureParameters = Set(PictureParameter.allCases.map(\.rawValue) + [ReaderLocale.name])

    private static let schedules = listOfSchedules + oneSchedule + allSchedules

    private static let listOfSchedules = [
        RouteRow(.get, "/v1/schedules", right: .readAny(.schedule), parameters: pageParameters) { _ in
            .look(.list(.schedule))
        },
        RouteRow(.post, "/v1/schedules", right: .publish, body: true, effect: .change, parameters: ["preview"]) { _ in
            .change(.make(.schedule))
        },
        RouteRow(.delete, "/v1/schedules", right: .publish, effect: .change) { _ in .change(.removeAll) },
    ]

    private static let oneSchedule = [
        RouteRow(.get, "/v1/schedules/{id}", right: .read(.schedule), parameters: ["preview", ReaderLocale.name]) {
            .look(.resource(ResourceName(.schedule, $0)))
        },
        RouteRow(
            .put, "/v1/schedules/{id}", right: .change(.schedule), body: true, effect: .change,
            parameters: ["preview"]
        ) { .change(.define(ResourceName(.schedule, $0))) },
        RouteRow(.delete, "/v1/schedules/{id}", right: .change(.schedule), effect: .change) {
            .change(.remove(ResourceName(.schedule, $0)))
        },
        RouteRow(
            .post, "/v1/schedules/{id}/pause", figure: "/v1/schedules/{id}/{verb}", right: .change(.schedule),
            effect: .change
        ) { .change(.setPaused(ResourceName(.schedule, $0), true)) },
        RouteRow(
            .post, "/v1/schedules/{id}/resume", figure: "/v1/schedules/{id}/{verb}", right: .change(.schedule),
            effect: .change
        ) { .change(.setPaused(ResourceName(.schedule, $0), false)) },
        RouteRow(.get, "/v1/schedules/{id}/events", right: .some(to: listen), parameters: nil) {
            .stream(.resource(ResourceName(.schedule, $0)))
        },
    ]

    /// Operations on all schedules or none. Their names could be ids, so only POST means them.
    private static let allSchedules = [
        RouteRow(
            .post, "/v1/schedules/pause", figure: "/v1/schedules/{verb}", right: .publish, effect: .change
        ) { _ in .change(.setAllPaused(true)) },
        RouteRow(
            .post, "/v1/schedules/resume", figure: "/v1/schedules/{verb}", right: .publish, effect: .change
        ) { _ in .change(.setAllPaused(false)) },
        RouteRow(.post, "/v1/schedules/preview", right: .publish, body: true, parameters: ["preview"]) { _ in
            .look(.preview)
        },
    ]

    private static let streams = [
        RouteRow(.get, "/v1/events", right: .some(to: listen), parameters: nil) { _ in .stream(.topics) },
        RouteRow(
            .post, "/v1/events", right: .subscribe, body: true, parameters: [Application.ticketParameter]
        ) { _ in .stream(.topicsByBody) },
        // Of a stream with a ticket, which lists the topics allowed.
        RouteRow(
            .put, Route.openStream, body: true, value: .stream, parameters: [Application.ticketParameter]
        ) { StreamName($0).map { .stream(.change($0)) } },
    ]

    private static let operations = [
        RouteRow(.post, "/v1/batch", right: .publishOrAdd, body: true, effect: .other, parameters: ["stagger"]) { _ in
            .batch
        },
        RouteRow(.get, "/v1/clients", right: .admin(to: "list clients"), parameters: ["limit"]) { _ in
            .look(.clients)
        },
        RouteRow(.get, "/v1/limits", right: .some(to: "read the limits")) { _ in .look(.limits) },
        // A returning reader sends its position, though each test is a new stream.
        RouteRow(
            .get, "/v1/selftest", right: .some(to: "run the self test"),
            parameters: Set(StreamOption.lastEventIDs + [Application.ticketParameter])
        ) { _ in .stream(.selfTest) },
        RouteRow(.post, "/v1/session") { _ in .session(isBegun: true) },
        RouteRow(.delete, "/v1/session") { _ in .session(isBegun: false) },
        RouteRow(.post, "/v1/tickets", right: .subscribe, body: true) { _ in .ticket },
        RouteRow(.post, "/v1/notifications/{name}", right: .notify, body: true, effect: .change) {
            .change(.notify($0))
        },
        RouteRow(
            .get, "/v1/webhooks/failed", right: .admin(to: "see webhooks that failed"), parameters: ["limit", "after"]
        ) { _ in .look(.failedWebhooks) },
        RouteRow(
            .delete, "/v1/webhooks/failed/{id}", right: .admin(to: "change webhooks that failed"), effect: .other,
            value: .text
        ) { .deadLetter($0, .discard) },
        RouteRow(
            .post, "/v1/webhooks/failed/{id}/retry", right: .admin(to: "change webhooks that failed"), effect: .other,
            value: .text
        ) { .deadLetter($0, .retry) },
    ]
}
