// A loop's io_uring, which sends the bytes of many streams in one call.
//
// Sends are tried on submission and never wait (MSG_DONTWAIT), so the table's rule holds: bytes that a socket doesn't accept
// come back at once. Sockets are registered by slot, which saves the kernel a look-up.

import CUring
import Glibc

/// A ring. It belongs to the thread that made it.
@safe final class SendRing {
    /// Sends per submission. Newer frames only replace older ones between submissions, so a larger one would send older frames.
    static let capacity = 1_024

    /// Not private, so that tests can make it fail.
    let ring: UnsafeMutablePointer<io_uring>
    private let places: Int
    private var results = [Int32](repeating: 0, count: capacity)
    /// The outcome of each piece of the last batch.
    private(set) var outcomes: [StreamSocket.Sent] = []
    /// The ring reported fewer results than it was given sends. It must be closed: leftovers would be sent with the next batch, or
    /// counted as its results.
    private(set) var isBroken = false

    /// - Parameter places: Slots that can be registered; fewer if the process has fewer descriptors.
    /// - Throws: `failed` if the kernel provides no ring.
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
        // Stored last: once all properties are set, a failure would run the deinitialiser, which would close a ring that
        // isn't open.
        unsafe self.ring = unsafe ring
        self.places = Int(places)
    }

    deinit {
        unsafe io_uring_queue_exit(ring)
        unsafe ring.deallocate()
    }

    /// Registers a slot for a socket, which this holds open.
    /// - Returns: false when the socket must be given by its descriptor.
    func register(_ descriptor: Int32, slot: Int) -> Bool {
        guard slot < places else { return false }
        return unsafe tweencast_ring_place(ring, UInt32(truncatingIfNeeded: slot), descriptor) != 0
    }

    /// Unregisters a socket. Call it before closing the socket, or the connection would not end.
    func unregister(slot: Int) {
        _ = unsafe tweencast_ring_place(ring, UInt32(truncatingIfNeeded: slot), -1)
    }

    /// Tries to send a batch, each piece once; the results are in `outcomes`. Afterwards the ring may be broken.
    func send(_ batch: borrowing SendBatch) {
        let (pieces, bytes) = (batch.pieces, batch.bytes)
        let tried = unsafe bytes.withUnsafeBytes { raw in unsafe submit(pieces, over: raw) }
        isBroken = unsafe tweencast_ring_take(ring, UInt32(pieces.count), &results) < pieces.count
        if isBroken { shutUnreported(pieces.prefix(tried)) }
        outcomes.removeAll(keepingCapacity: true)
        for index in 0..<tried { outcomes.append(StreamSocket.Sent(result: Int(results[index]))) }
        // The kernel lacked memory for the rest, which is sent directly.
        // proven: at most all pieces are tried.
        for piece in pieces[tried...] { outcomes.append(StreamSocket.send(piece.descriptor, bytes, piece.range)) }
    }

    /// Shuts the sockets of sends without a result, so that the kernel can't send them later, when their bytes may be
    /// another stream's.
    private func shutUnreported(_ pieces: ArraySlice<SendBatch.Piece>) {
        for (index, piece) in zip(pieces.indices, pieces) where results[index] == -ECANCELED {
            shutdown(piece.descriptor, Int32(SHUT_RDWR))
        }
    }

    /// - Returns: The number of tried sends.
    private func submit(_ pieces: [SendBatch.Piece], over raw: UnsafeRawBufferPointer) -> Int {
        for index in pieces.indices {
            let piece = pieces[index]
            let target = piece.isRegistered ? Int32(truncatingIfNeeded: piece.slot) : piece.descriptor
            let content = unsafe raw[piece.range]
            unsafe tweencast_ring_send(
                ring, target, piece.isRegistered ? 1 : 0, unsafe UnsafeRawBufferPointer(rebasing: content).baseAddress,
                content.count, UInt32(truncatingIfNeeded: index))
            // Without a result, it is unknown what was sent; the connection is dropped.
            results[index] = -ECANCELED
        }
        return Int(unsafe tweencast_ring_submit(ring, UInt32(pieces.count)))
    }
}
