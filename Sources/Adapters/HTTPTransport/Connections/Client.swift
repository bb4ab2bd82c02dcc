// A client that was accepted and doesn't belong to the library yet.

import CMicroHTTPD
import OperatingSystem

/// An accepted client. Its last copy closes the socket, unless the library has taken it.
struct Client {
    // The address as the kernel returned it; the library needs it in this form.
    private let raw: tweencast_client
    private let socket: DescriptorBox

    /// Accepts the next client of a listening socket.
    /// - Throws: `failed` with the `errno` if there is none or it can't be accepted.
    init(from listening: Int32) throws(TransportError) {
        raw = tweencast_accept(listening)
        guard let accepted = Descriptor(owning: raw.descriptor) else { throw .failed(code: -raw.descriptor) }
        socket = DescriptorBox(accepted)
    }

    /// Identifies the client while its socket is open.
    var number: Int { Int(raw.descriptor) }

    /// The address without the port; empty if unknown.
    var address: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: TWEENCAST_ADDRESS_SIZE) { text in
            guard let start = text.baseAddress,
                unsafe withUnsafePointer(to: raw, { unsafe tweencast_client_address($0, start) }) != 0
            else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// Transfers the socket to the library, which closes it from then on. Only the first call has an effect.
    func give(to library: (UnsafePointer<tweencast_client>) -> Void) {
        guard let descriptor = socket.take() else { return }
        _ = descriptor.release()
        unsafe withUnsafePointer(to: raw) { unsafe library($0) }
    }
}
