// The security policy of pages: what they may load and run, and who may frame them.

import CGnuTLS

/// The Content Security Policy (level 3) of a file.
///
/// Scripts and styles must come from this server. Inline ones are allowed by the hashes of those in the file at start, so
/// anything injected into a page's text doesn't run.
struct PagePolicy {
    /// Whether other sites may show the page in a frame.
    enum Framing: String {
        case nobody = "'none'"
        case anybody = "*"
    }

    let text: String

    /// - Parameter body: The page; empty for other files, which contain no scripts.
    init(body: [UInt8], framing: Framing) {
        let scripts = Self.hashes(of: "script", in: body[...])
        let styles = Self.hashes(of: "style", in: body[...])
        let directives =
            [
                "default-src 'self'", "base-uri 'none'", "form-action 'self'", "object-src 'none'",
                "frame-ancestors \(framing.rawValue)",
            ] + (scripts.isEmpty ? [] : ["script-src 'self' \(scripts.joined(separator: " "))"])
            + (styles.isEmpty ? [] : ["style-src 'self' \(styles.joined(separator: " "))"])
        text = directives.joined(separator: "; ")
    }

    /// Returns the hash sources of inline elements. Only tags without attributes count.
    private static func hashes(of tag: String, in page: ArraySlice<UInt8>) -> [String] {
        var rest = page
        var hashes: [String] = []
        while let start = firstRange(of: "<\(tag)>", in: rest) {
            rest = rest.suffix(from: start.upperBound)
            guard let end = firstRange(of: "</\(tag)>", in: rest) else { break }
            hashes.append("'sha256-\(digest(of: Array(rest.prefix(upTo: end.lowerBound))))'")
            rest = rest.suffix(from: end.upperBound)
        }
        return hashes
    }

    /// Finds a text's first occurrence. A loop of our own: the library's search isn't specialised for bytes, and took a
    /// quarter of the processor time of a start with 100,000 tickers.
    /// - Parameter text: Not empty.
    private static func firstRange(of text: String, in page: ArraySlice<UInt8>) -> Range<Int>? {
        let bytes = Array(text.utf8)
        var rest = page
        while let start = rest.firstIndex(of: bytes[0]) {
            rest = rest.suffix(from: start)
            if rest.starts(with: bytes) { return start..<start + bytes.count }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// SHA-256 in Base64 (RFC 4648, section 4).
    private static func digest(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(TWEENCAST_SHA256_BASE64))
        let code = unsafe tweencast_sha256_base64(bytes, bytes.count, &text)
        precondition(code == 0, "SHA-256 is part of every build of GnuTLS")
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
