// The tick thread. It sleeps until there is work.

import OperatingSystem

/// Runs a node on its own thread.
final class TickLoop: @unchecked Sendable {
    // @unchecked because only the loop's thread uses `driver` once it runs.
    private var driver: TickDriver
    private let inbox: Mailbox<Message>
    private var thread: OwnedThread?

    init(_ driver: TickDriver, inbox: Mailbox<Message>) {
        self.driver = driver
        self.inbox = inbox
    }

    /// - Returns: false if no thread can be started.
    func start() -> Bool {
        let thread = OwnedThread(name: "tick") { [self] in run() }
        guard thread.start() else { return false }
        self.thread = thread
        return true
    }

    /// Waits for the loop to end, after its inbox was closed.
    func join() {
        thread?.join()
        thread = nil
    }

    private func run() {
        OwnedThread.sharpenTimers()
        var messages: [Message] = []
        driver.begin()
        while inbox.receive(into: &messages, until: driver.sleep()) { driver.run(messages[...]) }
        driver.finish()
    }
}
