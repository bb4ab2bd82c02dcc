// Carries out a book of schedules by a clock, and tells who wants to know.

import Tween

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Schedules that happen by themselves, as long as the scheduler is kept.
///
/// All of it lives on the main actor. While nothing is due nothing runs: there is one sleep, until the next date. Everything
/// goes by the clock's date: one that is set anew brings intervals nearer or moves them away, too.
@MainActor
public final class Scheduler<Action: Sendable> {
    /// Something to tell, and the closure of the schedule that it is about.
    private struct Message {
        let event: ScheduleEvent<Action>
        let perform: (@MainActor (ScheduleFiring<Action>) -> Void)?
    }

    /// The most events that wait for a reader of ``events``; older ones go.
    public nonisolated static var maximumWaitingEvents: Int { 1_000 }
    /// The most firings in one go; the main actor has time for others before the next ones.
    public nonisolated static var maximumFiringsAtOnce: Int { 1_000 }

    /// Everything that is scheduled. Whoever stores it has stored all that the next launch needs.
    public private(set) var book: ScheduleBook<Action>
    private let clock: any DateClock
    private let observers = Observers<ScheduleEvent<Action>>()
    /// What single schedules call: gone with them, so there are never more.
    private var closures: [String: @MainActor (ScheduleFiring<Action>) -> Void] = [:]
    private var readers: [Int: AsyncStream<ScheduleEvent<Action>>.Continuation] = [:]
    private var lastReader = 0
    private var untold: [Message] = []
    private var isTelling = false
    /// What sleeps until something is due.
    private var alarm: Task<Void, Never>?
    private var deadline: Instant?
    /// The alarm carries out what was due; it goes on by itself.
    private var isRinging = false

    /// Starts a book.
    ///
    /// What fell due since it was stored fires once the caller lets the main actor go, so that observers can be put in place
    /// before; rules that skip what they missed do so.
    ///
    /// - Parameters:
    ///   - book: what was stored, or an empty one; a paused one waits for ``resumeAll()``.
    ///   - clock: the date.
    public init(_ book: ScheduleBook<Action> = ScheduleBook(), on clock: any DateClock = WallClock()) {
        self.book = book
        self.clock = clock
        untold = messages(self.book.skipMissed(at: clock.present))
        if !untold.isEmpty { Task { [weak self] in self?.tell([]) } }
        wait()
    }

    deinit {
        alarm?.cancel()
        for reader in readers.values { reader.finish() }
    }

    // MARK: - Schedules

    /// Puts a schedule in, in place of one of the same name.
    ///
    /// - Parameters:
    ///   - rule: when it fires.
    ///   - action: what is to be done; observers are told it.
    ///   - id: its name; nil makes one.
    ///   - perform: called when it fires, before observers are told. It goes with the schedule, and isn't stored.
    /// - Returns: Its name.
    /// - Throws: ``ScheduleError``, and nothing has changed.
    @discardableResult
    public func schedule(
        _ rule: ScheduleRule, _ action: Action, id: String? = nil,
        perform: (@MainActor (ScheduleFiring<Action>) -> Void)? = nil
    ) throws(ScheduleError) -> String {
        let id = id ?? UUID().uuidString
        let events = try book.schedule(rule, action, id: id, at: clock.present)
        closures[id] = perform
        follow(events)
        return id
    }

    /// Takes a schedule out. Nothing happens where there is none of that name.
    public func cancel(_ id: String) { follow(book.cancel(id)) }

    /// Takes all of them out.
    public func cancelAll() { follow(book.cancelAll()) }

    /// Holds a schedule: what is left of an interval is kept, a date stays.
    public func pause(_ id: String) { follow(book.pause(id, at: clock.present)) }

    /// Lets a schedule go on; a date that has passed meanwhile fires.
    public func resume(_ id: String) { follow(book.resume(id, at: clock.present)) }

    /// Holds all of them.
    public func pauseAll() { follow(book.pauseAll(at: clock.present)) }

    /// Lets all of them go on that aren't held by themselves.
    public func resumeAll() { follow(book.resumeAll(at: clock.present)) }

    /// Whether all are held.
    public var isPaused: Bool { book.isPaused }

    // MARK: - Observers

    /// Tells every event, as long as the token is kept.
    public func onEvent(_ observe: @escaping @MainActor (ScheduleEvent<Action>) -> Void) -> ScheduleObservation {
        observers.add(observe)
    }

    /// Tells every firing, as long as the token is kept.
    public func onFire(_ perform: @escaping @MainActor (ScheduleFiring<Action>) -> Void) -> ScheduleObservation {
        observers.add { event in
            if case .fired(let firing) = event { perform(firing) }
        }
    }

    /// What happens from now on, for `for await`; it ends with the scheduler. A reader that lags loses the oldest beyond
    /// ``maximumWaitingEvents``.
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

    /// Tells events, after those that are being told: everyone hears them in the order in which they happened.
    private func tell(_ events: [ScheduleEvent<Action>]) {
        untold += messages(events)
        guard !isTelling else { return }
        isTelling = true
        while !untold.isEmpty {
            let messages = untold
            untold = []
            for message in messages { tell(message) }
        }
        isTelling = false
    }

    private func tell(_ message: Message) {
        if case .fired(let firing) = message.event { message.perform?(firing) }
        observers.tell(message.event)
        for reader in readers.values { reader.yield(message.event) }
    }

    /// Events with what is to be called for them, whatever is scheduled in their place before they are told.
    private func messages(_ events: [ScheduleEvent<Action>]) -> [Message] {
        events.map { event in
            switch event {
            case .fired(let firing): return Message(event: event, perform: closures[firing.id])
            case .removed(let id, _):
                closures[id] = nil
                return Message(event: event, perform: nil)
            default: return Message(event: event, perform: nil)
            }
        }
    }

    // MARK: - Time

    private func follow(_ events: [ScheduleEvent<Action>]) {
        wait()
        tell(events)
    }

    /// Has the alarm sleep until the next date.
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

    /// Carries out what is due, one firing after the other: what it calls may cancel the next.
    /// - Returns: When the alarm is to ring again.
    private func ring() -> Instant? {
        // Another alarm was set while this one woke.
        guard !Task.isCancelled else { return nil }
        let now = clock.present
        isRinging = true
        for _ in 0..<Self.maximumFiringsAtOnce {
            guard let events = book.fireNext(dueBy: now) else { break }
            tell(events)
        }
        isRinging = false
        deadline = book.nextDue
        return deadline
    }
}
