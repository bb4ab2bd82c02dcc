// Files of a folder over HTTP, and what lies outside of it.

import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite struct StaticFilesTests {
    /// A folder with a page, a script, a hidden file, and links that lead out of it.
    private final class Site {
        let outside = TemporaryFolder()
        let folder = TemporaryFolder()
        private let server: TestServer

        var client: HTTPClient { server.client }

        init() throws {
            try Files.write("secret", to: outside.path + "/secret.txt")
            try Files.write("<!doctype html>", to: folder.path + "/index.html")
            try Files.write("export {}", to: folder.path + "/viewer.js")
            try Files.write("", to: folder.path + "/empty.css")
            try Files.write("hidden", to: folder.path + "/.hidden")
            unsafe mkdir(folder.path + "/sub", 0o755)
            try Files.write("sub", to: folder.path + "/sub/index.html")
            unsafe symlink(outside.path, folder.path + "/out")
            unsafe symlink(outside.path + "/secret.txt", folder.path + "/secret.txt")
            let files = try #require(StaticFiles(folder: folder.path, headers: [("X-Content-Type-Options", "nosniff")]))
            server = try TestServer { request, responder in
                responder.send(files.response(for: request) ?? .text(404, "none"))
            }
        }
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8", "<!doctype html>"),
        ("/index.html", "text/html; charset=utf-8", "<!doctype html>"),
        ("/viewer.js", "text/javascript; charset=utf-8", "export {}"), ("/empty.css", "text/css; charset=utf-8", ""),
        ("/sub/", "text/html; charset=utf-8", "sub"), ("/viewer.js?v=1", "text/javascript; charset=utf-8", "export {}"),
    ])
    func `a file comes with its type and the headers of every file`(path: String, type: String, body: String) throws {
        let site = try Site()
        let answer = try site.client.get(path)
        #expect(answer.status == 200)
        #expect(answer.body == body)
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["etag"]?.hasPrefix("\"") == true)
    }

    @Test(arguments: [
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/sub/../../secret.txt",
        "//secret.txt", "/./index.html", "/sub//index.html", "/secret.txt", "/out/secret.txt", "/out/", "/.hidden",
        "/viewer.js%00.html", "/index.html/", "/..", "/%5c..%5csecret.txt", "/etc/passwd", "//etc/passwd", "/sub",
    ])
    func `paths with dot segments, escapes, links, hidden names or unknown names get a 404`(path: String) throws {
        let site = try Site()
        let answer = try site.client.get(path)
        #expect(answer.status == 404)
        #expect(answer.body == "none")
    }

    @Test func `If-None-Match of the current entity tag gets a 304, If-Match of another a 412`() throws {
        let site = try Site()
        let first = try site.client.get("/viewer.js")
        let tag = try #require(first.headers["etag"])
        for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = try site.client.get("/viewer.js", headers: ["If-None-Match: \(condition)"])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.headers["etag"] == tag)
        }
        #expect(try site.client.get("/viewer.js", headers: ["If-None-Match: \"other\""]).status == 200)
        #expect(try site.client.get("/", headers: ["If-None-Match: \(tag)"]).status == 200)
        for (condition, status) in [(tag, 200), ("*", 200), ("\"x\", \(tag)", 200), ("W/\(tag)", 412), ("\"x\"", 412)] {
            #expect(try site.client.get("/viewer.js", headers: ["If-Match: \(condition)"]).status == status)
        }
    }

    @Test(arguments: [
        ("/plain", "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='", "'none'"),
        ("/plain.html", "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='", "'none'"),
        ("/framed", "style-src 'self' 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='", "*"),
        ("/viewer.js", nil, "'none'"),
    ])
    func `a page's content security policy allows its inline script or style by hash`(
        path: String, source: String?, framing: String
    ) throws {
        let folder = TemporaryFolder()
        try Files.write(
            "<script>alert(1)</script><script src=\"./viewer.js\"></script>", to: folder.path + "/plain.html")
        try Files.write("<style>a</style>", to: folder.path + "/framed.html")
        try Files.write("export {}", to: folder.path + "/viewer.js")
        let files = try #require(StaticFiles(folder: folder.path, framed: ["/framed.html"], headers: []))
        let server = try TestServer { request, responder in
            responder.send(files.response(for: request) ?? .text(404, "none"))
        }
        let policy = try #require(try server.client.get(path).headers["content-security-policy"])
        let directives = policy.split(separator: ";").map { $0.drop { $0 == " " } }
        #expect(directives.contains("default-src 'self'"))
        #expect(directives.contains("frame-ancestors \(framing)"))
        let sources = directives.filter { $0.hasPrefix("script-src") || $0.hasPrefix("style-src") }
        #expect(sources == (source.map { [Substring($0)] } ?? []))
    }

    @Test func `HEAD tells the length and sends nothing`() throws {
        let site = try Site()
        let answer = try site.client.send("HEAD", "/viewer.js")
        #expect(answer.status == 200)
        #expect(answer.headers["content-length"] == "9")
        #expect(answer.body.isEmpty)
    }

    @Test func `a large file comes whole`() throws {
        let folder = TemporaryFolder()
        let text = String(repeating: "0123456789", count: 200_000)
        try Files.write(text, to: folder.path + "/large.txt")
        let files = try #require(StaticFiles(folder: folder.path, headers: []))
        let server = try TestServer { request, responder in
            responder.send(files.response(for: request) ?? .text(404, "none"))
        }
        #expect(try server.client.get("/large.txt").body == text)
    }

    @Test func `embedded files are served with or without a folder, whose files take precedence`() throws {
        let folder = TemporaryFolder()
        try Files.write("of the folder", to: folder.path + "/a.txt")
        let contents = ["/a.txt": Array("carried".utf8), "/b.yaml": Array("b: 1".utf8)]
        let alone = try #require(StaticFiles(folder: nil, contents: contents, headers: []))
        let both = try #require(StaticFiles(folder: folder.path, contents: contents, headers: []))
        for (files, text) in [(alone, "carried"), (both, "of the folder")] {
            let server = try TestServer { request, responder in
                responder.send(files.response(for: request) ?? .text(404, "none"))
            }
            #expect(try server.client.get("/a.txt").body == text)
            let carried = try server.client.get("/b.yaml")
            #expect(carried.body == "b: 1")
            #expect(carried.headers["content-type"] == "application/yaml; charset=utf-8")
            #expect(try server.client.get("/none").status == 404)
        }
    }

    /// A page, and what it names.
    private final class Viewer {
        static let page = """
            <script type="module" src="./js/app.js"></script><a href="./help.html">a</a> <a href="./">b</a> "./none.js" "./
            """

        let folder = TemporaryFolder()
        let server: TestServer

        var client: HTTPClient { server.client }

        init(script: String = "export {}", basePath: String = "") throws {
            unsafe mkdir(folder.path + "/js", 0o755)
            try Files.write(Self.page, to: folder.path + "/index.html")
            try Files.write("", to: folder.path + "/help.html")
            try Files.write("import \"./js/app.js\";", to: folder.path + "/embed.js")
            try Files.write(script, to: folder.path + "/js/app.js")
            try Files.write("import \"./app.js\";", to: folder.path + "/js/part.js")
            let files = try #require(StaticFiles(folder: folder.path, headers: []))
            server = try TestServer(configure: { $0.basePath = basePath }) { request, responder in
                responder.send(files.response(for: request) ?? .text(404, "none"))
            }
        }

        /// Where the page has its script.
        func script() throws -> String {
            let page = try client.get("/").body
            let rest = try #require(page.split(separator: "src=\".").dropFirst().first)
            return String(rest.prefix { $0 != "\"" })
        }
    }

    @Test func `a page links to immutable versioned files, and is itself served with no-cache`() throws {
        let viewer = try Viewer()
        let script = try viewer.script()
        #expect(script.hasPrefix("/static/"))
        #expect(
            try viewer.client.get("/").body
                == Viewer.page.replacing("\"./js/app.js\"", with: "\".\(script)\""))
        #expect(try viewer.client.get("/embed.js").body == "import \".\(script)\";")
        #expect(try viewer.client.get("/").headers["cache-control"] == "no-cache")
        let kept = try viewer.client.get(script)
        #expect(kept.body == "export {}")
        #expect(kept.headers["cache-control"] == "public, max-age=31536000, immutable")
        let part = try viewer.client.get(script.replacing("app.js", with: "part.js"))
        #expect(part.body == "import \"./app.js\";")
        #expect(try viewer.client.get("/js/app.js").headers["cache-control"] == "no-cache")
        // What is read beside an entry is not rewritten, as it stands in the same folder.
        #expect(
            try viewer.client.get(script.replacing("js/app.js", with: "embed.js")).body == "import \"./js/app.js\";")
    }

    @Test func `changed contents get another version, and an old version's path is served with no-cache`() throws {
        let (old, new) = (try Viewer(), try Viewer(script: "export default 1"))
        let script = try old.script()
        #expect(try new.script() != script)
        #expect(try Viewer().script() == script)
        let answer = try new.client.get(script)
        #expect(answer.body == "export default 1")
        #expect(answer.headers["cache-control"] == "no-cache")
        for path in ["/static/", "/static", "/static/x", "/static/x/none.js", "/static//js/../js/app.js"] {
            #expect(try new.client.get(path).status == 404)
        }
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br", true), ("br;q=1.0, gzip;q=0.8, *;q=0.1", true), ("GZIP", true),
        ("x-gzip", true), ("*", true), ("deflate , gzip ;q=0.001", true),
        ("", false), ("identity", false), ("gzip;q=0", false), ("gzip; Q=0.000", false), ("*;q=0", false),
        ("gzip;q=0, *", false), ("br", false), ("gzipped", false),
    ])
    func `text is sent gzipped if Accept-Encoding allows it, with an entity tag of its own`(
        accepted: String, isCompressed: Bool
    ) throws {
        let text = String(repeating: "let number = 1;\n", count: 200)
        let viewer = try Viewer(script: text)
        let answer = try viewer.client.send("HEAD", "/js/app.js", headers: ["Accept-Encoding: \(accepted)"])
        #expect(answer.headers["content-encoding"] == (isCompressed ? "gzip" : nil))
        #expect(answer.headers["vary"] == "Accept-Encoding")
        let length = try #require(answer.headers["content-length"].flatMap(Int.init))
        #expect(isCompressed ? length < 200 : length == text.utf8.count)
        #expect(answer.headers["etag"]?.hasSuffix("-gzip\"") == isCompressed)
        // Who has the one form has not the other.
        let tag = try #require(answer.headers["etag"])
        let again = try viewer.client.get(
            "/js/app.js", headers: ["Accept-Encoding: \(accepted)", "If-None-Match: \(tag)"])
        #expect(again.status == 304)
        let other = isCompressed ? "identity" : "gzip"
        #expect(
            try viewer.client.send(
                "HEAD", "/js/app.js", headers: ["Accept-Encoding: \(other)", "If-None-Match: \(tag)"]
            ).status == 200)
    }

    @Test func `a file that gzip would not make smaller is sent without Vary`() throws {
        let viewer = try Viewer(script: "1")
        #expect(try viewer.client.get("/js/app.js").headers["vary"] == nil)
    }

    @Test func `files are served under the base path, and the base path without slash redirects there`() throws {
        let viewer = try Viewer(basePath: "/tweens")
        for path in ["/tweens/", "/tweens/index.html", "/"] {
            #expect(try viewer.client.get(path).status == 200)
        }
        #expect(try viewer.client.get("/tweens" + viewer.script()).status == 200)
        let answer = try viewer.client.get("/tweens")
        #expect(answer.status == 308)
        #expect(answer.headers["location"] == "/tweens/")
        #expect(try viewer.client.get("/tweens2/").status == 404)
    }

    @Test func `a folder that is not there, or too large, is refused`() throws {
        let folder = TemporaryFolder()
        #expect(StaticFiles(folder: folder.path + "/none", headers: []) == nil)
        #expect(StaticFiles(folder: folder.path, headers: []) != nil)
        try Files.write("", to: folder.path + "/large")
        unsafe truncate(folder.path + "/large", StaticFiles.maximumBytes + 1)
        #expect(StaticFiles(folder: folder.path, headers: []) == nil)
    }
}

extension Files {
    static func write(_ text: String, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Unreadable() }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Unreadable() }
            rest = rest.dropFirst(count)
        }
    }
}
