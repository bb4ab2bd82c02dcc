// A value that one thread changes and another waits for: tests wait for what is observable, never for time.

import Glibc

/// A locked value with a condition.
@safe final class Watched<Value: Sendable>: @unchecked Sendable {
    // @unchecked because: `value` is only touched under `mutex`; the two handles never move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    @discardableResult
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return change(&value)
    }

    var current: Value { update { $0 } }

    /// Waits until a condition holds.
    /// - Parameter seconds: A bound for broken code.
    /// - Returns: false when the bound was reached first.
    @discardableResult
    func wait(_ seconds: Int = 60, until condition: (Value) -> Bool) -> Bool {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !condition(value) {
            if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return condition(value) }
        }
        return true
    }
}

/// Waits until something that tells nobody of its changes has come about, looking every millisecond.
func eventually(within seconds: Double = 60, _ condition: () -> Bool) -> Bool {
    let start = ContinuousClock.now
    while !condition() {
        if ContinuousClock.now - start > .seconds(seconds) { return condition() }
        usleep(1_000)
    }
    return true
}
