// Runs tasks on the thread that waits for them. A command that asks once then starts none of the runtime's threads, which take
// longer than its work.

import Glibc

/// The main thread as an executor, from `run` on.
@safe final class MainThread: TaskExecutor, @unchecked Sendable {
    // @unchecked because: `jobs` is used under the lock.
    private var jobs: [UnownedJob] = []
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let hasJobs = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Lives as long as the process.
    static let executor = MainThread()

    private init() {
        unsafe pthread_mutex_init(lock, nil)
        unsafe pthread_cond_init(hasJobs, nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        unsafe pthread_mutex_lock(lock)
        jobs.append(job)
        unsafe pthread_cond_signal(hasJobs)
        unsafe pthread_mutex_unlock(lock)
    }

    /// Runs jobs until one of them ends the process.
    func run() -> Never {
        while true {
            unsafe pthread_mutex_lock(lock)
            while jobs.isEmpty { unsafe pthread_cond_wait(hasJobs, lock) }
            let ready = jobs
            jobs = []
            unsafe pthread_mutex_unlock(lock)
            for job in ready { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
