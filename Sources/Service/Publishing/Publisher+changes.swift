// Open streams that are to hear something else.

package import Base
import Board
package import EventStream
package import Machine
package import Tween

extension Publisher {
    /// What became of a change.
    package enum StreamChangeOutcome: Hashable, Sendable {
        case changed
        /// Nothing has changed: there is no room for its `patterns`, or for its `locale`.
        case noRoom(String)
    }

    /// The stream of a name; nil when it has gone.
    package func stream(named name: StreamName) -> StreamID? { hub.stream(named: name) }

    /// Whether a stream is sent lines of JSON.
    package func isLines(_ key: StreamID) -> Bool { hub.isLines(key) }

    /// Has a stream hear what another request asks for, but for what concerns a stream's beginning. What it heard before and
    /// hears on goes on undisturbed.
    package func change(
        _ key: StreamID, to request: StreamRequest, of machine: inout Machine, at now: Instant
    ) -> StreamChangeOutcome {
        let (former, owner) = (hub.locale(of: key) ?? 0, hub.owner(of: key))
        var options = request
        options.owner = owner
        // Who brings nothing anew goes on by what the stream was let in by.
        options.permit = request.permit ?? permit(of: key)
        guard let parts = parts(of: options) else { return .noRoom("locale") }
        guard let found = change(key, to: parts, options.terms, in: machine.engine, at: now) else {
            leaveLocale(parts.variant.locale, of: owner)
            return .noRoom("patterns")
        }
        leaveLocale(former, of: owner)
        if let permit = request.permit {
            lifecycle.permits.replace(permit, of: key)
            // It may have been revoked on the way here.
            if !permit.isHonoured { end(key, .revoked, at: now) }
        }
        follow(found, of: &machine, at: now)
        return .changed
    }

    // The engine is not `borrowing`, which closures can't capture; it isn't copied either.

    /// - Returns: Resources that the stream has begun to watch; nil where nothing has changed.
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
