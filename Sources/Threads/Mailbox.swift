// The way into a thread that owns state: others post, the owner takes all that wait at once, and sleeps until
// something is posted or a deadline comes.

import Glibc

/// A bounded mailbox with one owner. A pthread mutex and condition, because the owner must sleep on both a message and
/// an absolute monotonic deadline, which no lock of the standard library offers.
@safe package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // @unchecked because: `messages` and `isClosed` are only touched under `mutex`; the two handles never move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var messages: [Message] = []
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
    package func post(_ message: Message, urgent: Bool = false) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        let taken = !isClosed && (urgent || messages.count < capacity)
        if taken { messages.append(message) }
        let isFirst = taken && messages.count == 1
        unsafe pthread_mutex_unlock(mutex)
        // Only the first message of a batch can find the owner asleep.
        if isFirst { unsafe pthread_cond_signal(condition) }
        return taken
    }

    /// Messages that wait.
    package var count: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return messages.count
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
    ///   - deadline: Monotonic nanoseconds; nil waits for ever.
    /// - Returns: false when the mailbox is closed and empty.
    package func take(into batch: inout [Message], until deadline: Int64?) -> Bool {
        batch.removeAll(keepingCapacity: true)
        unsafe pthread_mutex_lock(mutex)
        while messages.isEmpty, !isClosed {
            if let deadline {
                var time = timespec(
                    tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
                if unsafe pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
            } else {
                unsafe pthread_cond_wait(condition, mutex)
            }
        }
        swap(&batch, &messages)
        let goesOn = !isClosed || !batch.isEmpty
        unsafe pthread_mutex_unlock(mutex)
        return goesOn
    }

    /// Takes what has waited longest, sleeping until there is something: for threads that share a mailbox.
    /// - Returns: nil when the mailbox is closed and empty.
    package func takeFirst() -> Message? {
        unsafe pthread_mutex_lock(mutex)
        while messages.isEmpty, !isClosed { unsafe pthread_cond_wait(condition, mutex) }
        let message = messages.isEmpty ? nil : messages.removeFirst()
        let others = !messages.isEmpty
        unsafe pthread_mutex_unlock(mutex)
        // Of several posts only the first has woken somebody.
        if others { unsafe pthread_cond_signal(condition) }
        return message
    }
}
