// Actions count towards the update rate of whoever posted them. Beyond it they are late: each list gets the next instant of
// its owner's rate, first come, first served. None is dropped for it.

import Base
package import Tween

/// The rate of each owner's actions, and the firings that are late.
struct ActionRates: Sendable {
    private var rates: RateTable
    /// Late firings by the schedule's slot, with the instants that were reserved for them.
    private var lateFirings: [Int: LateFiring] = [:]
    /// The same by owner: how many actions, and when the last of them run.
    private var lateActions: [String: (count: Int, last: Instant)] = [:]
    private var newlyLate = 0

    private struct LateFiring: Sendable {
        let owner: String
        let count: Int
        var turn: Instant
    }

    /// - Parameter rate: Actions a second of one owner; 0 for no limit.
    init(rate: Int) { rates = RateTable(rate: rate) }

    var rate: Int { rates.rate }

    /// Counts a list of actions.
    /// - Returns: When it is to run if its owner is beyond the rate; nil for at once.
    mutating func reserve(_ list: ActionList, at now: Instant) -> Instant? {
        guard let owner = list.owner, !list.actions.isEmpty else { return nil }
        guard let turn = rates.reserve(list.actions.count, of: owner, at: now.nanoseconds) else { return nil }
        newlyLate += list.actions.count
        return Instant(nanoseconds: turn)
    }

    /// Returns how late an owner's actions are.
    func debt(of owner: String, at now: Instant) -> ActionDebt {
        guard let late = lateActions[owner] else { return ActionDebt(actions: 0, seconds: 0) }
        return ActionDebt(actions: late.count, seconds: max(0, late.last.seconds(since: now)))
    }

    /// Removes and returns how many actions became late since the last call.
    mutating func drainLate() -> Int {
        defer { newlyLate = 0 }
        return newlyLate
    }

    // MARK: - Late firings

    /// Slots of schedules whose firings are late, sorted.
    var lateSlots: [Int] { lateFirings.keys.sorted() }

    /// - Parameter list: What fires, as it was counted.
    mutating func postpone(_ slot: Int, _ list: ActionList, to turn: Instant) {
        guard let owner = list.owner else { return }
        insert(LateFiring(owner: owner, count: list.actions.count, turn: turn), at: slot)
    }

    private mutating func insert(_ firing: LateFiring, at slot: Int) {
        lateFirings[slot] = firing
        let known = lateActions[firing.owner]
        lateActions[firing.owner] = ((known?.count ?? 0) + firing.count, max(known?.last ?? firing.turn, firing.turn))
    }

    /// Forgets a late firing.
    /// - Returns: Whether there was one: its actions are counted already.
    @discardableResult
    mutating func forget(_ slot: Int) -> Bool {
        // Nearly always empty, and then nothing is hashed.
        guard !lateFirings.isEmpty, let firing = lateFirings.removeValue(forKey: slot) else { return false }
        let count = (lateActions[firing.owner]?.count ?? 0) - firing.count
        if count > 0 { lateActions[firing.owner]?.count = count } else { lateActions[firing.owner] = nil }
        return true
    }

    /// Returns when a schedule fires that is due at `due` by its own state. One that is held is not late any more.
    mutating func due(_ slot: Int, of due: Instant?) -> Instant? {
        guard !lateFirings.isEmpty, let turn = lateFirings[slot]?.turn else { return due }
        guard let due else {
            forget(slot)
            return nil
        }
        return max(due, turn)
    }

    mutating func shift(byNanoseconds nanoseconds: Int64) {
        rates.shift(byNanoseconds: nanoseconds)
        for slot in lateFirings.keys { lateFirings[slot]?.turn.shift(byNanoseconds: nanoseconds) }
        for owner in lateActions.keys { lateActions[owner]?.last.shift(byNanoseconds: nanoseconds) }
    }

    // MARK: - Bytes

    func write(to writer: inout ByteWriter) {
        rates.write(to: &writer)
        writer.list(lateSlots) { writer, slot in
            guard let firing = lateFirings[slot] else { return }
            writer.count(slot)
            writer.text(firing.owner)
            writer.count(firing.count)
            writer.number(firing.turn.nanoseconds)
        }
        writer.list(lateActions.keys.sorted()) { $0.number(lateActions[$1]?.last.nanoseconds ?? 0) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        rates = try RateTable(from: &reader)
        for _ in 0..<(try reader.count()) {
            let (slot, owner, count) = (try reader.count(), try reader.text(), try reader.count())
            insert(LateFiring(owner: owner, count: count, turn: try reader.instant()), at: slot)
        }
        let lasts = try reader.list { (reader) throws(ByteReader.Damage) in try reader.instant() }
        guard lasts.count == lateActions.count else { throw ByteReader.Damage() }
        for (owner, last) in zip(lateActions.keys.sorted(), lasts) { lateActions[owner]?.last = last }
    }
}

/// What an owner's actions are behind.
package struct ActionDebt: Hashable, Sendable {
    /// How many actions are late.
    package let actions: Int
    /// In how many seconds the last of them run; never negative.
    package let seconds: Double
}

extension Instant {
    fileprivate mutating func shift(byNanoseconds nanoseconds: Int64) { self = advanced(byNanoseconds: nanoseconds) }
}

extension Engine {
    /// Actions a second of one owner; 0 for no limit.
    package var actionRate: Int { actionRates.rate }

    /// Removes and returns how many actions became late since the last call.
    package mutating func drainLateActions() -> Int { actionRates.drainLate() }

    /// Returns how late an owner's actions are.
    package func actionDebt(of owner: String, at now: Instant) -> ActionDebt { actionRates.debt(of: owner, at: now) }
}
