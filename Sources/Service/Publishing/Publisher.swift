// Publishes outcomes and samples to the hub: frames at ticks, events as they happen, greetings, and changes by time alone.
// Owned by one thread; time is an argument. On the board it changes only which resources are watched.

package import Base
package import Board
package import EventStream
package import Machine
package import Tween
import Wire

/// Publishes what happens.
package final class Publisher {
    /// Settings of the server that streams report, and the duration of a drain.
    package struct Configuration: Sendable {
        /// Ticks a second.
        package var tickRate = 60
        /// Seconds between heartbeats.
        package var heartbeat = 15.0
        /// The maximum duration of a drain in seconds.
        package var drainTimeout = 10.0
        package var version = ""
        /// Whether pages may change nothing; `hello` says so.
        package var isReadOnly = false

        package init() {}
    }

    let configuration: Configuration
    let hub: Hub
    var grid: TickGrid
    var frames = FrameTable()
    /// Reused for each pass over moving tracks.
    var pass = FramePass()
    /// Reused for each state's text, and for what its frames show beside it.
    var text: [UInt8] = []
    var buffers = FrameBuffers()
    var due = DueResources()
    let countdowns = Countdowns()
    let paceFrames = PaceFrames()
    /// Labels in the locales of readers.
    package let readers: ReaderRenderings
    var locales = ReaderLocales()
    let lifecycle: StreamLifecycle
    /// Everything that has its own timers.
    private let timed: [any Timed]
    /// Whether events were published since the last flush.
    var hasUnsent = false
    /// The number of commits that published events wait for.
    private var openCommits = 0
    /// The end of the hold, in monotonic nanoseconds.
    private var heldUntil: Int64 = 0
    /// Unix nanoseconds of the latest stamp of any frame.
    private var newestStamp = Int64.min
    /// Whether something is moving, so that frames of consecutive ticks are expected.
    private var isFlowing = false
    /// The work of the states that streams were sent.
    var stateWork = 0
    /// The number of encoded frames, however many subscribers they have.
    package internal(set) var frameCount: UInt64 = 0

    /// - Parameters:
    ///   - planner: Compiles formats in the locales of readers.
    ///   - seed: The seed for clients' reconnect delays.
    package init(
        _ hub: Hub, grid: TickGrid, configuration: Configuration, planner: any ReaderPlanner, seed: UInt64
    ) {
        readers = ReaderRenderings(planner)
        self.hub = hub
        self.grid = grid
        self.configuration = configuration
        lifecycle = StreamLifecycle(seed: seed)
        timed = [countdowns, paceFrames] + lifecycle.timed
    }

    /// Whether the next tick has something to send even if nothing moves.
    package var wantsTick: Bool { due.hasFrames || hasUnsent }

    /// Whether the last tick left frames that are made before the next.
    package var hasFramesToContinue: Bool { due.isUnfinished }

    /// The next instant at which something is due even if nothing moves.
    package var nextDue: Instant? { timed.lazy.compactMap { $0.nextDue }.min() }

    /// Shifts timers when the wall clock was set, since they measure elapsed time.
    package func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        grid.shift(byNanoseconds: nanoseconds)
        newestStamp = newestStamp.addingSaturated(nanoseconds)
        // The rest of the last tick belongs to an instant on the old timeline.
        due.extended.skipRest()
        for part in timed { part.shift(byNanoseconds: nanoseconds, at: now, in: engine) }
    }

    /// Executes what is due: countdowns, permits, self tests and pace frames.
    package func advance(to now: Instant, in machine: borrowing Machine) {
        while let slot = countdowns.next(by: now) { due.frames.add(.schedule(slot)) }
        sendBye(at: now)
        for piece in lifecycle.selfTests.dequeue(at: now) {
            if piece.hasHeartbeat { hub.send(piece.key, SSE.heartbeat) }
            if piece.isLast {
                hub.end(piece.key, with: piece.event, because: .completed)
            } else {
                hub.send(piece.key, piece.event)
            }
            hasUnsent = true
        }
        while let slot = paceFrames.next(by: now) {
            guard let name = machine.engine.tracks[slot]?.name else { continue }
            due.paces.add(.track(slot))
            trackPace(of: name, slot: slot, at: now, in: machine.engine)
        }
    }

    /// Publishes the results of a turn: its events at once, changed resources with the next tick.
    package func publish(_ outcome: Outcome, of machine: inout Machine) {
        hub.advance(to: grid.monotonic(of: outcome.instant))
        for event in outcome.events { publish(event, of: machine, at: outcome.instant) }
        for name in outcome.changed { show(name, of: machine, at: outcome.instant) }
        for name in outcome.restored { show(name, of: machine, at: outcome.instant) }
        trackSubscribers(of: &machine, at: outcome.instant)
    }

    /// Runs one tick: publishes a frame of everything watched that moves or was changed, then flushes once.
    /// - Parameters:
    ///   - number: The tick's number on the grid.
    ///   - isLate: Whether ticks before it were missed.
    package func tick(_ number: Int64, isLate: Bool = false, of machine: inout Machine, at now: Instant) {
        newestStamp = max(newestStamp, now.nanoseconds)
        let stamp = FrameStamp(unixNanoseconds: now.nanoseconds, tick: number)
        hub.beginTick(at: grid.monotonic(of: now), follows: isFlowing, isLate: isLate)
        publishMoving(stamp, isLate: isLate, of: &machine)
        publishDue(stamp, of: machine, at: now)
        publishMotions(of: machine, at: now)
        flush(at: now)
        while let place = due.waiting.next() { due.frames.add(place) }
        isFlowing = wantsTick || machine.wantsTick
    }

    /// Sends events at once if no tick has anything to do; otherwise they are sent with the next tick.
    package func sendEvents(at now: Instant) {
        if hasUnsent, !hasFramesToContinue { flush(at: now) }
    }

    /// The maximum nanoseconds that published events wait for commits: a stalling disk costs subscribers a second, once.
    private static let longestHold: Int64 = 1_000_000_000

    /// Holds what is published from here on until a commit has returned, so that it is stored by then and no restart
    /// publishes it again.
    package func hold(at now: Instant) {
        if openCommits == 0 { heldUntil = grid.monotonic(of: now).addingSaturated(Self.longestHold) }
        openCommits += 1
        hub.hold()
    }

    /// Whether published events wait for a commit.
    package var isHeld: Bool { openCommits > 0 }

    /// Whether what is published now waits for a commit.
    package func keepsBack(at now: Instant) -> Bool { isHeld && grid.monotonic(of: now) < heldUntil }

    /// Records that such a commit has returned. What waited for the last one is sent at once: it has everybody's frames of
    /// the last tick, and the next tick's would replace them.
    package func release(at now: Instant) {
        openCommits = max(0, openCommits - 1)
        if !isHeld, hub.isHeld, !hasFramesToContinue { flush(at: now) }
    }

    func flush(at now: Instant) {
        let time = grid.monotonic(of: now)
        if keepsBack(at: now) { return hub.flush(now: time, isHeld: true) }
        hub.flush(now: time)
        // Topics whose subscribers have changed may be left for the next tick.
        hasUnsent = hub.hasWatchChanges
    }

    /// Returns the stamp of an instant, with the tick's number if it is a tick. Stamps never go back: motions that ended before
    /// the last tick are published after it if more was due than one turn executes; entries of a log reach a replica that
    /// lags after it has shown a later instant, if only in a greeting.
    func stamp(at instant: Instant) -> FrameStamp {
        newestStamp = max(newestStamp, instant.nanoseconds)
        let tick = grid.tick(of: instant)
        let isTick = newestStamp == instant.nanoseconds && grid.instant(tick: tick) == instant
        return FrameStamp(unixNanoseconds: newestStamp, tick: isTick ? tick : nil)
    }

    // MARK: - Queries

    /// The newest event's id.
    package var lastEventID: EventID { hub.lastEventID }

    /// Whether a reader has already received, from another replica, an event that is still to come here.
    package func isBehind(_ request: StreamRequest) -> Bool { request.lastEventID.map(hub.isYetToCome) ?? false }
    /// The number of topics of all streams.
    package var linkCount: Int { hub.linkCount }
    /// The work of streams' topics so far: each topic, name or prefix that one joins or leaves is 1, each state that one is
    /// sent as much as its frame.
    package var subscriptionWork: Int { hub.topicChangeCount + stateWork }
    /// The number of names and prefixes of all streams.
    package var patternCount: Int { hub.patternCount }
    /// The number of streams that reconnected with an event id and got the missed events.
    package var replayCount: UInt64 { hub.replayCount }
    /// Returns how often streams got a `reset` for a reason.
    package func resetCount(_ reason: ResetReason) -> UInt64 { hub.resetCounts[reason] ?? 0 }
    /// The events kept for replay, as a snapshot holds them; their instants are monotonic nanoseconds.
    package var keptEvents: [EventRecord.Segment] { hub.keptEvents }
    /// Bytes of events that are kept for replay.
    package var historyBytes: Int { hub.historyBytes }

    /// The most bytes of events kept for replay.
    package var maximumHistoryBytes: Int { hub.configuration.historyBytes }

    /// Returns a stream's patterns and number of topics; nil when it has ended.
    package func subscription(of key: StreamID) -> (patterns: [TopicPattern], topics: Int)? {
        hub.subscription(of: key)
    }

    /// Returns the age in nanoseconds of a stream that was opened at a time of the monotonic clock.
    package func age(ofStreamOpened opened: Int64, at now: Instant) -> Int64 {
        grid.monotonic(of: now).subtractingSaturated(opened)
    }

    /// Takes the events since the last call, to be stored with their changes.
    /// - Returns: The events, and the number up to which older ones are no longer kept.
    package func drainLog() -> (events: EventLogChunk, expired: Int64)? {
        // While the first event is kept, so is the beginning of the log, whose number is 0.
        hub.drainLogPortion().map { ($0, hub.oldestKept > 1 ? hub.oldestKept - 1 : -1) }
    }
}

/// Resources that need a frame.
struct DueResources {
    /// Watched resources that may have changed although nothing moves.
    var frames = DueFrames()
    /// Tracks that change with time alone, such as their pace; their motions are unchanged.
    var paces = DueFrames()
    /// Tracks whose motion must be sent to subscribers that interpolate.
    var motions = DueFrames()
    /// Moving tracks whose frames need more than a number.
    var extended = ExtendedFrames()

    /// Resources whose formats are being compiled for a reader's locale; they are retried at the next tick.
    var waiting = DueFrames()

    var hasFrames: Bool { !frames.isEmpty || !paces.isEmpty || !waiting.isEmpty }
    var isUnfinished: Bool { !extended.isEmpty || !motions.isEmpty }
}
