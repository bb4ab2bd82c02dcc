// For ThreadSanitizer alone: it doesn't know `Synchronization.Mutex`, and so reports everything that one guards. It knows
// pthread mutexes. `sanitize` puts this file into a copy of each target that uses the other; the name shadows it.

import Glibc

/// A value that only one thread at a time can get at.
@safe
final class Mutex<Value: ~Copyable>: @unchecked Sendable {
    // Sendable because the value is touched with the lock held, and nowhere else.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    func withLock<Answer: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
