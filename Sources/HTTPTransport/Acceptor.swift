// The thread that takes connections in and gives them to the library's workers.
//
// The library could accept by itself, but can't be told to stop safely: MHD_quiesce_daemon (0.9.75, daemon.c) takes the
// listening socket out of each worker's epoll set while the worker may be doing the same, and whoever comes second
// ends the process. It would also wake every worker for each client.

import CLinux
import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// A listening socket with a thread of its own, which holds back while there are as many connections as may be.
final class Acceptor: @unchecked Sendable {
    // @unchecked because: `thread` and `isListening` are touched by the owner's `start` and `stop` alone, in order.

    /// Connections that may wait in the kernel.
    private static let backlog: Int32 = 4_096
    /// Milliseconds without accepting when the process has no descriptor left to give.
    private static let exhaustedPause: Int32 = 20

    let port: UInt16
    private let descriptor: Int32
    private let wakeUp: Int32
    private let limit: Int
    private let isStopping = Atomic(false)
    private let isHoldingBack = Atomic(false)
    private let held = Atomic<Int>(0)
    private var thread: OwnedThread?
    private var isListening = true

    /// Listens; connections wait in the kernel until `start`.
    init(_ address: SocketAddress, limit: Int) throws(TransportError) {
        self.limit = max(1, limit)
        wakeUp = tweencast_eventfd()
        let listening = unsafe address.withPointer {
            unsafe tweencast_listen($0, address.takesBothFamilies ? 1 : 0, Self.backlog)
        }
        guard listening >= 0, wakeUp >= 0 else {
            let code: Int32 = listening >= 0 ? Int32(EMFILE) : -listening
            if listening >= 0 { close(listening) }
            if wakeUp >= 0 { close(wakeUp) }
            throw code == EADDRINUSE ? .addressInUse : .failed(code: code)
        }
        descriptor = listening
        port = tweencast_bound_port(listening)
    }

    deinit {
        if isListening { close(descriptor) }
        close(wakeUp)
    }

    /// Connections that the library holds, those on their way to it included.
    var connectionCount: Int { held.load(ordering: .relaxed) }

    /// Begins to accept.
    /// - Returns: false when the system has no thread to give.
    func start(_ daemon: Daemon) -> Bool {
        let started = OwnedThread(name: "accept") { [self] in run(daemon) }
        guard started.start() else { return false }
        thread = started
        return true
    }

    /// Takes in what already waits, then closes the listening socket. No connection reaches the daemon afterwards.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        tweencast_signal(wakeUp)
        thread?.join()
        thread = nil
        if isListening { close(descriptor) }
        isListening = false
    }

    /// The library let a connection go. On any thread.
    func released() {
        held.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isHoldingBack.load(ordering: .sequentiallyConsistent) { tweencast_signal(wakeUp) }
    }

    private func run(_ daemon: Daemon) {
        while !isStopping.load(ordering: .acquiring) {
            let isFull = holdsBack()
            wait(listening: !isFull, milliseconds: -1)
            if !isFull, !acceptWaiting(daemon) { wait(listening: false, milliseconds: Self.exhaustedPause) }
        }
        _ = acceptWaiting(daemon)
    }

    /// Whether there are as many connections as may be; from then on `released` wakes this thread.
    private func holdsBack() -> Bool {
        isHoldingBack.store(true, ordering: .sequentiallyConsistent)
        if held.load(ordering: .sequentiallyConsistent) >= limit { return true }
        isHoldingBack.store(false, ordering: .relaxed)
        return false
    }

    /// - Returns: false when the process or the system has no descriptor or memory to give.
    private func acceptWaiting(_ daemon: Daemon) -> Bool {
        while held.load(ordering: .relaxed) < limit {
            let client = daemon.accept(from: descriptor)
            if client < 0 {
                // Any other error is that of one client, which went before it was taken.
                if client == -EAGAIN { return true }
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM, EINVAL, EBADF].contains(-client) { return false }
            } else {
                held.wrappingAdd(1, ordering: .sequentiallyConsistent)
            }
        }
        return true
    }

    private func wait(listening: Bool, milliseconds: Int32) {
        var waits = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        if listening { waits.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
        guard unsafe poll(&waits, nfds_t(waits.count), milliseconds) > 0, waits[0].revents != 0 else { return }
        tweencast_clear(wakeUp)
    }
}
