// A progress that follows work of this machine: posted now and then, and never in the way of the work.

import Synchronization
import TweencastClient

/// Posts a progress. The work doesn't wait for it, and doesn't fail because of it.
final class ProgressReport: Sendable {
    private let progress: RemoteProgress
    /// The server's address.
    private let server: String
    private let label: String?
    /// Whether the server has refused for good.
    private let isRefused = Mutex(false)
    private let hasComplained = Mutex(false)

    /// How long one post may take, so that the end of the work isn't held up for longer, whatever the network does with it.
    private static let limit = Duration.seconds(5)

    init(_ progress: RemoteProgress, on server: String, label: String?) {
        self.progress = progress
        self.server = server
        self.label = label
    }

    /// Moves the progress. A failure is reported once.
    func post(
        _ number: Amount, of maximum: RemoteProgress.Maximum? = nil, from start: Amount? = nil, in duration: Duration,
        easing: String = "linear"
    ) async {
        await attempt { [progress, label] () async throws(ClientError) in
            _ = try await progress.set(
                number, of: maximum, from: start, duration: duration, label: label, easing: easing)
        }
    }

    /// Stops the progress where it is.
    func stop() async {
        await attempt { [progress] () async throws(ClientError) in try await progress.cancel() }
    }

    private func attempt(_ request: @escaping @Sendable () async throws(ClientError) -> Void) async {
        guard !isRefused.withLock({ $0 }) else { return }
        let isAnswered = await withTaskGroup { group in
            group.addTask {
                await self.send(request)
                return true
            }
            group.addTask { (try? await Task.sleep(for: Self.limit)) == nil }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
        if !isAnswered { complain("no answer from \(server)") }
    }

    private func send(_ request: @Sendable () async throws(ClientError) -> Void) async {
        do throws(ClientError) {
            try await request()
        } catch {
            guard error != .cancelled else { return }
            if !error.isTemporary { isRefused.withLock { $0 = true } }
            complain(error.description)
        }
    }

    /// Says why a post failed, once for all of them.
    private func complain(_ reason: String) {
        let isFirst = hasComplained.withLock { has in
            defer { has = true }
            return !has
        }
        if isFirst { ClientProgram.complain("\(reason); going on without it") }
    }
}

/// A pause between posts that the end of the work cuts short. Posts on their way aren't: one that was given up could still
/// arrive, after the last one.
final class WorkPause: Sendable {
    private let state = Mutex((sleep: Task<Void, Never>?.none, isOver: false))

    /// - Returns: false if the work has ended.
    func sleep(for duration: Duration) async -> Bool {
        let sleep = Task { _ = try? await Task.sleep(for: duration) }
        let isOver = state.withLock { state in
            state.sleep = sleep
            return state.isOver
        }
        if isOver { sleep.cancel() }
        await sleep.value
        return state.withLock { !$0.isOver }
    }

    /// The work has ended.
    /// - Returns: false if it had before.
    @discardableResult func end() -> Bool {
        let (sleep, isFirst) = state.withLock { state in
            defer { state.isOver = true }
            return (state.sleep, !state.isOver)
        }
        sleep?.cancel()
        return isFirst
    }
}
