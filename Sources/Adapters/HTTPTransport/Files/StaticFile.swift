// A served file: its representations, made once, and their headers.

import Base

/// A file in memory.
struct StaticFile: Sendable {
    /// A body with its headers.
    private struct Representation {
        var body: [UInt8]
        var tag: String
        var headers: [(name: String, value: String)]
    }

    /// How long clients may cache the file.
    enum Lifetime: String {
        /// Clients must revalidate each time.
        case revalidated = "no-cache"
        /// Forever: the content at this address never changes.
        case immutable = "public, max-age=31536000, immutable"
    }

    private let plain: Representation
    /// Nil if compression saves nothing.
    private let compressed: Representation?

    /// - Parameter headers: Sent with every representation.
    init(_ content: Content, _ lifetime: Lifetime, headers: [(name: String, value: String)]) {
        var common = headers + [("Content-Type", content.type), ("Cache-Control", lifetime.rawValue)]
        if content.compressed != nil { common.append(("Vary", "Accept-Encoding")) }
        plain = Representation(
            body: content.body, tag: content.hash, headers: common + [("ETag", "\"\(content.hash)\"")])
        compressed = content.compressed.map { body in
            // Each representation needs its own tag (RFC 9110, 8.8.3).
            let tag = "\(content.hash)-gzip"
            return Representation(
                body: body, tag: tag, headers: common + [("ETag", "\"\(tag)\""), ("Content-Encoding", "gzip")])
        }
    }

    /// Returns the representation that the client accepts, 304 if it has it already, or 412 if it expects another.
    /// - Parameters:
    ///   - accepted: `Accept-Encoding`.
    ///   - expected: `If-Match`.
    ///   - known: `If-None-Match`.
    func response(accepting accepted: String?, expecting expected: String?, knowing known: String?) -> HTTPResponse {
        let chosen = compressed.flatMap { ContentCoding.acceptsGzip(accepted) ? $0 : nil } ?? plain
        if let expected, !(EntityTags(expected)?.contains(chosen.tag, isStrong: true) ?? false) {
            return HTTPResponse(status: 412)
        }
        if let known, EntityTags(known)?.contains(chosen.tag, isStrong: false) ?? false {
            return HTTPResponse(status: 304, headers: chosen.headers)
        }
        var response = HTTPResponse(status: 200, headers: chosen.headers, body: chosen.body)
        response.isShared = true
        return response
    }
}

extension StaticFile {
    /// What is the same at all of a file's addresses.
    struct Content {
        let body: [UInt8]
        let compressed: [UInt8]?
        let type: String
        let hash: String

        init(_ body: [UInt8], at path: String) {
            self.body = body
            let suffix = path.split(separator: ".").last.map(String.init) ?? ""
            let kind = Self.kinds[suffix]
            type = kind?.type ?? "application/octet-stream"
            compressed = kind?.isText == true ? Gzip.compress(body) : nil
            hash = ContentHash.text(of: body)
        }

        private static let kinds: [String: (type: String, isText: Bool)] = [
            "html": ("text/html; charset=utf-8", true), "css": ("text/css; charset=utf-8", true),
            "js": ("text/javascript; charset=utf-8", true), "mjs": ("text/javascript; charset=utf-8", true),
            "ts": ("text/plain; charset=utf-8", true),
            "json": ("application/json", true), "svg": ("image/svg+xml", true), "png": ("image/png", false),
            "ico": ("image/x-icon", false), "yaml": ("application/yaml; charset=utf-8", true),
            "txt": ("text/plain; charset=utf-8", true), "md": ("text/markdown; charset=utf-8", true),
            "woff2": ("font/woff2", false),
        ]
    }
}

/// An identifier for a version of a file.
enum ContentHash {
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash = FNV1a()
        hash.add(bytes)
        return String(hash.value, radix: 16)
    }
}
