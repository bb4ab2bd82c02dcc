// Changes to the subscriptions of open streams.

package import Base
import Board
package import EventStream
package import Machine
package import Tween

extension Publisher {
    /// The outcome of a change.
    package enum StreamChangeOutcome: Hashable, Sendable {
        case changed
        /// Nothing has changed: there is no room for its `patterns`, or for its `locale`.
        case noRoom(String)
    }

    /// Returns the stream with a name; nil when it has ended.
    package func stream(named name: StreamName) -> StreamID? { hub.stream(named: name) }

    /// Whether a stream receives lines of JSON.
    package func payload(of key: StreamID) -> StreamEncoding.Payload? { hub.payload(of: key) }

    /// Changes a stream's subscriptions to those of another request, except for options that only apply at a stream's start.
    /// Subscriptions in both requests continue without interruption.
    package func change(
        _ key: StreamID, to request: StreamRequest, of machine: inout Machine, at now: Instant
    ) -> StreamChangeOutcome {
        let (former, owner) = (hub.locale(of: key) ?? 0, hub.owner(of: key))
        var options = request
        options.owner = owner
        // A request without a new permit keeps the stream's old one.
        options.permit = request.permit ?? permit(of: key)
        guard let parts = parts(of: options) else { return .noRoom("locale") }
        guard let found = change(key, to: parts, options.terms, in: machine.engine, at: now) else {
            releaseLocale(parts.variant.locale, of: owner)
            return .noRoom("patterns")
        }
        releaseLocale(former, of: owner)
        if let permit = request.permit {
            lifecycle.permits.replace(permit, of: key)
            // The permit may have been revoked in the meantime.
            if !permit.isHonoured { end(key, .revoked, at: now) }
        }
        track(found, of: &machine, at: now)
        return .changed
    }

    // The engine is not `borrowing`, because closures can't capture borrowed values; it isn't copied either.

    /// - Returns: Resources that the stream has started to watch; nil when nothing has changed.
    private func change(
        _ key: StreamID, to parts: StreamParts, _ terms: StreamTerms, in engine: Engine, at now: Instant
    ) -> [ResourceName]? {
        var found: [ResourceName] = []
        let isChanged = hub.change(
            key, to: parts, terms, rewrite: { rewritten($0, on: $1, $2, in: engine, at: now) },
            existing: { attach($0, from: &$1, most: $2, &found, in: engine) }
        ) {
            appendState(of: $0, variant: $1, in: engine, at: now, to: &$2)
        }
        return isChanged ? found : nil
    }
}
