// From outcomes and samples to the hub: frames at ticks, events as they happened, greetings, and whatever time alone
// changes of what is shown. Owned by one thread; time is an argument. It changes nothing on the board but who watches.

package import Base
package import Board
package import EventStream
package import Machine
package import Tween
import Wire

/// Publishes what happens.
package final class Publisher {
    /// What streams are told of the server, and how long it takes to say farewell.
    package struct Configuration: Sendable {
        /// Ticks a second.
        package var tickRate = 60
        /// Seconds between heartbeats.
        package var heartbeat = 15.0
        /// Seconds a drain may take.
        package var drainTimeout = 10.0
        package var version = ""
        /// Pages may change nothing, and are told so.
        package var isReadOnly = false

        package init() {}
    }

    let configuration: Configuration
    let hub: Hub
    var grid: TickGrid
    var topics = TopicTable()
    var extras = FrameExtras()
    /// Reused for each tick's pass over what moves.
    var pass = FramePass()
    /// Reused for each frame's text.
    var text: [UInt8] = []
    var due = DueResources()
    let countdowns = Countdowns()
    let paceFrames = PaceFrames()
    /// Labels in the locales that readers asked for.
    package let readers: ReaderRenderings
    var locales = ReaderLocales()
    let lifecycle: StreamLifecycle
    /// Everything with a clock of its own.
    private let timed: [any Timed]
    /// Events were published since the last flush.
    var hasUnsent = false
    /// What is published waits for so many commits.
    private var openCommits = 0
    /// Until then, in monotonic nanoseconds.
    private var heldUntil: Int64 = 0
    /// Unix nanoseconds of the newest instant that a frame was stamped with.
    private var newestStamp = Int64.min
    /// What the last tick showed goes on.
    private var isFlowing = false
    /// Frames encoded so far, whatever the number of listeners.
    package internal(set) var frameCount: UInt64 = 0

    /// - Parameters:
    ///   - planner: Compiles formats in the locales of readers.
    ///   - seed: For the delays after which clients come back.
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

    /// Whether the next tick has something to send though nothing moves.
    package var wantsTick: Bool { due.hasFrames || hasUnsent }

    /// Whether the last tick left something that is made before the next.
    package var hasFramesToContinue: Bool { due.isUnfinished }

    /// The next instant at which something is due though nothing moves.
    package var nextDue: Instant? { timed.compactMap(\.nextDue).min() }

    /// The wall clock was set: what runs on elapsed time moves along.
    package func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        grid.shift(byNanoseconds: nanoseconds)
        newestStamp = newestStamp.addingSaturated(nanoseconds)
        // What is left of the last tick is of an instant on the old timeline.
        due.extended.leaveOutRest()
        for part in timed { part.shift(byNanoseconds: nanoseconds, at: now, in: engine) }
    }

    /// Carries out what fell due here.
    package func advance(to now: Instant, in machine: borrowing Machine) {
        while let slot = countdowns.next(by: now) { due.frames.add(.schedule(slot)) }
        sendBye(at: now)
        for piece in lifecycle.selfTests.take(at: now) {
            if piece.hasHeartbeat { hub.tell(piece.key, SSE.heartbeat) }
            if piece.isLast {
                hub.end(piece.key, with: piece.event, because: .completed)
            } else {
                hub.tell(piece.key, piece.event)
            }
            hasUnsent = true
        }
        while let slot = paceFrames.next(by: now) {
            guard let name = machine.engine.tracks[slot]?.name else { continue }
            due.paces.add(.track(slot))
            followPace(of: name, slot: slot, at: now, in: machine.engine)
        }
    }

    /// Tells what a turn brought about: its events at once, what changed with the next tick.
    package func publish(_ outcome: Outcome, of machine: inout Machine) {
        hub.advance(to: grid.monotonic(of: outcome.instant))
        for event in outcome.events { publish(event, of: machine, at: outcome.instant) }
        for name in outcome.changed { show(name, of: machine, at: outcome.instant) }
        for name in outcome.restored { show(name, of: machine, at: outcome.instant) }
        followSubscribers(of: &machine, at: outcome.instant)
    }

    /// One tick: a frame of everything that moved and is watched, and of what was changed; then one flush of it all.
    /// - Parameter number: The tick's number on the timetable.
    package func tick(_ number: Int64, of machine: inout Machine, at now: Instant) {
        newestStamp = max(newestStamp, now.nanoseconds)
        let stamp = FrameStamp(unixNanoseconds: now.nanoseconds, tick: number)
        hub.beginTick(at: grid.monotonic(of: now), follows: isFlowing)
        publishMoving(stamp, of: &machine, at: now)
        publishDue(stamp, of: machine, at: now)
        publishMotions(of: machine, at: now)
        flush(at: now)
        while let place = due.waiting.next() { due.frames.add(place) }
        isFlowing = wantsTick || machine.wantsTick
    }

    /// Sends events at once where no tick has anything to do; what else there is comes with the next.
    package func sendEvents(at now: Instant) {
        if hasUnsent, !hasFramesToContinue { flush(at: now) }
    }

    /// The longest that what is published waits for commits, in nanoseconds: a disk that stalls costs listeners a second, once.
    private static let longestHold: Int64 = 1_000_000_000

    /// What is told from here on goes out when a commit has returned: what tells it is kept by then, so that no restart
    /// tells it once more.
    package func hold(at now: Instant) {
        if openCommits == 0 { heldUntil = grid.monotonic(of: now).addingSaturated(Self.longestHold) }
        openCommits += 1
        hub.hold()
    }

    /// Whether something waits for a commit.
    package var isHeld: Bool { openCommits > 0 }

    /// Whether what is published now waits for a commit.
    package func keepsBack(at now: Instant) -> Bool { isHeld && grid.monotonic(of: now) < heldUntil }

    /// Such a commit has returned.
    package func release() { openCommits = max(0, openCommits - 1) }

    func flush(at now: Instant) {
        let time = grid.monotonic(of: now)
        if keepsBack(at: now) { return hub.flush(now: time, isHeld: true) }
        hub.flush(now: time)
        // Of those who came to be watched or ceased to be, the rest's turn is at the next tick.
        hasUnsent = hub.hasWatchChanges
    }

    /// The stamp of what is shown as of an instant: with the tick's number where it is one's. Where more fell due than a turn
    /// takes, what ended before the last tick is told behind it: nobody's frames go back in time.
    func stamp(at instant: Instant) -> FrameStamp {
        let tick = grid.tick(of: instant)
        if grid.instant(tick: tick) == instant { return FrameStamp(unixNanoseconds: instant.nanoseconds, tick: tick) }
        newestStamp = max(newestStamp, instant.nanoseconds)
        return FrameStamp(unixNanoseconds: newestStamp)
    }

    // MARK: - What others ask

    /// The newest event's id.
    package var lastEventID: EventID { hub.lastEventID }

    /// Whether a reader was told elsewhere what is still to come here.
    package func isBehind(_ request: StreamRequest) -> Bool { request.lastEventID.map(hub.isYetToCome) ?? false }
    /// Topics of all streams together.
    package var linkCount: Int { hub.linkCount }
    /// Names and prefixes of all streams together.
    package var patternCount: Int { hub.patternCount }
    /// Streams that came back with the id of an event and were told what they had missed.
    package var replayCount: UInt64 { hub.replayCount }
    /// How often streams were told that they can't be.
    package func resetCount(_ reason: ResetReason) -> UInt64 { hub.resetCounts[reason] ?? 0 }
    /// Bytes of events that are kept for replay.
    package var historyBytes: Int { hub.historyBytes }

    /// What a stream asked for, and how many topics it has; nil when it has gone.
    package func subscription(of key: StreamID) -> (patterns: [TopicPattern], topics: Int)? {
        hub.subscription(of: key)
    }

    /// Nanoseconds that a stream has been there that was opened at a time of the monotonic clock.
    package func age(ofStreamOpened opened: Int64, at now: Instant) -> Int64 {
        grid.monotonic(of: now).subtractingSaturated(opened)
    }

    /// Takes what was published since the last call, to be stored with the changes that it tells of.
    /// - Returns: The events, and the number up to which older ones are kept no more.
    package func takeLog() -> (events: EventLogChunk, expired: Int64)? {
        hub.takeLogPortion().map { ($0, hub.oldestKept - 1) }
    }
}

/// Resources with a frame to come.
struct DueResources {
    /// Watched resources that may show something else than their last frame, though nothing moves.
    var frames = DueFrames()
    /// Tracks of which time alone changes what is shown, as their pace: their motions are as they were told.
    var paces = DueFrames()
    /// Tracks whose motion those who interpolate by themselves are to be told.
    var motions = DueFrames()
    /// Those that move and take more than a number to show.
    var extended = ExtendedFrames()

    /// Those whose formats are being compiled in a reader's locale: they are looked at again at the next tick.
    var waiting = DueFrames()

    var hasFrames: Bool { !frames.isEmpty || !paces.isEmpty || !waiting.isEmpty }
    var isUnfinished: Bool { !extended.isEmpty || !motions.isEmpty }
}
