// All transfers of an owner: one loop of libcurl, on a thread that exists only while there are some.

import CCurl
import CLinux
import Glibc
import Synchronization

/// Carries out transfers.
@safe package final class TransferLoop: @unchecked Sendable {
    // @unchecked because: libcurl allows any thread to wake the handle, and only the loop's thread does anything else with it;
    // there is one at a time, as `Inbox.thread` says under its lock.
    private let handle: UnsafeMutableRawPointer?
    private let name: String
    private let inbox = Mutex(Inbox())

    private struct Inbox {
        var added: [any TransferReceiver] = []
        var aborted: [any TransferReceiver] = []
        var resumed: [any TransferReceiver] = []
        /// nil while there is nothing to do. It detaches itself when it ends, unless it is joined.
        var thread: pthread_t?
        var isStopped = false
        /// How many transfers were begun and haven't ended.
        var count = 0
    }

    /// The most transfers at a time.
    private static let maximum = 1_000
    /// The longest wait in milliseconds before libcurl runs again.
    private static let longestWait: Int32 = 60_000

    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - name: The thread's; at most 15 characters are kept.
    ///   - connections: How many are kept for later requests.
    package init(named name: String, keeping connections: Int) {
        self.name = name
        unsafe handle = Self.isReady ? unsafe curl_multi_init() : nil
        if let handle = unsafe handle { _ = unsafe tweencast_curl_limit_cache(handle, connections) }
    }

    deinit {
        if let handle = unsafe handle { _ = unsafe curl_multi_cleanup(handle) }
    }

    /// Begins a transfer.
    package func begin(_ receiver: any TransferReceiver) {
        let isBegun = inbox.withLock { inbox in
            guard !inbox.isStopped, inbox.count < Self.maximum, unsafe handle != nil else { return false }
            inbox.thread = inbox.thread ?? startThread()
            guard inbox.thread != nil else { return false }
            inbox.count += 1
            inbox.added.append(receiver)
            return true
        }
        if isBegun { wake() } else { receiver.finish(Self.noResources) }
    }

    /// Ends a receiver's transfer, if it still runs.
    package func abort(_ receiver: any TransferReceiver) {
        // Without a thread it has ended already.
        inbox.withLock { if $0.thread != nil { $0.aborted.append(receiver) } }
        wake()
    }

    /// Lets a receiver's paused transfer go on.
    package func resume(_ receiver: any TransferReceiver) {
        inbox.withLock { if $0.thread != nil { $0.resumed.append(receiver) } }
        wake()
    }

    /// Aborts all transfers, begins no other, and waits until the thread has ended.
    package func stop() {
        let thread = inbox.withLock { inbox in
            inbox.isStopped = true
            return inbox.thread
        }
        wake()
        if let thread { pthread_join(thread, nil) }
    }

    private static let noResources = TransferEnd.failed("the system has no resources for it", isFinal: false)

    private func wake() {
        if let handle = unsafe handle { _ = unsafe curl_multi_wakeup(handle) }
    }

    // MARK: - The thread

    private func startThread() -> pthread_t? {
        var thread = pthread_t()
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&thread, nil, runTransferLoop, owner) == 0 else {
            unsafe Unmanaged<TransferLoop>.fromOpaque(owner).release()
            return nil
        }
        return thread
    }

    fileprivate func run() {
        guard let handle = unsafe handle else { return }
        unsafe tweencast_name_thread(name)
        // Signals are for the program's own threads.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // By handle, as a number.
        var running: [UInt: Transfer] = [:]
        while let work = nextWork(unlessIdle: running.isEmpty) {
            for receiver in work.added {
                if let transfer = unsafe start(receiver, handle) { running[transfer.number] = transfer }
            }
            for receiver in work.aborted {
                guard let transfer = running.values.first(where: { $0.receiver === receiver }) else { continue }
                _ = unsafe end(transfer.number, of: &running, handle)
            }
            for receiver in work.resumed { running.values.first { $0.receiver === receiver }?.resume() }
            var count: Int32 = 0
            _ = unsafe curl_multi_perform(handle, &count)
            while true {
                let ended = unsafe tweencast_curl_next_end(handle)
                guard let easy = unsafe ended.handle else { break }
                unsafe end(UInt(bitPattern: easy), of: &running, handle)?.finish(ended.code)
            }
            if !running.isEmpty { _ = unsafe curl_multi_poll(handle, nil, 0, Self.longestWait, nil) }
        }
        for number in running.keys { _ = unsafe end(number, of: &running, handle) }
    }

    /// Returns what to do next; nil if the thread ends, since there is nothing to wait for.
    private func nextWork(unlessIdle isIdle: Bool) -> Inbox? {
        inbox.withLock { inbox in
            let work = inbox
            (inbox.added, inbox.aborted, inbox.resumed) = ([], [], [])
            if inbox.isStopped { return nil }
            guard isIdle, work.added.isEmpty else { return work }
            if let thread = inbox.thread.take() { pthread_detach(thread) }
            return nil
        }
    }

    private func start(_ receiver: any TransferReceiver, _ handle: UnsafeMutableRawPointer) -> Transfer? {
        if let request = receiver.request {
            if let transfer = Transfer(request, for: receiver),
                unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
            {
                return transfer
            }
            receiver.finish(Self.noResources)
        }
        inbox.withLock { $0.count -= 1 }
        return nil
    }

    private func end(
        _ number: UInt, of running: inout [UInt: Transfer], _ handle: UnsafeMutableRawPointer
    ) -> Transfer? {
        guard let transfer = running.removeValue(forKey: number) else { return nil }
        _ = unsafe curl_multi_remove_handle(handle, transfer.handle)
        inbox.withLock { $0.count -= 1 }
        return transfer
    }
}

/// Consumes the reference that `startThread` retained.
private func runTransferLoop(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let owner = unsafe owner else { return nil }
    unsafe Unmanaged<TransferLoop>.fromOpaque(owner).takeRetainedValue().run()
    return nil
}
