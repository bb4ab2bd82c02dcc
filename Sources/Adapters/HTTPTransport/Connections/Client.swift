// A client that was accepted, and is not the library's yet.

import CMicroHTTPD
import OperatingSystem

/// An accepted client: turned away with its last copy, unless the daemon has it by then.
struct Client {
    // The address as the kernel gave it, which the library wants as well.
    private let raw: tweencast_client
    private let socket: DescriptorBox

    /// The next client of a listening socket.
    /// - Throws: `failed` with the `errno` when there is none, or it can't be had.
    init(from listening: Int32) throws(TransportError) {
        raw = tweencast_accept(listening)
        guard let accepted = Descriptor(owning: raw.descriptor) else { throw .failed(code: -raw.descriptor) }
        socket = DescriptorBox(accepted)
    }

    /// A number that tells it from others for as long as it is open.
    var number: Int { Int(raw.descriptor) }

    /// Its address without the port; empty when it is not known.
    var address: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: TWEENCAST_ADDRESS_SIZE) { text in
            guard let start = text.baseAddress,
                unsafe withUnsafePointer(to: raw, { unsafe tweencast_client_address($0, start) }) != 0
            else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// Gives it to whoever closes its descriptor from now on, once.
    func give(to library: (UnsafePointer<tweencast_client>) -> Void) {
        guard let descriptor = socket.take() else { return }
        _ = descriptor.release()
        unsafe withUnsafePointer(to: raw) { unsafe library($0) }
    }
}
