// What the log says of a service's life: how it was started, that it serves, that it ends, and what it did.

import Base
import EventStream
import HTTPTransport
import OperatingSystem
import Replication
import Storage

extension Service {
    /// Tells with what it is started.
    static func logStart(_ configuration: ServiceConfiguration, _ store: PersistenceBackend, zones: String) {
        let kept =
            switch store {
            case .own(let store): store.name
            case .shared: "redis"
            }
        Log.write(
            .service, .info, "starting",
            [
                "version": .text(ServiceConfiguration.version), "store": .text(kept),
                "tokens": configuration.authority == nil ? "not required" : "required",
                "tick_rate": .whole(configuration.tickRate), "audit": configuration.audit == nil ? "off" : "on",
                "time_zones": .text(zones),
            ])
    }

    /// Tells of variables that look like settings, and are not used.
    package static func tell(ofUnused variables: [(name: String, reason: String)]) {
        for (name, reason) in variables {
            Log.write(
                .service, .warning, "environment variable ignored", ["variable": .text(name), "reason": .text(reason)])
        }
    }

    /// Tells that there is no board yet.
    static func tell(ofAbsence failure: LogFailure) {
        Log.write(
            .store, .warning, "can't load the board yet; not ready, retrying every second",
            ["reason": .text(failure.cause)])
    }

    /// Tells that no other process goes on, and this one does.
    package static func tell(ofNoSuccessor reason: String) {
        Log.write(.service, .error, "handover failed: no successor", ["reason": .text(reason)])
    }

    /// Tells that it serves, or that it listens and doesn't yet.
    static func logReady(_ configuration: ServiceConfiguration, port: UInt16, hasBoard: Bool) {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let scheme = configuration.certificate == nil ? "http" : "https"
        let state = hasBoard ? "ready" : "listening, without a board yet"
        Log.write(.service, .info, state, ["address": "\(scheme)://\(host):\(port)"])
    }

    /// Tells that it ends.
    static func logDrain(_ configuration: ServiceConfiguration, streams: Int) {
        Log.write(
            .service, .info, "draining",
            ["streams": .whole(streams), "seconds": .real(configuration.drainTimeout)])
    }

    /// Tells what it did.
    static func logEnd(_ measures: Measures, _ fanOut: FanOut, since started: Int64) {
        let sent = fanOut.sent
        Log.write(
            .service, .info, "stopped",
            [
                "seconds": .real((Double(SystemClock.monotonic() - started) / 1e6).rounded() / 1e3),
                "requests": .whole(Int(clamping: measures.requests.snapshots.reduce(0) { $0 + $1.snapshot.count })),
                "streams": .whole(Int(clamping: fanOut.openedStreams)), "frames": .whole(Int(clamping: sent.frames)),
                "events": .whole(Int(clamping: sent.events)),
                "bytes": .whole(Int(clamping: fanOut.streams.counters.bytes)),
            ])
    }
}
