// An io_uring of one loop: what its streams are to be sent goes to the kernel in one call.
//
// Sends are tried when they are handed over and never wait there (MSG_DONTWAIT), so the rule of the table holds: what a socket
// doesn't take comes back at once. Sockets are registered by their slot, which spares the kernel the look-up.

import CUring
import Glibc

/// A ring. It belongs to the thread that made it.
@safe final class SendRing {
    /// Sends that go to the kernel at once. What is posted while they are tried makes the next ones fresher.
    static let capacity = 1_024

    /// Not private, for tests that make it fail.
    let ring: UnsafeMutablePointer<io_uring>
    private let places: Int
    private var results = [Int32](repeating: 0, count: capacity)
    /// What came of each piece of the last batch.
    private(set) var outcomes: [StreamSocket.Sent] = []
    /// It told of fewer sends than it was given. Such a ring is to be closed: what is left in it would be sent with what comes
    /// next, or taken for what came of that.
    private(set) var isBroken = false

    /// - Parameter places: Slots that a socket may be registered for, fewer where the process may have fewer descriptors.
    /// - Throws: What the kernel has against it.
    init(places wanted: Int) throws(TransportError) {
        let places = tweencast_ring_places(UInt32(clamping: wanted))
        let ring = UnsafeMutablePointer<io_uring>.allocate(capacity: 1)
        unsafe ring.initialize(to: io_uring())
        var code = tweencast_ring_probe()
        if code == 0 { code = unsafe tweencast_ring_open(ring, UInt32(Self.capacity), places) }
        guard code == 0 else {
            unsafe ring.deallocate()
            throw .failed(code: -code)
        }
        // Only now: of an object that has all it stores the deinitialiser runs, and would close a ring that isn't open.
        unsafe self.ring = unsafe ring
        self.places = Int(places)
    }

    deinit {
        unsafe io_uring_queue_exit(ring)
        unsafe ring.deallocate()
    }

    /// Has a slot stand for a socket, which is held open by that.
    /// - Returns: false when the socket has to be named by its descriptor.
    func register(_ descriptor: Int32, slot: Int) -> Bool {
        guard slot < places else { return false }
        return unsafe tweencast_ring_place(ring, UInt32(truncatingIfNeeded: slot), descriptor) != 0
    }

    /// Lets a registered socket go, before it is closed: otherwise its connection would not end.
    func unregister(slot: Int) {
        _ = unsafe tweencast_ring_place(ring, UInt32(truncatingIfNeeded: slot), -1)
    }

    /// Tries to send a batch, each piece once; what came of it is in `outcomes`. Afterwards the ring may be broken.
    func send(_ batch: borrowing SendBatch) {
        let (pieces, bytes) = (batch.pieces, batch.bytes)
        let tried = unsafe bytes.withUnsafeBytes { raw in unsafe hand(pieces, over: raw) }
        isBroken = unsafe tweencast_ring_take(ring, UInt32(pieces.count), &results) < pieces.count
        if isBroken { shutSilently(pieces.prefix(tried)) }
        outcomes.removeAll(keepingCapacity: true)
        for index in 0..<tried { outcomes.append(StreamSocket.Sent(result: Int(results[index]))) }
        // The kernel had no memory for the rest, which goes the other way.
        // proven: no more are tried than there are.
        for piece in pieces[tried...] { outcomes.append(StreamSocket.send(piece.descriptor, bytes, piece.range)) }
    }

    /// Sees to it that nothing goes out any more of sends that the kernel took and told nothing of: when it comes to them, their
    /// bytes may be another stream's.
    private func shutSilently(_ pieces: ArraySlice<SendBatch.Piece>) {
        for (index, piece) in zip(pieces.indices, pieces) where results[index] == -ECANCELED {
            shutdown(piece.descriptor, Int32(SHUT_RDWR))
        }
    }

    /// - Returns: How many were tried.
    private func hand(_ pieces: [SendBatch.Piece], over raw: UnsafeRawBufferPointer) -> Int {
        for index in pieces.indices {
            let piece = pieces[index]
            let target = piece.isRegistered ? Int32(truncatingIfNeeded: piece.slot) : piece.descriptor
            let content = unsafe raw[piece.range]
            unsafe tweencast_ring_send(
                ring, target, piece.isRegistered ? 1 : 0, unsafe UnsafeRawBufferPointer(rebasing: content).baseAddress,
                content.count, UInt32(truncatingIfNeeded: index))
            // Where nothing is told of it nobody knows what has gone: the connection is given up.
            results[index] = -ECANCELED
        }
        return Int(unsafe tweencast_ring_submit(ring, UInt32(pieces.count)))
    }
}
