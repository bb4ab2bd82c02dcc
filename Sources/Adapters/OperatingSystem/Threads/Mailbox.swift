// The way into a thread that owns state: others post, the owner takes all that wait at once, and sleeps until
// something is posted or a deadline comes.

import Glibc

/// A bounded mailbox with one owner. A pthread mutex and condition, because the owner must sleep on both a message and
/// an absolute monotonic deadline, which no lock of the standard library offers.
@safe package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // @unchecked because: `messages`, `eldest` and `isClosed` are only touched under `mutex`; the two handles never move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var messages: [Message] = []
    /// Those that came before `messages`, the first one last: `takeFirst` turns a whole crowd round once and then takes
    /// from the end, which moves nothing.
    private var eldest: [Message] = []
    private var isClosed = false
    /// The most messages that may wait; over it a message is refused.
    private let capacity: Int

    package init(capacity: Int) {
        self.capacity = capacity
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// - Parameter urgent: Taken even when the mailbox is full: for what a thread must hear, such as an end.
    /// - Returns: false when it is full or closed: the message was not taken.
    package func post(_ message: consuming Message, urgent: Bool = false) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        let waiting = eldest.count + messages.count
        let taken = !isClosed && (urgent || waiting < capacity)
        if taken { messages.append(message) }
        let isFirst = taken && waiting == 0
        unsafe pthread_mutex_unlock(mutex)
        // Only the first message of a batch can find the owner asleep.
        if isFirst { unsafe pthread_cond_signal(condition) }
        return taken
    }

    /// Messages that wait.
    package var count: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return eldest.count + messages.count
    }

    /// Refuses what comes from now on and wakes the owner.
    package func close() {
        unsafe pthread_mutex_lock(mutex)
        isClosed = true
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_broadcast(condition)
    }

    /// Takes everything that waits, sleeping until there is something or the deadline has come.
    /// - Parameters:
    ///   - batch: Emptied and filled; swapping keeps both buffers in use.
    ///   - deadline: Monotonic nanoseconds; one that has passed, however long ago, only looks. Nil waits for ever.
    /// - Returns: false when the mailbox is closed and empty.
    package func take(into batch: inout [Message], until deadline: Int64?) -> Bool {
        batch.removeAll(keepingCapacity: true)
        unsafe pthread_mutex_lock(mutex)
        while isEmpty, !isClosed {
            if let deadline {
                guard isWoken(by: deadline) else { break }
            } else {
                unsafe pthread_cond_wait(condition, mutex)
            }
        }
        if eldest.isEmpty {
            swap(&batch, &messages)
        } else {
            batch.append(contentsOf: eldest.reversed())
            batch.append(contentsOf: messages)
            eldest.removeAll()
            messages.removeAll(keepingCapacity: true)
        }
        let goesOn = !isClosed || !batch.isEmpty
        unsafe pthread_mutex_unlock(mutex)
        return goesOn
    }

    private var isEmpty: Bool { messages.isEmpty && eldest.isEmpty }

    /// Sleeps, with the lock given up meanwhile.
    /// - Returns: false when the deadline has come, and when the wait was refused: whoever waited again then would hold
    ///   the lock for ever.
    private func isWoken(by deadline: Int64) -> Bool {
        // The system takes no time before its clock's zero, and what was due before the machine started has one.
        let instant = max(0, deadline)
        var time = timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// Takes what has waited longest, sleeping until there is something: for threads that share a mailbox.
    /// - Returns: nil when the mailbox is closed and empty.
    package func takeFirst() -> Message? {
        unsafe pthread_mutex_lock(mutex)
        while isEmpty, !isClosed { unsafe pthread_cond_wait(condition, mutex) }
        if eldest.isEmpty {
            eldest = messages.reversed()
            messages.removeAll(keepingCapacity: true)
        }
        let message = eldest.popLast()
        let others = !isEmpty
        unsafe pthread_mutex_unlock(mutex)
        // Of several posts only the first has woken somebody.
        if others { unsafe pthread_cond_signal(condition) }
        return message
    }
}
