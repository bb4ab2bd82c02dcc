// What a transfer has received: from libcurl's thread to the task that reads it. A slow reader pauses the transfer, and the
// server then conflates frames.

import HTTPClient
import Synchronization

/// The bytes of one answer.
final class Reception: TransferReceiver {
    enum Piece: Sendable {
        /// At least one byte.
        case bytes([UInt8])
        case end(TransferEnd)
    }

    private struct State {
        var head: TransferEnd.Head?
        var bytes: [UInt8] = []
        var end: TransferEnd?
        var isPaused = false
        var reader: CheckedContinuation<Void, Never>?
    }

    /// The most bytes that wait for the reader, but for the last piece of libcurl.
    private static let room = 262_144

    let request: TransferRequest?
    private let state = Mutex(State())
    private let loop: TransferLoop

    fileprivate init(_ request: TransferRequest, on loop: TransferLoop) {
        self.request = request
        self.loop = loop
    }

    // MARK: - For the reader

    /// The answer's status, once something of its body has come.
    var status: Int? { state.withLock { $0.head?.status } }

    /// Returns what has come next. A cancelled task ends the transfer.
    func next() async -> Piece {
        while true {
            let (piece, wasPaused) = state.withLock { state -> (Piece?, Bool) in
                let wasPaused = state.isPaused
                guard state.bytes.isEmpty || state.end == .cancelled else {
                    defer { state.bytes = [] }
                    state.isPaused = false
                    return (.bytes(state.bytes), wasPaused)
                }
                return (state.end.map { .end($0) }, false)
            }
            if wasPaused { loop.resume(self) }
            if let piece { return piece }
            await withTaskCancellationHandler {
                await wait()
            } onCancel: {
                cancel()
            }
        }
    }

    /// Ends the transfer.
    func cancel() {
        finish(.cancelled)
        loop.abort(self)
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.bytes.isEmpty, state.end == nil else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    // MARK: - For libcurl's thread

    /// Stores bytes of the body.
    /// - Returns: false if there is no room: the transfer pauses until the reader has taken what is there.
    func receive(_ bytes: [UInt8], _ head: TransferEnd.Head) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.bytes.count < Self.room else {
                state.isPaused = true
                return (false, nil)
            }
            state.head = head
            state.bytes += bytes
            return (true, state.reader.take())
        }
        reader?.resume()
        return isTaken
    }

    /// Stores the end. The first one counts.
    func finish(_ end: TransferEnd) {
        let reader = state.withLock { state in
            state.end = state.end ?? end
            return state.reader.take()
        }
        reader?.resume()
    }
}

extension TransferLoop {
    /// Begins a transfer.
    func begin(_ request: TransferRequest) -> Reception {
        let reception = Reception(request, on: self)
        begin(reception)
        return reception
    }
}
