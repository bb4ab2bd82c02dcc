// The queue into a thread that owns state. Others post; the owner takes all messages at once, and sleeps until one arrives
// or a deadline passes.

import Glibc

/// A bounded mailbox with one owner. Uses a pthread mutex and condition, because the owner sleeps on both a message and an
/// absolute monotonic deadline, which no lock of the standard library offers.
@safe package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // @unchecked because: `messages`, `eldest` and `isClosed` are only touched under `mutex`; the two handles never move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var messages: [Message] = []
    /// Messages older than `messages`, in reverse order: `receiveFirst` reverses a batch once and then pops from the end, which
    /// moves nothing.
    private var eldest: [Message] = []
    private var isClosed = false
    /// The most messages that may wait; further ones are rejected.
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

    /// Posts a message.
    /// - Parameter urgent: Accepted even when the mailbox is full, for what a thread must receive, such as a stop.
    /// - Returns: false when the mailbox is full or closed, and the message was rejected.
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

    /// The number of waiting messages.
    package var count: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return eldest.count + messages.count
    }

    /// Rejects later messages and wakes the owner.
    package func close() {
        unsafe pthread_mutex_lock(mutex)
        isClosed = true
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_broadcast(condition)
    }

    /// Takes all waiting messages, sleeping until there is one or the deadline passes.
    /// - Parameters:
    ///   - batch: Emptied and filled; swapping keeps both buffers in use.
    ///   - deadline: Monotonic nanoseconds; a past one returns at once. Nil waits forever.
    /// - Returns: false when the mailbox is closed and empty.
    package func receive(into batch: inout [Message], until deadline: Int64?) -> Bool {
        batch.removeAll(keepingCapacity: true)
        unsafe pthread_mutex_lock(mutex)
        while isEmpty, !isClosed {
            if let deadline {
                // A past deadline needs no system call.
                guard deadline > 0, isWoken(by: deadline) else { break }
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

    /// Sleeps, releasing the lock meanwhile.
    /// - Returns: false when the deadline has passed or the wait was rejected; waiting again would then never release the
    ///   lock.
    private func isWoken(by deadline: Int64) -> Bool {
        // The system rejects times before its clock's zero, and a deadline from before the boot is one.
        let instant = max(0, deadline)
        var time = timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// Takes the oldest message, sleeping until there is one. For threads that share a mailbox.
    /// - Returns: nil when the mailbox is closed and empty.
    package func receiveFirst() -> Message? {
        unsafe pthread_mutex_lock(mutex)
        while isEmpty, !isClosed { unsafe pthread_cond_wait(condition, mutex) }
        if eldest.isEmpty {
            eldest = messages.reversed()
            messages.removeAll(keepingCapacity: true)
        }
        let message = eldest.popLast()
        let others = !isEmpty
        unsafe pthread_mutex_unlock(mutex)
        // Only the first of several posts woke a thread.
        if others { unsafe pthread_cond_signal(condition) }
        return message
    }
}
