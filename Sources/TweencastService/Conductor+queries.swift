// Looks at the board.

import Board
import EventStream
import HTTPTransport
import Storage
import Tween
import Wire

extension Conductor {
    /// A resource's JSON and revision.
    /// - Parameter preview: How many of a schedule's next instants are told.
    func resource(_ name: ResourceName, preview: Int = 0, at now: Instant) -> (body: [UInt8], revision: UInt64)? {
        var json = JSONWriter(capacity: 1_024)
        if name.kind == .schedule {
            guard let schedule = engine.schedule(name) else { return nil }
            ScheduleEncoder.append(schedule, isHeld: engine.isHeld(schedule), preview: preview, at: now, to: &json)
            return (json.bytes, schedule.revision)
        }
        guard let track = engine.track(name) else { return nil }
        TrackEncoder.append(track, at: now, to: &json)
        return (json.bytes, track.revision)
    }

    func answer(_ query: Query, to exchange: HTTPExchange, at now: Instant) {
        switch query {
        case .resource(let name, let preview):
            guard let (body, revision) = resource(name, preview: preview, at: now) else {
                exchange.send(.problem(Problem(CommandError.notFound(name))))
                return
            }
            exchange.send(.resource(200, body, revision: revision))
        case .tracks(let kind, let limit, let after):
            exchange.send(.json(200, tracks(kind, limit: limit, after: after, at: now)))
        case .schedules(let limit, let after):
            exchange.send(schedules(limit: limit, after: after, at: now))
        case .readiness:
            exchange.send(readiness())
        case .metrics:
            exchange.send(.text(metrics()))
        case .stream(let request):
            open(request, on: exchange)
        case .clients(let limit):
            lookAtClients(limit: limit, for: exchange)
        case .failedWebhooks(let limit, let after):
            exchange.send(.json(200, failedWebhooks(limit: limit, after: after)))
        }
    }

    /// A page of tracks by id.
    private func tracks(_ kind: ResourceKind, limit: Int, after: String?, at now: Instant) -> [UInt8] {
        // One more than the page holds, to know whether another follows.
        let page = engine.tracks(kind, after: after, limit: limit + 1)
        var json = JSONWriter()
        json.object {
            $0.list("items") { json in
                for track in page.prefix(limit) { TrackEncoder.append(track, at: now, to: &json) }
            }
            if page.count > limit { $0.member("next", page[limit - 1].name.id) }
        }
        return json.bytes
    }

    /// A page of schedules by their due dates.
    private func schedules(limit: Int, after mark: ScheduleMark?, at now: Instant) -> HTTPResponse {
        var place: SchedulePlace?
        switch mark {
        case nil: break
        case .place(let known): place = known
        case .schedule(let name):
            guard let schedule = engine.schedule(name) else {
                return .problem(.field("?after", "is no schedule; a page's next tells where it goes on"))
            }
            place = SchedulePlace(schedule)
        }
        let page = engine.schedules(after: place, limit: limit + 1)
        var json = JSONWriter()
        json.object {
            appendScheduleHead(to: &$0)
            $0.list("items") { json in
                for schedule in page.prefix(limit) {
                    ScheduleEncoder.append(schedule, isHeld: engine.isHeld(schedule), at: now, to: &json)
                }
            }
            if page.count > limit { $0.member("next", SchedulePlace(page[limit - 1]).description) }
        }
        return .json(200, json.bytes)
    }

    func appendScheduleHead(to json: inout JSONWriter) {
        json.member("paused", engine.schedulesPaused)
        json.member("pending", engine.pendingSchedules)
    }

    private func readiness() -> HTTPResponse {
        let reason: String? =
            isDraining ? "draining" : parts.store.health.failure == nil ? nil : "the store is failing"
        var json = JSONWriter()
        json.object {
            $0.member("ready", reason == nil)
            if let reason { $0.member("reason", reason) }
        }
        return .json(reason == nil ? 200 : 503, json.bytes)
    }
}
