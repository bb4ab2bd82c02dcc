// All transfers of a client: one loop of libcurl, on a thread that exists only while there are some.

import CCurl
import Glibc
import Synchronization

/// Carries out transfers.
@safe final class TransferLoop: @unchecked Sendable {
    // @unchecked because: libcurl allows any thread to wake the handle, and only the loop's thread does anything else with it;
    // there is one at a time, as `Inbox.isRunning` says under its lock.
    private let handle: UnsafeMutableRawPointer?
    private let inbox = Mutex(Inbox())

    private struct Inbox {
        var added: [(number: UInt64, TransferRequest, Reception)] = []
        var aborted: [UInt64] = []
        var resumed: [UInt64] = []
        var isRunning = false
        var latest: UInt64 = 0
        /// How many transfers were begun and haven't ended.
        var count = 0

        var isEmpty: Bool { added.isEmpty && aborted.isEmpty && resumed.isEmpty }
    }

    /// The most transfers at a time.
    private static let maximum = 1_000
    /// Connections that are kept for later requests.
    private static let keptConnections = 8
    /// The longest wait in milliseconds before libcurl runs again.
    private static let longestWait: Int32 = 60_000

    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init() {
        unsafe handle = Self.isReady ? unsafe curl_multi_init() : nil
        if let handle = unsafe handle { _ = unsafe tweencast_curl_limit_cache(handle, Self.keptConnections) }
    }

    deinit {
        if let handle = unsafe handle { _ = unsafe curl_multi_cleanup(handle) }
    }

    /// Begins a transfer.
    func begin(_ request: TransferRequest) -> Reception {
        let (reception, isBegun) = inbox.withLock { inbox in
            inbox.latest += 1
            let reception = Reception(number: inbox.latest, of: self)
            guard inbox.count < Self.maximum, unsafe handle != nil else { return (reception, false) }
            inbox.count += 1
            inbox.added.append((inbox.latest, request, reception))
            guard !inbox.isRunning else { return (reception, true) }
            inbox.isRunning = startThread()
            if !inbox.isRunning {
                inbox.added.removeAll()
                inbox.count = 0
            }
            return (reception, inbox.isRunning)
        }
        if isBegun { wake() } else { reception.finish(Self.noResources) }
        return reception
    }

    /// Ends a transfer, if it still runs.
    func abort(_ number: UInt64) {
        // Without a thread it has ended already.
        inbox.withLock { if $0.isRunning { $0.aborted.append(number) } }
        wake()
    }

    /// Lets a paused transfer go on.
    func resume(_ number: UInt64) {
        inbox.withLock { if $0.isRunning { $0.resumed.append(number) } }
        wake()
    }

    private static let noResources = TransferEnd.failed("the system has no resources for it", isFinal: false)

    private func wake() {
        if let handle = unsafe handle { _ = unsafe curl_multi_wakeup(handle) }
    }

    // MARK: - The thread

    private func startThread() -> Bool {
        var thread = pthread_t()
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&thread, nil, runTransferLoop, owner) == 0 else {
            unsafe Unmanaged<TransferLoop>.fromOpaque(owner).release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate func run() {
        guard let handle = unsafe handle else { return }
        // Signals are for the program's own threads.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var running: [UInt64: Transfer] = [:]
        while let work = takeWork(unlessIdle: running.isEmpty) {
            for (number, request, reception) in work.added {
                running[number] = unsafe start(request, reception, handle)
            }
            for number in work.aborted {
                guard let transfer = running.removeValue(forKey: number) else { continue }
                _ = unsafe curl_multi_remove_handle(handle, transfer.handle)
                forgetOne()
            }
            for number in work.resumed { running[number]?.resume() }
            var count: Int32 = 0
            _ = unsafe curl_multi_perform(handle, &count)
            unsafe collectEnds(of: &running, handle)
            if !running.isEmpty { _ = unsafe curl_multi_poll(handle, nil, 0, Self.longestWait, nil) }
        }
    }

    /// Returns what to do next; nil if the thread ends, since there is nothing to wait for.
    private func takeWork(unlessIdle isIdle: Bool) -> Inbox? {
        inbox.withLock { inbox in
            if isIdle, inbox.added.isEmpty {
                inbox.aborted = []
                inbox.resumed = []
                inbox.isRunning = false
                return nil
            }
            let work = inbox
            inbox.added = []
            inbox.aborted = []
            inbox.resumed = []
            return work
        }
    }

    private func forgetOne() { inbox.withLock { $0.count -= 1 } }

    private func start(
        _ request: TransferRequest, _ reception: Reception, _ handle: UnsafeMutableRawPointer
    ) -> Transfer? {
        guard let transfer = Transfer(request, reception),
            unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
        else {
            reception.finish(Self.noResources)
            forgetOne()
            return nil
        }
        return transfer
    }

    private func collectEnds(of running: inout [UInt64: Transfer], _ handle: UnsafeMutableRawPointer) {
        while true {
            let end = unsafe tweencast_curl_next_end(handle)
            guard let easy = unsafe end.handle else { return }
            _ = unsafe curl_multi_remove_handle(handle, easy)
            guard let number = running.first(where: { unsafe $0.value.handle == easy })?.key,
                let transfer = running.removeValue(forKey: number)
            else { continue }
            transfer.finish(unsafe end.code)
            forgetOne()
        }
    }
}

/// Consumes the reference that `startThread` retained.
private func runTransferLoop(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let owner = unsafe owner else { return nil }
    unsafe Unmanaged<TransferLoop>.fromOpaque(owner).takeRetainedValue().run()
    return nil
}
