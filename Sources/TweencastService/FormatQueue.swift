// Requests whose number formats are new wait here until those are compiled: on a thread of its own, a few formats of each
// in turn, so that neither ticks nor other requests wait for locale data.

import Board
import Labels
import Synchronization
import Threads
import Wire

/// Compiles formats for requests.
final class FormatQueue: Sendable {
    /// A request that waits for its formats.
    struct Job: Sendable {
        /// Those that were not known.
        var uses: [FormatUse]
        var failures: [Failure] = []
        /// Goes on with the request; on the queue's thread.
        let finish: @Sendable ([Failure]) -> Void
    }

    /// A format that can't be taken.
    struct Failure: Sendable {
        var line: Int
        var problem: Problem
    }

    /// The most requests that may wait.
    static let capacity = 1_000
    /// Formats that are compiled for one request before the next has its turn.
    private static let turn = 8

    private let planner: LocalePlanner
    private let waiting = Mailbox<Job>(capacity: FormatQueue.capacity)
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ planner: LocalePlanner) {
        self.planner = planner
    }

    /// - Returns: false when the system has no thread to give.
    func start() -> Bool {
        let thread = OwnedThread(name: "formats") { [self] in
            while let job = waiting.takeFirst() { work(on: job) }
        }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Refuses what waits and ends the thread.
    func stop() {
        isStopping.store(true, ordering: .relaxed)
        waiting.close()
        thread.withLock { $0.take() }?.join()
    }

    /// Goes on with a request when its formats are compiled: at once where they are known.
    /// - Parameter finish: Told what can't be taken.
    /// - Returns: false when too many wait.
    func prepare(_ uses: [FormatUse], finish: @escaping @Sendable ([Failure]) -> Void) -> Bool {
        var failures: [Failure] = []
        var new: [FormatUse] = []
        var seen: Set<NumberFormat> = []
        for use in uses {
            if seen.count >= FormatUse.maximumCount, !seen.contains(use.format) {
                failures.append(Failure(line: use.line, problem: use.isOneTooMany))
                continue
            }
            seen.insert(use.format)
            if !planner.knows(use.format) { new.append(use) }
        }
        guard !new.isEmpty else {
            finish(failures)
            return true
        }
        return waiting.post(Job(uses: new, failures: failures, finish: finish))
    }

    private func work(on job: Job) {
        var job = job
        if isStopping.load(ordering: .relaxed) {
            let problem = Problem(503, "Service Unavailable", "the server is shutting down", retryAfter: 5)
            job.failures += job.uses.map { Failure(line: $0.line, problem: problem) }
            job.uses = []
        }
        for use in job.uses.prefix(Self.turn) {
            do throws(CommandError) {
                try planner.prepare(use.format)
            } catch {
                job.failures.append(Failure(line: use.line, problem: use.problem(error)))
            }
        }
        job.uses.removeFirst(min(Self.turn, job.uses.count))
        // What waits behind it comes first.
        guard job.uses.isEmpty || !waiting.post(job, urgent: true) else { return }
        if job.uses.isEmpty { return job.finish(job.failures) }
        work(on: job)
    }
}
