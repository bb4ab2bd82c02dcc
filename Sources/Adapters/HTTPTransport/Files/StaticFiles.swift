// Files of the program and of a folder, read and compressed once at start and served from memory. No request can name a path
// on disk.

/// Files by their paths.
///
/// Each file of a folder has two addresses: its own path, which browsers must revalidate, and one under `/static/VERSION`,
/// which they may cache forever, since other content means another version. In pages and scripts at the top level, each
/// double-quoted path that begins with `./` and names a file other than a page is rewritten to the second form. A reload then makes one request, for
/// the page. Pages are also served without `.html`.
package struct StaticFiles: Sendable {
    /// The most bytes of a folder's files together.
    package static let maximumBytes = 16 << 20

    private let files: [String: StaticFile]
    /// The folder's files for requests that name another version. After or before an upgrade, this server's files are better
    /// than none, but must not be cached under that name.
    private let filesForOtherVersions: [String: StaticFile]
    /// `/static/` and the version.
    private let versionedPrefix: String

    private static let versionedFolder = "/static/"

    /// Reads a folder, if there is one. Skips links and names that begin with a dot.
    /// - Parameters:
    ///   - contents: Files of the program itself, by paths such as `/openapi.yaml`; the folder's files take precedence.
    ///   - framed: Pages that other sites may frame, by paths such as `/overlay.html`.
    ///   - headers: Sent with every file.
    /// - Returns: nil when the folder can't be read or is too large.
    package init?(
        folder: String?, contents: [String: [UInt8]] = [:], framed: Set<String> = [],
        headers: [(name: String, value: String)]
    ) {
        let make = { (content: StaticFile.Content, path: String, lifetime: StaticFile.Lifetime) in
            let page = path.hasSuffix(".html") ? content.body : []
            let policy = PagePolicy(body: page, framing: framed.contains(path) ? .anybody : .nobody)
            return StaticFile(content, lifetime, headers: headers + [("Content-Security-Policy", policy.text)])
        }
        var bodies: [String: [UInt8]] = [:]
        if let folder {
            guard let read = FileFolder.read(folder, limit: Self.maximumBytes) else { return nil }
            bodies = read
        }
        let version = Self.version(of: bodies)
        versionedPrefix = Self.versionedFolder + version
        var files: [String: StaticFile] = [:]
        var others: [String: StaticFile] = [:]
        for (path, body) in contents { files[path] = make(.init(body, at: path), path, .revalidated) }
        for (path, body) in bodies {
            let content = StaticFile.Content(body, at: path)
            let current = make(content, path, .revalidated)
            let rewritten = Self.isEntry(path) ? Self.rewritingPaths(version, in: body, of: bodies) : nil
            others[path] = current
            files[path] = rewritten.map { make(.init($0, at: path), path, .revalidated) } ?? current
            files[versionedPrefix + path] = make(content, path, .immutable)
            if let name = Self.pageName(path) { files[name] = files[path] }
        }
        self.files = files
        filesForOtherVersions = others
    }

    /// Returns the requested file, or 304 or 412 according to the request's conditions; nil if there is none.
    package func response(for request: HTTPRequest) -> HTTPResponse? {
        // The root of a base path, requested without its final slash.
        if request.path.isEmpty { return HTTPResponse(status: 308, headers: [("Location", "/")]) }
        let path = request.path.hasSuffix("/") ? request.path + "index.html" : request.path
        guard let file = files[path] ?? fileForOtherVersion(path) else { return nil }
        return file.response(
            accepting: request.wholeHeader("Accept-Encoding"), expecting: request.wholeHeader("If-Match"),
            knowing: request.wholeHeader("If-None-Match"))
    }

    private func fileForOtherVersion(_ path: String) -> StaticFile? {
        guard path.hasPrefix(Self.versionedFolder) else { return nil }
        let rest = path.dropFirst(Self.versionedFolder.count)
        return filesForOtherVersions[String(rest.drop { $0 != "/" })]
    }

    // MARK: - Versions

    /// Returns a hash of all paths and contents. Any change gives every file a new address, so references between files needn't
    /// be followed.
    private static func version(of bodies: [String: [UInt8]]) -> String {
        let parts = bodies.sorted { $0.key < $1.key }.lazy.map { path, body in
            "\(path)\n\(ContentHash.text(of: body))\n"
        }
        return ContentHash.text(of: parts.joined().utf8)
    }

    /// Whether paths in this file are rewritten: pages and scripts at the top level.
    private static func isEntry(_ path: String) -> Bool {
        !path.dropFirst().contains("/") && (path.hasSuffix(".html") || path.hasSuffix(".js"))
    }

    /// Returns a top-level page's path without its suffix.
    private static func pageName(_ path: String) -> String? {
        isEntry(path) && path.hasSuffix(".html") ? String(path.dropLast(5)) : nil
    }

    /// Returns a text with `"./` replaced by `"./static/VERSION/` before paths of files. Pages keep their address.
    private static func rewritingPaths(_ version: String, in body: [UInt8], of bodies: [String: [UInt8]]) -> [UInt8] {
        let mark = Array("\"./".utf8)
        let name = Array("\".\(versionedFolder)\(version)/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(body.count + 1_024)
        var rest = body[...]
        while let byte = rest.first {
            if rest.starts(with: mark), beginsWithVersionedPath(rest.dropFirst(mark.count), of: bodies) {
                text += name
                rest = rest.dropFirst(mark.count)
            } else {
                text.append(byte)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Whether a text begins with the path of a file other than a page, followed by a quotation mark.
    private static func beginsWithVersionedPath(_ text: ArraySlice<UInt8>, of bodies: [String: [UInt8]]) -> Bool {
        let path = text.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n") }
        guard text.dropFirst(path.count).first == UInt8(ascii: "\"") else { return false }
        let name = "/" + String(decoding: path, as: UTF8.self)
        return !name.hasSuffix(".html") && bodies[name] != nil
    }
}
