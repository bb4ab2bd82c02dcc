// A body in portions: one is asked for when the client has taken the one before, and only one is ever kept.
//
// Mark-and-suspend and unmark-and-resume happen under one lock, in the order of a request that waits for its answer. Locks
// are taken in one order: this body's, the registry's of what is suspended, the worker's.

import Synchronization

/// The client's end of a body in portions.
package final class StreamedBody: Sendable {
    /// What the library's reader is to do.
    enum Reading: Equatable {
        /// So many bytes were copied.
        case copied(Int)
        case end
        /// The connection is suspended until there is more.
        case suspended
        /// The rest will never come; the client must not take what it has for all.
        case cut
    }

    private enum Phase {
        /// The last portion is being sent, or none was asked for.
        case sending
        /// A portion is awaited, on the worker's own stack.
        case asked
        /// The connection is suspended until a portion comes; the number is its place in the registry.
        case suspended(Int)
        case cut
    }

    private struct Contents {
        var phase = Phase.sending
        var portion: [UInt8] = []
        var taken = 0
        var hasLast = false
    }

    private let source: any BodySource
    private let connection: Connection
    private let worker: Worker
    private let suspensions: Suspensions
    private let endsByClosing: Bool
    private let contents = Mutex(Contents())

    /// - Parameter endsByClosing: The client knows no chunks, so that its connection's end is the body's.
    init(
        _ source: any BodySource, on connection: Connection, of worker: Worker, suspensions: Suspensions,
        endsByClosing: Bool
    ) {
        self.source = source
        self.connection = connection
        self.worker = worker
        self.suspensions = suspensions
        self.endsByClosing = endsByClosing
    }

    /// Gives the next portion. Only after `wantsMore`, once for each; what was not asked for is dropped.
    package func append(_ portion: [UInt8], isLast: Bool) {
        contents.withLock { contents in
            switch contents.phase {
            case .sending, .cut: return
            case .asked: break
            case .suspended(let place):
                worker.resume(connection)
                suspensions.remove(place)
            }
            contents.phase = .sending
            contents.portion = portion
            contents.taken = 0
            contents.hasLast = isLast
        }
    }

    // MARK: - The connection's worker

    /// Copies what there is, or asks for more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        worker.recordAnswer()
        while true {
            if let reading = unsafe take(into: buffer) {
                if reading == .end, endsByClosing { connection.finishUnframed() }
                return reading
            }
            source.wantsMore(self)
            if suspendIfAwaiting() { return .suspended }
        }
    }

    /// - Returns: nil when a portion must be asked for; the phase says so already.
    private func take(into buffer: UnsafeMutableRawBufferPointer) -> Reading? {
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

    /// - Returns: false when the portion has come meanwhile, or never will.
    private func suspendIfAwaiting() -> Bool {
        contents.withLock { contents in
            guard case .asked = contents.phase else { return false }
            guard let place = suspensions.insert(self) else {
                contents.phase = .cut
                return false
            }
            contents.phase = .suspended(place)
            connection.suspend()
            return true
        }
    }

    /// The library is done with the body, or never took it. Once.
    func finish() {
        contents.withLock { contents in
            contents.phase = .cut
            contents.portion = []
        }
        source.ended()
    }
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
