// A URL as parsed by libcurl, which will call it. If two parsers disagreed, a check could be bypassed.

import CCurl

/// The parts of a URL that decide whether it may be called.
package struct TransferURL: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, without brackets and without a trailing dot.
    package let host: String
    package let port: UInt16
    package let hasCredentials: Bool

    /// - Returns: nil if the text is not an absolute URL.
    package init?(_ text: String) {
        // libcurl reads only up to a NUL, and would call that URL.
        guard !text.utf8.contains(0) else { return nil }
        guard let url = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(url) }
        guard unsafe curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
            let scheme = unsafe Self.part(CURLUPART_SCHEME, of: url),
            var host = unsafe Self.part(CURLUPART_HOST, of: url)?.lowercased(),
            let port = unsafe Self.part(CURLUPART_PORT, of: url, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({
                UInt16($0)
            })
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
        hasCredentials =
            unsafe Self.part(CURLUPART_USER, of: url) != nil || Self.part(CURLUPART_PASSWORD, of: url) != nil
    }

    /// Returns `host:port` of a URL, to share resources fairly among receivers.
    package static let receiver: @Sendable (String) -> String = { url in
        TransferURL(url).map { "\($0.host):\($0.port)" } ?? ""
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, part, &text, flags) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
