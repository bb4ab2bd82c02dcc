// Parallel work whose results keep the order of the inputs. With 100,000 records, one core would add a second to the start.

import Synchronization

/// Processes portions while more are added. The owner adds portions and then finishes, or stops.
package final class OrderedWork<Input: Sendable, Output: Sendable>: Sendable {
    private struct Item: Sendable {
        var number: Int
        var input: Input
    }

    private let make: @Sendable () -> (Input) -> Output
    private let waiting = Mailbox<Item>(capacity: .max)
    private let added = Atomic<Int>(0)
    private let isStopped = Atomic(false)
    private let done: Mutex<[Int: Output]> = Mutex([:])
    private let helpers: Mutex<[OwnedThread]> = Mutex([])

    /// Starts the threads.
    /// - Parameters:
    ///   - name: The prefix of the threads' names.
    ///   - make: Makes the function that processes portions; called once per thread.
    package init(name: String, _ make: @escaping @Sendable () -> (Input) -> Output) {
        self.make = make
        let started = (1..<max(2, ProcessorCount.value)).map { number in
            OwnedThread(name: "\(name)-\(number)") { [self] in
                let work = make()
                while workOff(by: work) {}
            }
        }.filter { $0.start() }
        helpers.withLock { $0 = started }
    }

    /// Adds a portion.
    package func add(_ input: Input) {
        _ = waiting.post(Item(number: added.wrappingAdd(1, ordering: .relaxed).oldValue, input: input))
    }

    /// Passes the results on in the order of their portions, and helps to process the rest. The owner calls it once, instead of
    /// `stop`.
    package func finish(into take: (Output) -> Void) {
        waiting.close()
        let work = make()
        var taken = 0
        while taken < added.load(ordering: .relaxed) {
            if let output = done.withLock({ $0.removeValue(forKey: taken) }) {
                take(output)
                taken += 1
            } else if !workOff(by: work) {
                // The helpers have the last portions. They aren't stopped: one that has just got its portion would drop it.
                endHelpers()
            }
        }
        endHelpers()
    }

    /// Stops the threads after the portions that they are processing. What waits is dropped.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        endHelpers()
    }

    /// Waits until the threads have processed what waits, or what they have begun if they are stopped.
    private func endHelpers() {
        waiting.close()
        let running = helpers.withLock { helpers in
            defer { helpers = [] }
            return helpers
        }
        for helper in running { helper.join() }
    }

    /// - Returns: false when there is none left.
    private func workOff(by work: (Input) -> Output) -> Bool {
        guard let portion = waiting.receiveFirst(), !isStopped.load(ordering: .relaxed) else { return false }
        let output = work(portion.input)
        done.withLock { $0[portion.number] = output }
        return true
    }
}
