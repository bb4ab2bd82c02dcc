// The version of libmicrohttpd. This target relies on the library's inner workings, which no interface promises: comments name
// the version that they describe.

import CMicroHTTPD

package enum LibraryVersion {
    /// The version that the comments describe and the tests run with.
    package static let tested = "0.9.75"

    /// The version in this process; nil if it is the tested one.
    package static var untested: String? {
        let running = unsafe String(cString: MHD_get_version())
        return running == tested ? nil : running
    }
}
