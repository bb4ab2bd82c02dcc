// Returns space freed by deletions to the file system, in steps between commits. While there are commits, it leaves some
// free for them; when there are none, it leaves almost none.

import Storage

/// Shrinks the file of one database, for the thread that commits to it.
final class Reclaimer {
    /// Pages of 4 KiB returned per step. A step takes a few milliseconds, which may delay a commit.
    static let portion = 128
    /// Nanoseconds between two steps while there are commits.
    static let pause: Int64 = 250_000_000
    /// Nanoseconds without a commit after which the store counts as idle.
    static let idle: Int64 = 1_000_000_000
    /// While there are commits, this many free pages stay, or one page in `spareShare` of the file if that is more. The journal
    /// alone uses and frees half of `spare` again and again.
    static let spare = 1_024
    static let spareShare = 4
    /// Free pages, or deletions waiting in the journal, that are too few for a step.
    static let few = 16

    private let schema: Schema
    private let checkpointer: Checkpointer
    private var lastCommit: Int64 = 0
    /// The time of the next check while there are commits.
    private var next: Int64 = 0
    /// Pages were returned but the file still has them: it is truncated once the log has been moved.
    private var isFileTooLong = false

    init(_ schema: Schema, _ checkpointer: Checkpointer) {
        self.schema = schema
        self.checkpointer = checkpointer
    }

    /// Takes a step if one is due.
    /// - Parameters:
    ///   - now: Monotonic nanoseconds.
    ///   - wasAsked: The store has just received work.
    /// - Returns: When to call again without a commit; nil if nothing is left to do.
    func continueIfDue(at now: Int64, wasAsked: Bool) -> Int64? {
        if wasAsked { lastCommit = now }
        let isIdle = now - lastCommit >= Self.idle
        guard isIdle || now >= next else { return lastCommit + Self.idle }
        next = now + Self.pause
        do throws(StoreError) {
            if try step(isIdle) { return isIdle ? now : next }
        } catch {
            // For example, the disk is full.
            return isIdle ? now + Self.idle : lastCommit + Self.idle
        }
        guard isIdle else { return lastCommit + Self.idle }
        guard isFileTooLong else { return nil }
        isFileTooLong = !checkpointer.moveAll()
        return isFileTooLong ? now + Self.idle : nil
    }

    /// - Returns: Whether there may be more to return.
    private func step(_ isIdle: Bool) throws(StoreError) -> Bool {
        if isIdle, try schema.settleDeletions(beyond: Self.few) {
            checkpointer.checkLog()
            return true
        }
        let connection = schema.connection
        let free = try connection.freePages()
        let pages = Int(try connection.value("PRAGMA page_count")) ?? 0
        let left = isIdle ? Self.few : max(Self.spare, pages / Self.spareShare)
        guard free > left else { return false }
        let rest = try connection.giveBack(pages: min(Self.portion, free))
        checkpointer.checkLog()
        guard rest < free else { return false }
        isFileTooLong = true
        return true
    }
}
