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
        var json = JSONWriter()
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
        case .list(.schedule, _, _):
            exchange.send(.json(200, schedules(at: now)))
        case .list(let kind, let limit, let after):
            exchange.send(.json(200, tracks(kind, limit: limit, after: after, at: now)))
        case .readiness:
            exchange.send(readiness())
        case .metrics:
            exchange.send(.text(metrics()))
        case .stream(let request):
            open(request, on: exchange)
        case .clients(let limit):
            lookAtClients(limit: limit, for: exchange)
        }
    }

    /// A page of tracks by id.
    private func tracks(_ kind: ResourceKind, limit: Int, after: String?, at now: Instant) -> [UInt8] {
        var page = engine.names(of: kind).filter { $0.id > after ?? "" }
        page.sort { $0.id < $1.id }
        let names = page.prefix(limit)
        var json = JSONWriter()
        json.object {
            $0.list("items") { json in
                for name in names {
                    if let track = engine.track(name) { TrackEncoder.append(track, at: now, to: &json) }
                }
            }
            if page.count > limit, let last = names.last { $0.member("next", last.id) }
        }
        return json.bytes
    }

    private func schedules(at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            appendScheduleHead(to: &$0)
            $0.list("items") { json in
                for schedule in engine.schedulesByDue(at: now) {
                    ScheduleEncoder.append(schedule, isHeld: engine.isHeld(schedule), at: now, to: &json)
                }
            }
        }
        return json.bytes
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
