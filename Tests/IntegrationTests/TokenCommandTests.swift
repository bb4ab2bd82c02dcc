// `tweencast token`: what it prints is let in, and may do what was asked for.

import Foundation
import TestSupport
import Testing

@Suite struct TokenCommandTests {
    private static func make(_ arguments: String...) throws -> [String] {
        let (code, output) = try ServerProcess.output(["token"] + arguments)
        #expect(code == 0)
        return output.split(separator: "\n").map(String.init)
    }

    private static func statuses(_ server: ServerProcess, _ token: String) throws -> [Int] {
        let headers = ["Authorization: Bearer \(token)"]
        return [
            try server.client.post("/v1/tickers/shop-1", #"{"to":1}"#, headers: headers).status,
            try server.client.get("/v1/tickers/shop-1", headers: headers).status,
            try server.client.post("/v1/tickers/other", #"{"to":1}"#, headers: headers).status,
            try server.client.get("/metrics", headers: headers).status,
        ]
    }

    @Test func `a token made for the token file works by its entry, which does not hold it`() throws {
        let lines = try Self.make("--name", "shop", "--publish", "ticker=shop-*,notification=a", "--subscribe=*")
        #expect(lines.count == 2 && lines[1].contains(#""name":"shop""#) && !lines[1].contains(lines[0]))
        #expect(lines[0].utf8.count == 43)
        let folder = TemporaryFolder()
        try GuardedServer.write(#"{"tokens":[\#(lines[1])]}"#, to: folder.path + "/tokens.json")
        let server = try ServerProcess(arguments: ["--auth", "tokens:\(folder.path)/tokens.json"])
        #expect(try Self.statuses(server, lines[0]) == [202, 200, 403, 200])
        #expect(try Self.make("--name", "shop")[0] != lines[0])
    }

    @Test(arguments: [
        nil, "", "{}", #"{"tokens": []}"#, #"{"tokens":[ ], "revoked":["a"]}"#,
        #"{"anonymous": {"subscribe": ["ticker=public-*"]}}"#,
    ])
    func `token --into adds entries to a file and keeps the rest`(text: String?) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/tokens.json"
        if let text { try GuardedServer.write(text, to: path) }
        let first = try Self.make("--name", "shop", "--publish", "ticker=shop-*", "--subscribe=*", "--into", path)
        let second = try Self.make("--name", "root", "--admin", "--into=\(path)")
        #expect(first.count == 1 && second.count == 1)
        let made = try String(contentsOfFile: path, encoding: .utf8)
        for kept in ["revoked", "ticker=public-*"] { #expect(made.contains(kept) == (text ?? "").contains(kept)) }
        #expect(!made.contains(first[0]) && made.contains(#""name":"shop""#))
        let server = try ServerProcess(arguments: ["--auth", "tokens:\(path)"])
        #expect(try Self.statuses(server, first[0]) == [202, 200, 403, 200])
        #expect(try Self.statuses(server, second[0]) == [202, 200, 202, 200])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens.json"])
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `token --into creates a private file, and keeps mode and link of an existing one`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/tokens.json"
        _ = try Self.make("--into", path)
        #expect(try Self.mode(path) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        _ = try Self.make("--name", "other", "--into", link)
        #expect(try Self.mode(path) == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""name":"other""#))
    }

    @Test(arguments: [
        (#"{"tokens":[{"name":"me","token":"abcdefghijklmnopqrstuvwxyz"}]}"#, "has a token of me already"),
        (#"{"tokens":{}}"#, "/tokens must be a list"), ("[]", "must be an object"), ("{", "tokens.json"),
        (#"{"tokens":[],"other":1}"#, "/other unknown field"),
    ])
    func `token --into leaves a file unchanged that it can't extend`(text: String, reason: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/tokens.json"
        try GuardedServer.write(text, to: path)
        let (code, errors) = try ServerProcess.run(["token", "--into", path])
        #expect(code == 1 && errors.contains("--into: \(path)") && errors.contains(reason), "\(errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(try ServerProcess.run(["token", "--into", folder.path + "/none/tokens.json"]).code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens.json"])
    }

    @Test func `of tokens that are added at the same time none is lost`() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/tokens.json"
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<8 { group.addTask { try Self.make("--name", "t\(number)", "--into", path) } }
            for try await lines in group { #expect(lines.count == 1) }
        }
        let made = try String(contentsOfFile: path, encoding: .utf8)
        #expect((0..<8).allSatisfy { made.contains("\"name\":\"t\($0)\"") })
    }

    @Test func `token --for sets the expiry of a file token`() throws {
        let entry = try Self.make("--for", "3600")[1]
        let end = try #require(entry.split(separator: "\"expires\":\"").last?.prefix { $0 != "\"" })
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: end.contains("."))
        let date = try #require(try? Date(String(end), strategy: style))
        #expect((3_500...3_600).contains(date.timeIntervalSinceNow))
        #expect(try !Self.make()[1].contains("expires"))
    }

    @Test(arguments: ["", "anonymous", String(repeating: "n", count: 129)])
    func `token --name with an invalid name is refused`(name: String) throws {
        #expect(try ServerProcess.run(["token", "--name", name]).code == 2)
    }

    @Test(arguments: ["hs256", "rs256", "es256", "eddsa"])
    func `token --auth signs a JWT that the server accepts with its claims`(
        algorithm: String
    )
        throws
    {
        let folder = TemporaryFolder()
        let key = folder.path + "/key"
        let commands = [
            "hs256": "openssl rand -hex 32 > \(key)", "rs256": "openssl genrsa -out \(key) 2048",
            "es256": "openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out \(key)",
            "eddsa": "openssl genpkey -algorithm ed25519 -out \(key)",
        ]
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", try #require(commands[algorithm])]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let server = try ServerProcess(
            arguments: ["--auth", "\(algorithm):\(key)", "--auth-issuer", "tests", "--auth-audience", "tweencast"])
        let issued = ["--auth-issuer", "tests", "--auth-audience", "tweencast"]
        func token(_ rest: [String]) throws -> String {
            let (code, output) = try ServerProcess.output(["token", "--auth", "\(algorithm):\(key)"] + rest)
            #expect(code == 0)
            return String(output.dropLast())
        }
        #expect(try Self.statuses(server, try token(issued + ["--publish", "ticker=shop-*"])) == [202, 403, 403, 403])
        #expect(try Self.statuses(server, try token(["--admin"] + issued)) == [202, 200, 202, 200])
        #expect(try Self.statuses(server, try token(["--admin"])) == [401, 401, 401, 401])
    }

    @Test func `a JWT too long to be used is not signed`() throws {
        let folder = TemporaryFolder()
        try GuardedServer.write(String(repeating: "k", count: 64), to: folder.path + "/key")
        let topics = (0..<450).map { "ticker=shop-long-name-\($0)" }.joined(separator: ",")
        let result = try ServerProcess.run(["token", "--auth", "hs256:\(folder.path)/key", "--subscribe", topics])
        #expect(result.code == 1 && result.errors.contains("too long"), "\(result.errors)")
    }

    @Test(arguments: [["--name", "--admin"], ["--publish", ""], ["--subscribe", "ticker=a,"]])
    func `token with a missing value makes no token`(arguments: [String]) throws {
        #expect(try ServerProcess.run(["token"] + arguments).code == 2)
    }

    @Test func `token --auth with a public key fails`() throws {
        let folder = TemporaryFolder()
        let (key, published) = (folder.path + "/key", folder.path + "/public")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "openssl genrsa -out \(key) 2048 && openssl rsa -in \(key) -pubout -out \(published)",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let result = try ServerProcess.run(["token", "--auth", "rs256:\(published)", "--admin"])
        #expect(result.code == 1 && result.errors.contains("none of the keys can sign"), "\(result.errors)")
    }
}
