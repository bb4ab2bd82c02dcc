// Looks at the board: as it is, changes whose commit is under way included.

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

    func answer(_ query: Query, to exchange: any Exchange, at now: Instant) {
        switch query {
        case .resource(let name, let preview):
            guard let (body, revision) = resource(name, preview: preview, at: now) else {
                exchange.send(.problem(Problem(CommandError.notFound(name))))
                return
            }
            turnBytes += body.count
            exchange.send(.resource(200, body, revision: revision))
        case .tracks(let kind, let limit, let after):
            sendTracks(kind, limit: limit, after: after, to: exchange, at: now)
        case .schedules(let limit, let after):
            sendSchedules(limit: limit, after: after, to: exchange, at: now)
        case .readiness:
            exchange.send(readiness())
        case .metrics:
            exchange.send(.text(metrics()))
        case .stream(let request):
            open(request, on: exchange)
        case .clients(let limit):
            lookAtClients(limit: limit, for: exchange)
        case .failedWebhooks(let limit, let after):
            sendFailedWebhooks(limit: limit, after: after, to: exchange, at: now)
        }
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
