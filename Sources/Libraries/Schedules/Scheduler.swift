// Runs a book of schedules by a clock, and notifies observers.

import Tween

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Schedules that fire by themselves, as long as the scheduler is kept.
///
/// Everything runs on the main actor. While nothing is due nothing runs: there is one sleep, until the next due date. All
/// times follow the clock's date, so setting the date also moves the ends of intervals.
@MainActor
public final class Scheduler<Action: Sendable> {
    /// An event to report, and the closure of its schedule.
    private struct Message {
        let event: ScheduleEvent<Action>
        let perform: (@MainActor (ScheduleFiring<Action>) -> Void)?
    }

    /// The most events that wait for a reader of ``events``; older ones are dropped.
    public nonisolated static var maximumWaitingEvents: Int { 1_000 }
    /// The most firings in a row. The main actor gets time for other work before the next ones.
    public nonisolated static var maximumFiringsAtOnce: Int { 1_000 }

    /// All schedules. Storing this is enough to continue in the next launch.
    public private(set) var book: ScheduleBook<Action>
    private let clock: any DateClock
    private let observers = Observers<ScheduleEvent<Action>>()
    /// The closures of single schedules, removed with them.
    private var closures: [String: @MainActor (ScheduleFiring<Action>) -> Void] = [:]
    private var readers: [Int: AsyncStream<ScheduleEvent<Action>>.Continuation] = [:]
    private var lastReader = 0
    private var untold: [Message] = []
    private var isTelling = false
    /// Sleeps until something is due.
    private var alarm: Task<Void, Never>?
    private var deadline: Instant?
    /// The alarm is firing due schedules; it then sets itself again.
    private var isRinging = false

    /// Starts a book.
    ///
    /// What was due since it was stored fires once the caller releases the main actor, so that observers can be added
    /// before. Rules that skip missed firings do so.
    ///
    /// - Parameters:
    ///   - book: a stored book, or an empty one; a paused one waits for ``resumeAll()``.
    ///   - clock: the date.
    public init(_ book: ScheduleBook<Action> = ScheduleBook(), on clock: any DateClock = WallClock()) {
        self.book = book
        self.clock = clock
        untold = messages(self.book.skipMissed(at: clock.present))
        if !untold.isEmpty { Task { [weak self] in self?.report([]) } }
        wait()
    }

    deinit {
        alarm?.cancel()
        for reader in readers.values { reader.finish() }
    }

    // MARK: - Schedules

    /// Adds a schedule, replacing one with the same ID.
    ///
    /// - Parameters:
    ///   - rule: when it fires.
    ///   - action: the action to perform, passed to observers.
    ///   - id: its ID; nil creates one.
    ///   - perform: called when it fires, before observers. It is removed with the schedule, and isn't stored.
    /// - Returns: Its ID.
    /// - Throws: ``ScheduleError``; nothing has changed then.
    @discardableResult
    public func schedule(
        _ rule: ScheduleRule, _ action: Action, id: String? = nil,
        perform: (@MainActor (ScheduleFiring<Action>) -> Void)? = nil
    ) throws(ScheduleError) -> String {
        let id = id ?? UUID().uuidString
        let events = try book.schedule(rule, action, id: id, at: clock.present)
        closures[id] = perform
        handle(events)
        return id
    }

    /// Cancels a schedule. Does nothing if there is none with this ID.
    public func cancel(_ id: String) { handle(book.cancel(id)) }

    /// Cancels all schedules.
    public func cancelAll() { handle(book.cancelAll()) }

    /// Pauses a schedule: an interval keeps its remaining time, a date stays.
    public func pause(_ id: String) { handle(book.pause(id, at: clock.present)) }

    /// Resumes a schedule. A date that has passed meanwhile fires.
    public func resume(_ id: String) { handle(book.resume(id, at: clock.present)) }

    /// Pauses all schedules.
    public func pauseAll() { handle(book.pauseAll(at: clock.present)) }

    /// Resumes all schedules that aren't paused themselves.
    public func resumeAll() { handle(book.resumeAll(at: clock.present)) }

    /// Whether all schedules are paused.
    public var isPaused: Bool { book.isPaused }

    // MARK: - Observers

    /// Calls a closure for every event, as long as the token is kept.
    public func onEvent(_ observe: @escaping @MainActor (ScheduleEvent<Action>) -> Void) -> ScheduleObservation {
        observers.add(observe)
    }

    /// Calls a closure for every firing, as long as the token is kept.
    public func onFire(_ perform: @escaping @MainActor (ScheduleFiring<Action>) -> Void) -> ScheduleObservation {
        observers.add { event in
            if case .fired(let firing) = event { perform(firing) }
        }
    }

    /// The events from now on, for `for await`; the stream ends with the scheduler. A slow reader loses the oldest events
    /// beyond ``maximumWaitingEvents``.
    public var events: AsyncStream<ScheduleEvent<Action>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ScheduleEvent<Action>.self, bufferingPolicy: .bufferingNewest(Self.maximumWaitingEvents))
        lastReader += 1
        let reader = lastReader
        readers[reader] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor [weak self] in self?.readers[reader] = nil }
        }
        return stream
    }

    /// Reports events, after any that are being reported, so that all observers receive them in the same order.
    private func report(_ events: [ScheduleEvent<Action>]) {
        untold += messages(events)
        guard !isTelling else { return }
        isTelling = true
        while !untold.isEmpty {
            let messages = untold
            untold = []
            for message in messages { report(message) }
        }
        isTelling = false
    }

    private func report(_ message: Message) {
        if case .fired(let firing) = message.event { message.perform?(firing) }
        observers.report(message.event)
        for reader in readers.values { reader.yield(message.event) }
    }

    /// Returns events with the closures to call, before another schedule can replace those.
    private func messages(_ events: [ScheduleEvent<Action>]) -> [Message] {
        events.map { event in
            switch event {
            case .fired(let firing): return Message(event: event, perform: closures[firing.id])
            case .removed(let id, _):
                closures[id] = nil
                return Message(event: event, perform: nil)
            case .scheduled, .skipped, .paused, .resumed: return Message(event: event, perform: nil)
            }
        }
    }

    // MARK: - Time

    private func handle(_ events: [ScheduleEvent<Action>]) {
        wait()
        report(events)
    }

    /// Sets the alarm to the next due date.
    private func wait() {
        guard !isRinging, deadline != book.nextDue else { return }
        alarm?.cancel()
        deadline = book.nextDue
        guard let first = deadline else { return }
        alarm = Task { [weak self, clock] in
            let loop = FrameLoop()
            await loop.run {
                var next: Instant? = first
                while let deadline = next {
                    do { try await clock.sleep(until: deadline) } catch { return }
                    next = self?.ring()
                    await Task.yield()
                }
            }
            loop.end()
        }
    }

    /// Fires what is due, one after another, since a firing may cancel the next one.
    /// - Returns: When the alarm must ring again.
    private func ring() -> Instant? {
        // Another alarm was set while this one woke.
        guard !Task.isCancelled else { return nil }
        let now = clock.present
        isRinging = true
        for _ in 0..<Self.maximumFiringsAtOnce {
            guard let events = book.fireNext(dueBy: now) else { break }
            report(events)
        }
        isRinging = false
        deadline = book.nextDue
        return deadline
    }
}
