// What is due on a board, in which order it is done, and how much of an advance is used up.

import Base
import Tween

/// Due instants: ends of motions and removals of expired tracks by the track's slot, firings by the schedule's slot.
struct Agenda {
    /// The next step.
    struct Turn {
        let isEnd: Bool
        /// nil if nothing was due after all.
        let entry: (slot: Int, due: Instant)?
        /// The work before this step.
        fileprivate let before: Int
    }

    private var ends = FairTimetable()
    private var firings = FairTimetable()
    /// The last advance didn't finish: the order is by fairness, not by due instant.
    private(set) var isBehind = false
    /// Work since the last advance began.
    private(set) var work = AdvanceWork()
    /// The parts of `work` that ends and firings took.
    private var shares = (ends: 0, firings: 0)
    /// The instant of the last advance or command, and what actions have set off at it. Commands of a batch share an instant.
    private var present = Instant(nanoseconds: .min)
    private var consequences: Int64 = 0

    init() {}

    // MARK: - Dates

    mutating func setEnd(_ slot: Int, due: Instant?) { ends.set(slot, due: due) }

    mutating func setFiring(_ slot: Int, due: Instant?) { firings.set(slot, due: due) }

    /// Returns when a track is due that has not fallen behind; nil if it has no such entry.
    func end(of slot: Int) -> Instant? { ends.due(of: slot) }

    /// Returns the earliest instant at which something is due.
    /// - Parameter isPaused: No schedule fires, even if the pause has not been applied to each of them yet.
    func first(isPaused: Bool) -> Instant? {
        switch (ends.first, isPaused ? nil : firings.first) {
        case (let one?, let other?): min(one, other)
        case (let one?, nil): one
        case (nil, let other): other
        }
    }

    // MARK: - An advance

    mutating func begin(at now: Instant) {
        work = AdvanceWork()
        shares = (0, 0)
        beginCommand(at: now)
    }

    mutating func beginCommand(at now: Instant) {
        if now != present { (present, consequences) = (now, 0) }
    }

    /// Returns an instant for the next consequence of an action: consequences follow each other in the order of the actions.
    /// - Parameter soonest: The instant for the first one.
    mutating func place(notBefore soonest: Instant) -> Instant {
        defer { consequences += 1 }
        return soonest.advanced(byNanoseconds: consequences.multipliedSaturated(by: Self.spacing))
    }

    /// Nanoseconds between consequences: more than the rounding of an instant.
    private static let spacing: Int64 = 100

    /// Queues what is overdue, after an advance that didn't finish.
    /// - Parameters:
    ///   - limit: The most ends to queue, and the most firings. The rest is queued by later calls.
    ///   - endWork: The estimated work of a track's step.
    ///   - firingWork: The estimated work of a schedule's step.
    mutating func queueUp(
        dueBy now: Instant, limit: Int, isPaused: Bool, endWork: (Int) -> Int, firingWork: (Int) -> Int
    ) {
        ends.queueUp(dueBy: now, limit: limit, work: endWork)
        if !isPaused { firings.queueUp(dueBy: now, limit: limit, work: firingWork) }
    }

    /// Removes and returns the next end or firing; one of them is due.
    mutating func next(by now: Instant, isPaused: Bool) -> Turn {
        let before = work.units
        work.countStep()
        let isEnd = isEndNext(by: now, isPaused: isPaused)
        let entry = isEnd ? ends.next(dueBy: now) : firings.next(dueBy: now)
        return Turn(isEnd: isEnd, entry: entry, before: before)
    }

    private func isEndNext(by now: Instant, isPaused: Bool) -> Bool {
        let end = ends.first ?? Instant(nanoseconds: .max)
        let firing = (isPaused ? nil : firings.first) ?? Instant(nanoseconds: .max)
        return isBehind && max(end, firing) <= now ? shares.ends <= shares.firings : end <= firing
    }

    /// Charges the work of a finished step to its slot.
    mutating func charge(_ turn: Turn) {
        let spent = work.units - turn.before
        if turn.isEnd { shares.ends += spent } else { shares.firings += spent }
        guard isBehind, let slot = turn.entry?.slot else { return }
        if turn.isEnd { ends.charge(slot, spent) } else { firings.charge(slot, spent) }
    }

    mutating func count(_ list: ActionList) { work.count(list) }

    mutating func count(_ event: BoardEvent) { work.count(event) }

    /// Notes that an advance stopped before everything due was done.
    mutating func fallBehind() { isBehind = true }

    /// Notes that everything due is done.
    mutating func catchUp() {
        guard isBehind else { return }
        ends.catchUp()
        firings.catchUp()
        isBehind = false
    }

    // MARK: - Bytes

    /// Appends all entries in their order, and what the instant has set off so far: its other commands may follow.
    /// - Parameters:
    ///   - end: When a track is due by its own state.
    ///   - firing: When a schedule is due by its own state.
    func write(to writer: inout ByteWriter, end: (Int) -> Instant?, firing: (Int) -> Instant?) {
        ends.write(to: &writer, due: end)
        firings.write(to: &writer, due: firing)
        writer.number(present.nanoseconds)
        writer.number(consequences)
    }

    /// Reads what `write` wrote.
    /// - Parameters:
    ///   - ends: When tracks are due by their own state, by slot.
    ///   - firings: When schedules are due, by slot.
    init(
        from reader: inout ByteReader, isBehind: Bool, ends: [Instant?], firings: [Instant?]
    ) throws(ByteReader.Damage) {
        self.isBehind = isBehind
        self.ends = try FairTimetable(from: &reader, slots: ends.count) { ends[$0] }
        self.firings = try FairTimetable(from: &reader, slots: firings.count) { firings[$0] }
        present = try reader.instant()
        consequences = try reader.signed()
    }
}
