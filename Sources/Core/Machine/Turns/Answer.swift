// An answer as a value; it is encoded as JSON where it is sent or kept.

package import Base
package import Board
package import Tween
package import Wire

/// An answer to a request.
package enum Answer: Sendable {
    // Rare and large cases are boxed, because an answer is copied many times on its way to the client.

    indirect case problem(Problem)
    case noContent
    /// - Parameter isNew: Whether the request created it.
    case resource(ResourceState, status: Int, isNew: Bool)
    /// Whether all schedules are paused, and their number.
    case schedules(isPaused: Bool, count: Int)
    /// The answer that was given before for the same key.
    /// - Parameter state: Replaces a body that was too long to keep.
    indirect case again(KeptAnswer, state: ResourceState?)
    /// What a spent ticket was good for; nil if there was none.
    case spent([UInt8]?)
    /// A stream of events.
    indirect case stream(StreamStart)
}

/// A resource at an instant.
package struct ResourceState: Sendable {
    // Boxed: an answer is copied many times on its way to the client, and each copy of a track counts twenty references.
    package indirect enum Content: Sendable {
        case track(Track)
        /// - Parameter preview: The number of its next instants to include.
        case schedule(Schedule, isHeld: Bool, preview: Int)
    }

    package var content: Content
    package var instant: Instant
    /// Whether it answers an update that arrived after a later one.
    package var isLate = false
    /// A track's rendering in the reader's locale; nil: as it was posted.
    package var rendering: Rendering?

    /// The resource's name.
    package var name: ResourceName {
        switch content {
        case .track(let track): track.name
        case .schedule(let schedule, _, _): schedule.name
        }
    }

    package var revision: UInt64 {
        switch content {
        case .track(let track): track.revision
        case .schedule(let schedule, _, _): schedule.revision
        }
    }

    /// The track as it was posted; nil for a schedule.
    package var track: Track? {
        guard case .track(let track) = content else { return nil }
        return track
    }

    /// The track in the reader's locale; nil for a schedule.
    package var shownTrack: Track? {
        var track = track
        if let rendering { track?.rendering = rendering }
        return track
    }

    /// Returns its JSON.
    package func body() -> [UInt8] {
        // Enough for most. The C library has no free list for blocks of more than 1,000 bytes and consolidates all others first.
        var json = JSONWriter(capacity: 640)
        switch content {
        case .track(let track): TrackEncoder.append(track, as: rendering, isLate: isLate, at: instant, to: &json)
        case .schedule(let schedule, let isHeld, let preview):
            ScheduleEncoder.append(schedule, isHeld: isHeld, preview: preview, at: instant, to: &json)
        }
        return json.bytes
    }
}

/// The start of a stream that answers a request.
package struct StreamStart: Sendable {
    package var name: ResourceName
    /// The last event before the request.
    package var after: EventID
    /// What it ends with.
    package var goal: StreamGoal
    /// The track of the first frame, as the request left it; nil for a repeated answer.
    package var track: Track?
    package var isAgain: Bool
    /// The instant of the request.
    package var instant: Instant

    package init(
        name: ResourceName, after: EventID, until goal: StreamGoal, track: Track? = nil, isAgain: Bool,
        at instant: Instant
    ) {
        self.name = name
        self.after = after
        self.goal = goal
        self.track = track
        self.isAgain = isAgain
        self.instant = instant
    }
}

extension Answer {
    /// The HTTP status.
    package var status: Int {
        switch self {
        case .problem(let problem): problem.status
        case .noContent: 204
        case .resource(_, let status, _): status
        case .schedules, .stream, .spent: 200
        case .again(let kept, _): kept.status
        }
    }

    /// The headers specific to this answer.
    package var headers: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        appendHeaders(to: &headers)
        return headers
    }

    /// Appends the headers specific to this answer.
    package func appendHeaders(to headers: inout [(name: String, value: String)]) {
        switch self {
        case .problem(let problem):
            headers.append(("Content-Type", "application/problem+json"))
            if let seconds = problem.retryAfter { headers.append(("Retry-After", String(seconds))) }
        case .noContent, .stream, .spent: break
        case .resource(let state, _, let isNew):
            headers.append(("Content-Type", "application/json"))
            headers.append(Self.tag(of: state))
            if isNew { headers.append(("Location", state.name.location)) }
        case .schedules: headers.append(("Content-Type", "application/json"))
        case .again(let kept, let state):
            headers += kept.headers
            if let state { headers.append(Self.tag(of: state)) }
            headers.append(("Idempotency-Replayed", "true"))
        }
    }

    /// Encodes the body.
    package func body() -> [UInt8] {
        switch self {
        case .problem(let problem): return problem.body
        case .noContent, .stream, .spent: return []
        case .resource(let state, _, _): return state.body()
        case .schedules(let isPaused, let count):
            var json = JSONWriter()
            json.object { ScheduleEncoder.appendHead(isPaused: isPaused, count: count, to: &$0) }
            return json.bytes
        case .again(let kept, let state): return state?.body() ?? kept.body
        }
    }

    /// The revision as an entity tag for `If-Match`.
    private static func tag(of state: ResourceState) -> (name: String, value: String) {
        ("ETag", "\"\(state.revision)\"")
    }
}

extension ResourceName {
    /// The resource's path.
    fileprivate var location: String {
        switch kind {
        case .ticker: "/v1/tickers/\(id)"
        case .progress: "/v1/progress/\(id)"
        case .schedule: "/v1/schedules/\(id)"
        }
    }
}
