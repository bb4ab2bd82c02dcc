// What runs here: GET /version, and what the program says of itself.

import Foundation
import TestSupport
import Testing

@Suite struct VersionTests {
    private let folder = TemporaryFolder()

    @Test func `GET version has the program's version and the store's layout`() throws {
        let server = try ServerProcess(folder: folder.path)
        let answer = try server.client.get("/version")
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
        let version = try #require(answer.json["version"] as? String)
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(answer.json["name"] as? String == "tweencast" && answer.json["api"] as? String == "v1")
        for arguments in [["version"], ["--version"]] {
            let (code, output) = try ServerProcess.output(arguments)
            #expect(code == 0 && output == "tweencast \(version)\n")
        }
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t")
        #expect(try stream.next()?.json["version"] as? String == version)
        let layout = try #require(answer.json["storeLayout"] as? Int)
        let checked = try ServerProcess.output(["check", "--data", folder.path])
        #expect(checked.code == 0 && checked.output.contains("is well: layout \(layout), "))
        #expect(try server.client.post("/version").status == 405)
    }
}
