// A server without the viewer's files says how to get them, and not that something is wrong.

import Foundation
import TestSupport
import Testing

@Suite struct MissingViewerTests {
    private static let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test func `without viewer files a browser gets a page that names --public`() throws {
        let server = try ServerProcess()
        let page = try server.client.get("/", headers: [Self.browser])
        #expect(page.status == 404 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.body.contains("<code>--public FOLDER</code>"))
        #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        let other = try server.client.get("/nowhere", headers: [Self.browser])
        #expect(other.headers["content-type"] == "application/problem+json")
    }

    @Test(arguments: [[], ["Accept: application/json"], ["Accept: */*"]])
    func `without viewer files other clients get a problem that names --public`(
        headers: [String]
    ) throws {
        let server = try ServerProcess()
        let answer = try server.client.get("/", headers: headers)
        #expect(answer.status == 404 && answer.headers["content-type"] == "application/problem+json")
        #expect((answer.json["detail"] as? String)?.contains("--public FOLDER") == true)
    }

    @Test func `the log names --public only if there are no viewer files`() throws {
        for servesPages in [false, true] {
            let errors = Pipe()
            let server = try ServerProcess(errors: errors, servesPages: servesPages)
            let page = try server.client.get("/", headers: [Self.browser])
            #expect(page.status == (servesPages ? 200 : 404))
            #expect(server.terminate() == 0)
            try errors.fileHandleForWriting.close()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            #expect(text.contains(" info service: no pages are served") != servesPages, "\(text)")
        }
    }
}
