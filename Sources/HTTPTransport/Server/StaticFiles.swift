// Files of the program and of a folder, read once at start and served from memory: nothing a request says can name a
// path on disk.

import Glibc

/// Files by their paths.
package struct StaticFiles: Sendable {
    /// Bytes of all files together; a folder beyond it is no viewer.
    package static let maximumBytes = 16 << 20

    private struct File {
        var body: [UInt8]
        var headers: [(name: String, value: String)]
        var tag: String
    }

    private let files: [String: File]

    /// Reads a folder, if there is one. Links and names that begin with a dot are left out.
    /// - Parameters:
    ///   - contents: What the program carries itself, by paths such as `/openapi.yaml`; a file of the folder wins.
    ///   - headers: Sent with every file.
    /// - Returns: nil when the folder can't be read or is too large.
    package init?(folder: String?, contents: [String: [UInt8]] = [:], headers: [(name: String, value: String)]) {
        var files: [String: File] = [:]
        func add(_ body: [UInt8], as path: String) {
            let tag = "\"\(Self.hash(body))\""
            let own = [("Content-Type", Self.type(of: path)), ("ETag", tag), ("Cache-Control", "no-cache")]
            files[path] = File(body: body, headers: headers + own, tag: tag)
        }
        for (path, body) in contents { add(body, as: path) }
        var total = 0
        var waiting = folder == nil ? [] : [""]
        while let folder, let relative = waiting.popLast() {
            guard let names = Self.names(in: folder + relative) else { return nil }
            for name in names where !name.hasPrefix(".") {
                let path = relative + "/" + name
                switch Self.kind(of: folder + path) {
                case .folder: waiting.append(path)
                case .file:
                    guard let body = try? FileBytes.read(folder + path, limit: Self.maximumBytes) else { return nil }
                    total += body.count
                    guard total <= Self.maximumBytes else { return nil }
                    add(body, as: path)
                case .other: break
                }
            }
        }
        self.files = files
    }

    /// The file a request names; nil when there is none.
    package func response(for request: HTTPRequest) -> HTTPResponse? {
        let path = request.path.hasSuffix("/") ? request.path + "index.html" : request.path
        guard let file = files[path] else { return nil }
        if let known = request.header("If-None-Match"), known.contains(file.tag) || known == "*" {
            return HTTPResponse(status: 304, headers: file.headers)
        }
        return HTTPResponse(status: 200, headers: file.headers, body: file.body)
    }

    // MARK: - Reading

    private enum Kind { case file, folder, other }

    private static func names(in folder: String) -> [String]? {
        guard let handle = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(handle) }
        var names: [String] = []
        while let entry = unsafe readdir(handle) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// FNV-1a: tells versions of a file apart.
    private static func hash(_ bytes: [UInt8]) -> String {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(value, radix: 16)
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "yaml": "application/yaml; charset=utf-8", "txt": "text/plain; charset=utf-8", "woff2": "font/woff2",
    ]

    private static func type(of name: String) -> String {
        types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }
}
