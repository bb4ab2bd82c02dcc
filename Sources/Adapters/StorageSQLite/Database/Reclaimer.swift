// Gives space back to the file system that deletions have left in the file, in steps between commits: as long as others
// commit some of it is left for what comes, and when nobody does nothing is.

import Storage

/// Makes the file of one database smaller, for the thread that commits to it.
final class Reclaimer {
    /// Pages, of 4 KiB, that are given back in a step. It takes a few milliseconds, for which a commit may have to wait.
    static let portion = 128
    /// Nanoseconds between two steps while others commit.
    static let pause: Int64 = 250_000_000
    /// Nanoseconds without a commit from which on nobody is held up.
    static let idle: Int64 = 1_000_000_000
    /// While others commit so many free pages are left, or a share of the file where that is more: the journal alone uses
    /// and frees half of these again and again.
    static let spare = 1_024
    static let spareShare = 4
    /// Free pages, or deletions that wait in the journal, that are not worth a step.
    static let few = 16

    private let schema: Schema
    private let checkpointer: Checkpointer
    private var lastCommit: Int64 = 0
    /// When to look again while others commit.
    private var next: Int64 = 0
    /// Pages were given back that the file still has: its end is cut off when the log has been moved.
    private var isFileTooLong = false

    init(_ schema: Schema, _ checkpointer: Checkpointer) {
        self.schema = schema
        self.checkpointer = checkpointer
    }

    /// Takes a step if it is time for one.
    /// - Parameters:
    ///   - now: Monotonic nanoseconds.
    ///   - wasAsked: The store has just been given something to do.
    /// - Returns: When to come back though nobody commits; nil where there is nothing left to do.
    func follow(at now: Int64, wasAsked: Bool) -> Int64? {
        if wasAsked { lastCommit = now }
        let isIdle = now - lastCommit >= Self.idle
        guard isIdle || now >= next else { return lastCommit + Self.idle }
        next = now + Self.pause
        do throws(StoreError) {
            if try step(isIdle) { return isIdle ? now : next }
        } catch {
            // As when the disk is full. It is tried again after the next commit.
            return isIdle ? nil : lastCommit + Self.idle
        }
        guard isIdle else { return lastCommit + Self.idle }
        guard isFileTooLong else { return nil }
        isFileTooLong = !checkpointer.moveAll()
        return isFileTooLong ? now + Self.idle : nil
    }

    /// - Returns: Whether there may be more to give back.
    private func step(_ isIdle: Bool) throws(StoreError) -> Bool {
        if isIdle, try schema.settleDeletions(beyond: Self.few) {
            checkpointer.follow()
            return true
        }
        let connection = schema.connection
        let free = try connection.freePages()
        let pages = Int(try connection.value("PRAGMA page_count")) ?? 0
        let left = isIdle ? Self.few : max(Self.spare, pages / Self.spareShare)
        guard free > left else { return false }
        let rest = try connection.giveBack(pages: min(Self.portion, free))
        checkpointer.follow()
        guard rest < free else { return false }
        isFileTooLong = true
        return true
    }
}
