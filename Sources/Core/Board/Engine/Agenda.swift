// What is due on a board, whose turn it is, and how much of an advance is used up.

import Base
import Tween

/// Ends of motions and removals for age by the track's slot, firings by the schedule's.
struct Agenda {
    /// What is carried out next.
    struct Turn {
        let isEnd: Bool
        /// nil where nothing was due after all.
        let entry: (slot: Int, due: Instant)?
        /// The work that was done before it.
        fileprivate let before: Int
    }

    private var ends = FairTimetable()
    private var firings = FairTimetable()
    /// The last advance left something over: turns count, not dates.
    private(set) var isBehind = false
    /// Done since the last advance began.
    private(set) var work = AdvanceWork()
    /// Of that, what ends took, and what firings took.
    private var shares = (ends: 0, firings: 0)

    init() {}

    // MARK: - Dates

    mutating func setEnd(_ slot: Int, due: Instant?) { ends.set(slot, due: due) }

    mutating func setFiring(_ slot: Int, due: Instant?) { firings.set(slot, due: due) }

    /// When a track is due that is not behind; nil where it is not due at all.
    func end(of slot: Int) -> Instant? { ends.due(of: slot) }

    /// The earliest instant at which something is due.
    /// - Parameter isPaused: No schedule fires, whether each of them has been told yet or not.
    func first(isPaused: Bool) -> Instant? {
        switch (ends.first, isPaused ? nil : firings.first) {
        case (let one?, let other?): min(one, other)
        case (let one?, nil): one
        case (nil, let other): other
        }
    }

    // MARK: - An advance

    mutating func begin() {
        work = AdvanceWork()
        shares = (0, 0)
    }

    /// Lets what is overdue queue up for its turn, where the last advance left something over.
    /// - Parameters:
    ///   - limit: The most ends, and the most firings; the rest has to wait for a place.
    ///   - endWork: About what a track's turn will take.
    ///   - firingWork: About what a schedule's turn will take.
    mutating func queueUp(
        dueBy now: Instant, limit: Int, isPaused: Bool, endWork: (Int) -> Int, firingWork: (Int) -> Int
    ) {
        ends.queueUp(dueBy: now, limit: limit, work: endWork)
        if !isPaused { firings.queueUp(dueBy: now, limit: limit, work: firingWork) }
    }

    /// Takes what is next, an end or a firing; one of them is due.
    mutating func next(by now: Instant, isPaused: Bool) -> Turn {
        let before = work.total
        work.steps += 1
        let isEnd = isEndNext(by: now, isPaused: isPaused)
        let entry = isEnd ? ends.next(dueBy: now) : firings.next(dueBy: now)
        return Turn(isEnd: isEnd, entry: entry, before: before)
    }

    private func isEndNext(by now: Instant, isPaused: Bool) -> Bool {
        let end = ends.first ?? Instant(nanoseconds: .max)
        let firing = (isPaused ? nil : firings.first) ?? Instant(nanoseconds: .max)
        return isBehind && max(end, firing) <= now ? shares.ends <= shares.firings : end <= firing
    }

    /// A turn is over.
    mutating func charge(_ turn: Turn) {
        let spent = work.total - turn.before
        if turn.isEnd { shares.ends += spent } else { shares.firings += spent }
        guard isBehind, let slot = turn.entry?.slot else { return }
        if turn.isEnd { ends.charge(slot, spent) } else { firings.charge(slot, spent) }
    }

    mutating func count(actions: Int) { work.actions += actions }

    mutating func count(_ event: BoardEvent) { work.bytes += event.byteCount }

    /// An advance ends before all is done.
    mutating func fallBehind() { isBehind = true }

    /// All that was due is done.
    mutating func catchUp() {
        guard isBehind else { return }
        ends.catchUp()
        firings.catchUp()
        isBehind = false
    }

    // MARK: - Bytes

    /// Appends whose turn comes when.
    /// - Parameters:
    ///   - end: When a track is due by its own state.
    ///   - firing: When a schedule is.
    func write(to writer: inout ByteWriter, end: (Int) -> Instant?, firing: (Int) -> Instant?) {
        ends.write(to: &writer, due: end)
        firings.write(to: &writer, due: firing)
    }

    /// Takes back what `write` wrote.
    /// - Parameters:
    ///   - ends: By a track's slot, when it is due by its own state.
    ///   - firings: By a schedule's slot.
    init(
        from reader: inout ByteReader, isBehind: Bool, ends: [Instant?], firings: [Instant?]
    ) throws(ByteReader.Damage) {
        self.isBehind = isBehind
        self.ends = try FairTimetable(from: &reader, slots: ends.count) { ends[$0] }
        self.firings = try FairTimetable(from: &reader, slots: firings.count) { firings[$0] }
    }
}
