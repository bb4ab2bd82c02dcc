// Files of the program and of a folder, read and compressed once at start and served from memory: nothing a request says
// can name a path on disk.

/// Files by their paths.
///
/// Each of a folder's files is there twice: at its own path, where a browser has to ask each time whether it is still the
/// same, and under `/static/VERSION`, where it may be kept for good, since another content is another version. Pages and
/// scripts at the top name the rest from there: each path of a file that stands in quotation marks and begins with `./`. So a
/// page that is loaded again asks once, for itself. Pages are there without their `.html` as well.
package struct StaticFiles: Sendable {
    /// Bytes of all files together; a folder beyond it is no viewer.
    package static let maximumBytes = 16 << 20

    private let files: [String: StaticFile]
    /// The folder's files for who asks for a version that this server doesn't have: those of before or behind an upgrade are
    /// better than none, but not to be kept under that name.
    private let ofOtherVersions: [String: StaticFile]
    /// `/static/` and the version.
    private let keptPrefix: String

    private static let keptFolder = "/static/"

    /// Reads a folder, if there is one. Links and names that begin with a dot are left out.
    /// - Parameters:
    ///   - contents: What the program carries itself, by paths such as `/openapi.yaml`; a file of the folder wins.
    ///   - framed: Pages that others may show in a frame, by paths such as `/overlay.html`.
    ///   - headers: Sent with every file.
    /// - Returns: nil when the folder can't be read or is too large.
    package init?(
        folder: String?, contents: [String: [UInt8]] = [:], framed: Set<String> = [],
        headers: [(name: String, value: String)]
    ) {
        let make = { (content: StaticFile.Content, path: String, lifetime: StaticFile.Lifetime) in
            let policy = PagePolicy(body: content.body, framing: framed.contains(path) ? .anybody : .nobody)
            return StaticFile(content, lifetime, headers: headers + [("Content-Security-Policy", policy.text)])
        }
        var bodies: [String: [UInt8]] = [:]
        if let folder {
            guard let read = FileFolder.read(folder, limit: Self.maximumBytes) else { return nil }
            bodies = read
        }
        let version = Self.version(of: bodies)
        keptPrefix = Self.keptFolder + version
        var files: [String: StaticFile] = [:]
        var others: [String: StaticFile] = [:]
        for (path, body) in contents { files[path] = make(.init(body, at: path), path, .revalidated) }
        for (path, body) in bodies {
            let content = StaticFile.Content(body, at: path)
            let current = make(content, path, .revalidated)
            let rewritten = Self.isEntry(path) ? Self.naming(version, in: body, of: bodies) : nil
            others[path] = current
            files[path] = rewritten.map { make(.init($0, at: path), path, .revalidated) } ?? current
            files[keptPrefix + path] = make(content, path, .immutable)
            if let name = Self.pageName(path) { files[name] = files[path] }
        }
        self.files = files
        ofOtherVersions = others
    }

    /// The file a request names, or 304 or 412 without one, by the request's conditions; nil when there is none.
    package func response(for request: HTTPRequest) -> HTTPResponse? {
        // The server's root, where it has a base path that was asked for without its last slash.
        if request.path.isEmpty { return HTTPResponse(status: 308, headers: [("Location", "/")]) }
        let path = request.path.hasSuffix("/") ? request.path + "index.html" : request.path
        guard let file = files[path] ?? ofOtherVersion(path) else { return nil }
        return file.response(
            accepting: request.wholeHeader("Accept-Encoding"), expecting: request.wholeHeader("If-Match"),
            knowing: request.wholeHeader("If-None-Match"))
    }

    private func ofOtherVersion(_ path: String) -> StaticFile? {
        guard path.hasPrefix(Self.keptFolder) else { return nil }
        let rest = path.dropFirst(Self.keptFolder.count)
        return ofOtherVersions[String(rest.drop { $0 != "/" })]
    }

    // MARK: - Versions

    /// A name for all files and what is in them: which of them name which others need not be known.
    private static func version(of bodies: [String: [UInt8]]) -> String {
        let parts = bodies.sorted { $0.key < $1.key }.lazy.map { path, body in
            "\(path)\n\(ContentHash.text(of: body))\n"
        }
        return ContentHash.text(of: parts.joined().utf8)
    }

    /// Whether a file at the top names others.
    private static func isEntry(_ path: String) -> Bool {
        !path.dropFirst().contains("/") && (path.hasSuffix(".html") || path.hasSuffix(".js"))
    }

    /// What a page at the top is called without its suffix.
    private static func pageName(_ path: String) -> String? {
        isEntry(path) && path.hasSuffix(".html") ? String(path.dropLast(5)) : nil
    }

    /// A text in which `"./` is `"./static/VERSION/` wherever a file's path follows; pages keep the address they have.
    private static func naming(_ version: String, in body: [UInt8], of bodies: [String: [UInt8]]) -> [UInt8] {
        let mark = Array("\"./".utf8)
        let name = Array("\".\(keptFolder)\(version)/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(body.count + 1_024)
        var rest = body[...]
        while let byte = rest.first {
            if rest.starts(with: mark), isKept(rest.dropFirst(mark.count), of: bodies) {
                text += name
                rest = rest.dropFirst(mark.count)
            } else {
                text.append(byte)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Whether a text begins with the path of a file, and a quotation mark behind it.
    private static func isKept(_ text: ArraySlice<UInt8>, of bodies: [String: [UInt8]]) -> Bool {
        let path = text.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n") }
        guard text.dropFirst(path.count).first == UInt8(ascii: "\"") else { return false }
        let name = "/" + String(decoding: path, as: UTF8.self)
        return !name.hasSuffix(".html") && bodies[name] != nil
    }
}
