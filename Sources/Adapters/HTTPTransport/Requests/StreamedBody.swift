// A body that is written in portions. Either it is whole, or each portion is requested when the client has read the one before,
// so that only one is in memory. What it holds counts towards the limit of answers that wait to be read.
//
// Mark-and-suspend and unmark-and-resume happen under one lock, as in a pending request. Locks are taken in this order: the
// body's, the suspension registry's, the worker's.

import Synchronization

/// Passes a body's portions to the library's reader.
package final class StreamedBody: PortionReceiver {
    /// The bytes of a portion, and the longest body that isn't written in portions.
    package static let portion = 16 * 1_024

    /// The result for the library's reader.
    enum Reading: Equatable {
        /// This many bytes were copied.
        case copied(Int)
        case end
        /// The connection is suspended until there is more.
        case suspended
        /// The rest will never come. The client must notice that its body is incomplete.
        case cut
    }

    private enum Phase {
        /// The last portion is being sent, or none was requested yet.
        case sending
        /// A portion was requested, on the worker's own stack.
        case asked
        /// The connection is suspended until a portion comes; the number is its key in the registry.
        case suspended(Int)
        case cut
    }

    private struct Contents {
        var phase = Phase.sending
        var portion: [UInt8]
        var taken = 0
        var hasLast: Bool
    }

    /// The size of the whole body; nil if it is not known.
    let size: Int?
    private let source: (any BodySource)?
    private let connection: Connection
    private let worker: Worker
    private let suspensions: Suspensions
    /// The client doesn't know chunks (HTTP/1.0), so closing the connection ends a body of unknown size.
    private let endsByClosing: Bool
    private let room: UnreadRoom
    private let contents: Mutex<Contents>

    /// - Parameter room: What the body holds of the budget, to return in the end.
    init(_ response: HTTPResponse, of pending: PendingRequest, suspensions: Suspensions, room: UnreadRoom) {
        source = response.rest
        size = source == nil ? response.body.count : nil
        contents = Mutex(Contents(portion: response.body, hasLast: source == nil))
        connection = pending.connection
        worker = pending.worker
        self.suspensions = suspensions
        self.room = room
        endsByClosing = unsafe pending.intake.isLegacy && size == nil
    }

    package func append(_ portion: [UInt8], isLast: Bool) {
        contents.withLock { contents in
            switch contents.phase {
            case .sending, .cut: return
            case .asked: break
            case .suspended(let key):
                worker.resume(connection)
                suspensions.remove(key)
            }
            contents.phase = .sending
            contents.portion = portion
            contents.taken = 0
            contents.hasLast = isLast
        }
    }

    // MARK: - The connection's worker

    /// Copies available bytes, or requests more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        worker.recordAnswer()
        while true {
            if let reading = unsafe read(into: buffer) {
                if reading == .end, endsByClosing { connection.finishUnframed() }
                return reading
            }
            source?.wantsMore(self)
            if suspendIfAwaiting() { return .suspended }
        }
    }

    /// - Returns: nil when a portion must be requested; the phase is `asked` then.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading? {
        contents.withLock { contents in
            if case .cut = contents.phase { return .cut }
            let count = min(contents.portion.count - contents.taken, buffer.count)
            if count > 0 {
                unsafe buffer.copyBytes(from: contents.portion.dropFirst(contents.taken).prefix(count))
                contents.taken += count
                return .copied(count)
            }
            if contents.hasLast { return .end }
            contents.portion = []
            contents.taken = 0
            contents.phase = .asked
            return nil
        }
    }

    /// - Returns: false if the portion has come meanwhile, or never will.
    private func suspendIfAwaiting() -> Bool {
        contents.withLock { contents in
            guard case .asked = contents.phase else { return false }
            guard let key = suspensions.insert(self) else {
                contents.phase = .cut
                return false
            }
            contents.phase = .suspended(key)
            connection.suspend()
            return true
        }
    }

    /// Ends the body: the library is done with it, or never took it. Called once.
    func finish() {
        contents.withLock { contents in
            contents.phase = .cut
            contents.portion = []
        }
        source?.ended()
        room.free()
    }
}

/// What an answer holds of the budget of answers that wait to be read.
struct UnreadRoom {
    let budget: ByteBudget
    let bytes: Int
    let owner: String?

    func free() { budget.give(bytes, of: owner) }
}

extension StreamedBody: Suspended {
    func release() {
        contents.withLock { contents in
            guard case .suspended = contents.phase else { return }
            contents.phase = .cut
            worker.resume(connection)
        }
    }
}
