// A client that was accepted, and is not the library's yet.

import CMicroHTTPD
import Glibc

/// An accepted client: whoever has it closes it, or gives it to the daemon.
struct Client {
    // The address as the kernel gave it, which the library wants as well.
    private var raw: tweencast_client

    /// The next client of a listening socket.
    init(from listening: Int32) { raw = tweencast_accept(listening) }

    /// The negated `errno` when there is none, or it can't be had.
    var descriptor: Int32 { raw.descriptor }

    /// Its address without the port; empty when it is not known.
    var address: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: TWEENCAST_ADDRESS_SIZE) { text in
            guard let start = text.baseAddress,
                unsafe withUnsafePointer(to: raw, { unsafe tweencast_client_address($0, start) }) != 0
            else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// Calls with what the library takes.
    func withPointer<Result>(_ body: (UnsafePointer<tweencast_client>) -> Result) -> Result {
        unsafe withUnsafePointer(to: raw) { unsafe body($0) }
    }

    /// Turns it away, unheard.
    func close() { Glibc.close(descriptor) }
}
