// What somebody is answered, as a value: it is written as JSON where it is sent, or kept.

package import Base
package import Board
package import Tween
package import Wire

/// An answer to a request.
package enum Answer: Sendable {
    // What is rare and large is boxed: an answer passes through many hands on its way to who asked.

    indirect case problem(Problem)
    case noContent
    /// - Parameter isNew: The request made it.
    case resource(ResourceState, status: Int, isNew: Bool)
    /// Whether all schedules are paused, and how many there are.
    case schedules(isPaused: Bool, count: Int)
    /// What was answered before under the same key.
    /// - Parameter state: In place of a body that was too long to be kept.
    indirect case again(KeptAnswer, state: ResourceState?)
    /// A voucher was spent, and was good for this; nil: there was none.
    case spent([UInt8]?)
    /// A stream of events.
    indirect case stream(StreamStart)
}

/// A resource at an instant.
package struct ResourceState: Sendable {
    // Boxed: on its way to who asked an answer passes through many hands, and a track counts twenty references.
    package indirect enum Content: Sendable {
        case track(Track)
        /// - Parameter preview: How many of its next instants are told.
        case schedule(Schedule, isHeld: Bool, preview: Int)
    }

    package var content: Content
    package var instant: Instant
    /// It answers an update that came behind one that was sent later.
    package var isLate = false
    /// A track's rendering in the locale of who looks; nil: as it was posted.
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

    /// Its JSON.
    package func body() -> [UInt8] {
        // Most take less. More than 1,000 bytes at once the C library has no list of, and tidies up all others first.
        var json = JSONWriter(capacity: 640)
        switch content {
        case .track(let track): TrackEncoder.append(track, as: rendering, isLate: isLate, at: instant, to: &json)
        case .schedule(let schedule, let isHeld, let preview):
            ScheduleEncoder.append(schedule, isHeld: isHeld, preview: preview, at: instant, to: &json)
        }
        return json.bytes
    }
}

/// Where a stream begins that is an answer.
package struct StreamStart: Sendable {
    package var name: ResourceName
    /// The last event before the request.
    package var after: EventID
    /// The track whose frame comes first, as the request left it; nil when that is answered again.
    package var track: Track?
    package var isAgain: Bool

    package init(name: ResourceName, after: EventID, track: Track? = nil, isAgain: Bool) {
        self.name = name
        self.after = after
        self.track = track
        self.isAgain = isAgain
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

    /// The headers of this answer alone.
    package var headers: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        appendHeaders(to: &headers)
        return headers
    }

    /// Appends the headers of this answer alone.
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

    /// The body, written now.
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

    /// The revision as `If-Match` takes it.
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
