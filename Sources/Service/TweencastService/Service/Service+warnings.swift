// Log lines about the service's life: starting, ready, draining and stopped.

import Base
import EventStream
import HTTPTransport
import OperatingSystem
import Replication
import Storage

extension Service {
    /// Logs the start with its main settings, and that no pages are served.
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
        if let version = LibraryVersion.untested {
            Log.write(
                .service, .warning, "another libmicrohttpd than the tested one",
                ["version": .text(version), "tested": .text(LibraryVersion.tested)])
        }
        guard configuration.publicDirectory == nil else { return }
        Log.write(
            .service, .info, "no pages are served: there is no folder public here; start with --public FOLDER",
            ["viewer": "/usr/share/tweencast/public of the package, public of the source"])
    }

    /// Logs that file descriptors limit streams and connections.
    static func logLowered(_ shares: DescriptorShares, _ configuration: ServiceConfiguration) {
        let cure = "raise the limit (ulimit -Hn, LimitNOFILE= of systemd)"
        let fields: KeyValuePairs<String, LogValue> = [
            "descriptors": .whole(shares.limit), "needed": .whole(shares.needed),
            "streams": .whole(shares.streams), "connections": .whole(shares.connections),
        ]
        // Nobody asked for the defaults, so what the descriptors allow is simply the limit while it suffices.
        if configuration.hasUsualDescriptors, shares.limit >= ServiceConfiguration.ordinaryDescriptors {
            Log.write(.limit, .info, "file descriptors allow fewer streams and connections; for more, \(cure)", fields)
        } else {
            Log.write(
                .limit, .warning,
                "too few file descriptors for the configured limits: \(cure), or"
                    + " lower --max-streams and --max-connections", fields)
        }
    }

    /// Logs environment variables that look like settings and are ignored.
    package static func warn(ofUnused variables: [(name: String, reason: String)]) {
        for (name, reason) in variables {
            Log.write(
                .service, .warning, "environment variable ignored", ["variable": .text(name), "reason": .text(reason)])
        }
    }

    /// Logs that the board can't be loaded yet.
    static func warn(ofAbsence failure: LogFailure) {
        Log.write(
            .store, .warning, "can't load the board yet; not ready, retrying every second",
            ["reason": .text(failure.cause)])
    }

    /// Logs that no other process takes over, so that this one goes on.
    package static func warn(ofNoSuccessor reason: String) {
        Log.write(.service, .error, "handover failed: no successor", ["reason": .text(reason)])
    }

    /// Logs that the server is ready, or that it listens without a board.
    static func logReady(_ configuration: ServiceConfiguration, port: UInt16, hasBoard: Bool) {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        let scheme = configuration.certificate == nil ? "http" : "https"
        let state = hasBoard ? "ready" : "listening, without a board yet"
        Log.write(.service, .info, state, ["address": "\(scheme)://\(host):\(port)"])
    }

    /// Logs that draining has begun.
    static func logDrain(_ configuration: ServiceConfiguration, streams: Int) {
        Log.write(
            .service, .info, "draining",
            ["streams": .whole(streams), "seconds": .real(configuration.drainTimeout)])
    }

    /// Logs what the server did.
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
