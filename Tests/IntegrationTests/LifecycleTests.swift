// Beginnings and ends of the process: what fell due before the machine started, a log that nobody reads, signals, and
// descriptors that are closed.

import Foundation
import TestSupport
import Testing

@Suite struct LifecycleTests {
    private let folder = TemporaryFolder()

    private var clock: URL { URL(filePath: folder.path).appending(path: "clock") }

    /// A server that believes it runs at another time.
    private func server(aheadBy seconds: Int) throws -> ServerProcess {
        try Data("\(seconds)".utf8).write(to: clock, options: .atomic)
        return try ServerProcess(
            folder: folder.path,
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_WALL_CLOCK": clock.path])
    }

    /// Longer than any machine that runs tests has been up.
    private static let longAgo = -3_000 * 86_400

    @Test(arguments: [
        ("/v1/tickers/t", #"{"to":5,"duration":3}"#),
        ("/v1/tickers", #"{"to":5,"duration":3}"#),
        ("/v1/progress/p", #"{"current":5,"duration":3,"ttl":60}"#),
        ("/v1/schedules", #"{"in":3,"do":[{"ticker":"t","to":5,"duration":1}]}"#),
        ("/v1/schedules", #"{"every":3,"count":3,"do":[{"ticker":"t","by":1,"duration":1}]}"#),
        ("/v1/schedules", #"{"every":"* * * * *","do":[{"ticker":"t","by":1,"duration":1}]}"#),
    ])
    func `a board with work due before the machine's boot starts and serves`(path: String, body: String) throws {
        let before = try server(aheadBy: Self.longAgo)
        #expect([201, 202].contains(try before.client.post(path, body).status))
        before.kill()
        let server = try ServerProcess(folder: folder.path)
        #expect(try server.client.get("/readyz").status == 200)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(try server.client.post("/v1/tickers/new", #"{"to":1,"duration":0}"#).status == 202)
        #expect(try server.client.get("/v1/tickers/new").json["target"] as? Int == 1)
        #expect(server.terminate() == 0)
    }

    @Test func `an unread log delays neither changes nor shutdown, and dropped lines are reported`() throws {
        let errors = Pipe()
        let server = try ServerProcess(errors: errors)
        _ = try server.client.post("/v1/tickers/r", #"{"to":1,"duration":1000}"#)
        // Fills the pipe with lines of one subject a minute, were there no limit.
        let action = #"{"ticker":"r","to":2,"interrupt":"reject"}"#
        let actions = Array(repeating: action, count: 32).joined(separator: ",")
        for _ in 0..<4 {
            _ = try server.client.post("/v1/schedules", #"{"every":0.01,"do":[\#(actions)]}"#)
        }
        var dropped = 0
        while dropped < 5_000 {
            #expect(try server.client.post("/v1/tickers/a", #"{"by":1,"duration":0}"#).status == 202)
            let metrics = try server.client.get("/metrics").body
            let line = metrics.split(separator: "\n").first { $0.hasPrefix("tweencast_log_lines_dropped_total ") }
            dropped = line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
        }
        #expect(try server.client.get("/healthz").status == 200)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let lines = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count < 200)
        let isTold = { (line: Substring) in
            line.contains(#" warning action: repeated log lines dropped text="an action was refused" lines="#)
        }
        #expect(lines.contains(where: isTold))
    }

    @Test func `client text can't forge log lines or control a terminal`() throws {
        let errors = Pipe()
        let server = try ServerProcess(arguments: ["--log-level", "debug"], errors: errors)
        let update = #"{"progress":"p","current":1,"label":"{x\ntweencast: FORGED \u001b[2J"}"#
        _ = try server.client.post("/v1/schedules", #"{"in":0,"do":[\#(update)]}"#)
        _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#)
        _ = try server.client.get("/v1/tickers/%0atweencast:%20FORGED%1b%5b2J")
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let isLine = { (line: Substring) in
            line.prefixMatch(of: #/20\S+Z (?:debug|info|warning|error) [a-z]+: /#) != nil
        }
        #expect(text.contains("FORGED") && text.split(separator: "\n").allSatisfy(isLine))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `SIGHUP of a closed terminal does not stop the server`() throws {
        let server = try ServerProcess()
        server.signal(SIGHUP)
        #expect(try server.client.get("/readyz").status == 200)
        #expect(server.terminate() == 0)
    }

    /// A server whose disk hangs in the middle of a commit.
    private func hangingServer(drainTimeout: Int, errors: Pipe) throws -> ServerProcess {
        let fault = URL(filePath: folder.path).appending(path: "fault")
        let server = try ServerProcess(
            folder: folder.path, arguments: ["--drain-timeout", "\(drainTimeout)"],
            environment: ["LD_PRELOAD": FaultLibrary.location.path, "TWEENCAST_FAULT": fault.path],
            errors: errors)
        try Data("H".utf8).write(to: fault)
        let held = try RawConnection(port: server.port)
        try held.send(HTTPClient.request("POST", "/v1/tickers/t", body: #"{"to":1}"#))
        // The change has been applied, and so its commit has begun, when another request sees it.
        while try server.client.get("/v1/tickers/t").status != 200 {}
        return server
    }

    @Test func `a second SIGTERM ends a server whose disk hangs`() throws {
        let server = try hangingServer(drainTimeout: 3_600, errors: Pipe())
        while server.isRunning { server.signal(SIGTERM) }
        #expect(server.terminate() == SIGTERM)
    }

    @Test func `a hanging disk does not delay shutdown beyond the drain timeout`() throws {
        let errors = Pipe()
        let server = try hangingServer(drainTimeout: 0, errors: errors)
        #expect(try server.client.get("/healthz").status == 200)
        let start = ContinuousClock.now
        #expect(server.terminate() == 1)
        // Five seconds beyond the drain's none; the rest is for a machine that is busy.
        #expect(ContinuousClock.now - start < .seconds(20))
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("the shutdown took too long"))
    }

    @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
    func `a standard descriptor closed at the start is not reused for the store`(closed: String) throws {
        let port = FreePort.take()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let program = ServerProcess.executable.path
        process.arguments = [
            "-c", "exec '\(program)' --data '\(folder.path)' --port \(port) \(closed)",
        ]
        process.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let client = HTTPClient(port: port)
        let deadline = Date().addingTimeInterval(60)
        while (try? client.get("/healthz").status) != 200, Date() < deadline { usleep(20_000) }
        #expect(try client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#).status == 202)
        for number in 0...2 {
            let path = "/proc/\(process.processIdentifier)/fd/\(number)"
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            #expect(!target.contains("sqlite"), "\(number) is \(target)")
        }
        let lock = try Data(contentsOf: URL(filePath: folder.path).appending(path: "tweencast.sqlite.lock"))
        // Who has it, and nothing that was meant for a terminal.
        #expect(String(decoding: lock, as: UTF8.self).trimmingPrefix { $0 == " " } == "\(process.processIdentifier)\n")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::"])
    func `tweencast health asks the address that the server listens on`(host: String) throws {
        let server = try ServerProcess(arguments: ["--host", host, "--insecure"])
        #expect(try ServerProcess.run(["health", "--host", host, "--port", "\(server.port)"]).code == 0)
        _ = server.terminate()
        #expect(try ServerProcess.run(["health", "--host", host, "--port", "\(server.port)"]).code == 1)
    }
}
