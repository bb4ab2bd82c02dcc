// Settings by a file, the environment and the command line: what counts, what is refused, and what is read anew.

import Foundation
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    private let folder = TemporaryFolder()

    /// Writes a file of settings.
    /// - Returns: Its path.
    private func file(_ text: String) throws -> String {
        let path = URL(filePath: folder.path).appending(path: "tweencast.toml")
        try Data(text.utf8).write(to: path, options: .atomic)
        return path.path
    }

    /// What `tweencast config` says of a setting.
    private func listed(_ name: String, _ arguments: [String], _ environment: String = "") throws -> String? {
        let (code, text) = try ServerProcess.output(["config"] + arguments, environment: environment)
        #expect(code == 0)
        return text.split(separator: "\n").map(String.init).first {
            $0.hasPrefix("\(name) = ") || $0.hasPrefix("# \(name): ")
        }
    }

    @Test func `the command line wins over the environment, and that over the file`() throws {
        let path = try file("port = 1000\nheartbeat = 7 # seconds\ntick-rate = 30\n")
        let arguments = ["--config", path, "--port", "3000"]
        let environment = "TWEENCAST_PORT=2000 TWEENCAST_HEARTBEAT=8"
        #expect(try listed("port", arguments, environment) == "port = 3000  # --port")
        #expect(try listed("heartbeat", arguments, environment) == "heartbeat = 8  # TWEENCAST_HEARTBEAT")
        #expect(try listed("tick-rate", arguments, environment) == "tick-rate = 30  # \(path):3: tick-rate")
        #expect(try listed("history", arguments, environment) == "# history: 10000")
    }

    @Test func `a higher source replaces whole lists and conflicting settings of a lower one`() throws {
        let path = try file(
            """
            allowed-host = ["a.example", 'b.example',
                "c.example", # the last
            ]
            data = "/var/lib/tweencast"
            demo = true
            """)
        #expect(
            try listed("allowed-host", ["--config", path])
                == #"allowed-host = ["a.example", "b.example", "c.example"]  # \#(path):1: allowed-host"#)
        let higher = ["--config", path, "--allowed-host", "d.example", "--ephemeral"]
        #expect(try listed("allowed-host", higher) == #"allowed-host = "d.example"  # --allowed-host"#)
        #expect(try listed("data", higher) == "# data: ./data")
        #expect(try listed("ephemeral", higher) == "ephemeral = true  # --ephemeral")
        #expect(try listed("demo", ["--config", path], "TWEENCAST_DEMO=0") == "demo = false  # TWEENCAST_DEMO")
    }

    @Test(arguments: ["0", "false", "False", "no", "OFF", ""])
    func `a switch set to off in the environment leaves conflicting settings of the file`(word: String) throws {
        let path = try file(#"data = "/var/lib/tweencast""#)
        let environment = "TWEENCAST_EPHEMERAL=\(word)"
        #expect(
            try listed("data", ["--config", path], environment)
                == #"data = "/var/lib/tweencast"  # \#(path):1: data"#)
        #expect(try listed("ephemeral", ["--config", path], environment) == "ephemeral = false  # TWEENCAST_EPHEMERAL")
    }

    @Test(arguments: ["1", "true", "True", "yes", "ON"])
    func `a switch is on for 1, true, yes and on in the environment`(word: String) throws {
        #expect(try listed("demo", [], "TWEENCAST_DEMO=\(word)") == "demo = true  # TWEENCAST_DEMO")
    }

    @Test func `a switch that is neither on nor off is refused`() throws {
        let (code, errors) = try ServerProcess.run([], after: "export TWEENCAST_INSECURE=nope")
        #expect(code == 2 && errors.contains("TWEENCAST_INSECURE: must be true or false, not nope"), "\(errors)")
    }

    @Test func `tweencast config does not show secrets`() throws {
        let path = try file(#"webhook-secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw""#)
        let (_, text) = try ServerProcess.output(
            ["config", "--config", path, "--store", "redis://me:hunter2@localhost?name=b"])
        #expect(!text.contains("MfKQ9r8") && !text.contains("hunter2"))
        #expect(text.contains("# webhook-secret: set, not shown"))
    }

    @Test func `the output of tweencast config is a file that sets the same`() throws {
        let arguments = ["--port", "0", "--auth-issuer", "a\"b\\c", "--history", "5", "--demo"]
        let (_, text) = try ServerProcess.output(["config"] + arguments)
        let path = try file(text)
        let again = try listed("auth-issuer", ["--config", path])
        #expect(again?.hasPrefix(#"auth-issuer = "a\"b\\c"  # \#(path):"#) == true, "\(again ?? "")")
        #expect(try listed("history", ["--config", path])?.hasPrefix("history = 5") == true)
        let (_, listing) = try ServerProcess.output(["config", "--config", path])
        #expect(listing.contains("# config: \(path)  # --config\n"))
        let copy = try file(listing)
        #expect(try listed("history", ["--config", copy])?.hasPrefix("history = 5") == true)
    }

    @Test(arguments: [
        ("prot = 1", ":1: prot: there is no such setting; did you mean port?"),
        ("\n# a comment\nport = 99999", ":3: port: must be a whole number from 0 to 65535, not 99999"),
        ("port = 1\nport = 2", ":2: port is set in line 1 already"), ("[network]", ":1: tables are not read"),
        ("port 1", ":1: a key must be followed by ="), ("port = ", ":1: a value must be a \"string\""),
        ("port = 1 2", ":1: nothing may stand behind a value but a comment"),
        ("host = \"a", ":1: a string must end in its line"), ("host = \"\"\"a\"\"\"", ":1: strings of several lines"),
        ("host = \"\\q\"", ":1: \\q stands for nothing"), ("host = \"\\ud800\"", ":1: \\u must be followed by 4"),
        ("allowed-host = [\"a\" \"b\"]", ":1: the items of an array must be parted by commas"),
        ("allowed-host = [\"a\",", ":1: a value must be a \"string\""), ("demo = 1", ":1: demo: must be true or false"),
        ("port = true", ":1: port: must not be true or false"), ("= 1", ":1: a key must be a flag's name"),
        ("config = \"x\"", ":1: config: can't be set by a file"),
        ("check-config = true", ":1: check-config: can't be set by a file"),
        ("host = 2026-01-01", ":1: nothing may stand"), ("port = []", ":1: port: must be a whole number"),
        ("port = 01", ":1: a number must not begin with a zero: 1"),
        ("port = -01", ":1: a number must not begin with a zero"),
        ("port = 0_1", ":1: a number must not begin with a zero"),
        ("port = 00", ":1: a number must not begin with a zero"),
        ("port = 1__2", ":1: a value must be"), ("port = _1", ":1: a value must be"),
        ("port = 1_", ":1: a value must be"), ("port = +", ":1: a value must be"),
        ("port = ++1", ":1: a value must be"),
        ("port = 9223372036854775808", ":1: a value must be"), ("port = 0x1F", ":1: nothing may stand"),
        ("port = 1.5", ":1: nothing may stand"), ("port = 1e3", ":1: nothing may stand"),
        ("a.b = 1", ":1: a key must be followed by ="), ("port = {a = 1}", ":1: a value must be"),
        ("allowed-host = [[\"a\"]]", ":1: a value must be"), ("allowed-host = [,]", ":1: a value must be"),
        ("allowed-host = [\"a\",,]", ":1: a value must be"), ("host\n= \"a\"", ":1: a key must be followed by ="),
        ("host =\n\"a\"", ":1: a value must be"), ("port = 1 port = 2", ":1: nothing may stand"),
        ("host = 'a\nb'", ":1: a string must end in its line"), ("host = \"a\u{1}\"", ":1: U+0001 may stand neither"),
        ("host = 'a\u{7F}'", ":1: U+007F may stand neither"), ("# a\u{0}", ":1: U+0000 may stand neither"),
        ("port = 1 # \u{1F}", ":1: U+001F may stand neither"), ("# a\rport = 1", ":1: U+000D may stand neither"),
        ("port = 1\rhost = \"a\"", ":1: nothing may stand"), ("host = \"a\r\"", ":1: U+000D may stand neither"),
        ("allowed-host = [\"a\", # \u{8}\n]", ":1: U+0008 may stand neither"),
        ("\nhost = \"\\x41\"", ":2: \\x stands for nothing"), ("port = 1\n\u{FEFF}host = \"a\"", ":2: a key must be"),
        // Whoever writes it wants somebody to be asked.
        ("auth = []", ":1: auth: must be one of tokens, jwks"),
        ("auth = \"\"", ":1: auth: must be one of tokens, jwks"),
    ])
    func `an invalid configuration file is refused with its path and line`(text: String, message: String) throws {
        let path = try file(text)
        let (code, errors) = try ServerProcess.run(["--check-config", "--config", path])
        #expect(code == 2 && errors.contains(path + message), "\(errors)")
    }

    @Test(arguments: [
        ("tick-rate = +30", "30"), ("tick-rate = 3_0", "30"), ("\u{FEFF}tick-rate = 30", "30"),
        ("\"tick-rate\"\t=\t30\t#\tü\r\n\r\n", "30"), ("'tick-rate' = '30'", "30"),
        ("tick-rate = \"\\u0033\\U00000030\"", "30"),
    ])
    func `TOML numbers, strings, comments and byte order marks are read`(text: String, value: String) throws {
        let path = try file(text)
        #expect(try listed("tick-rate", ["--config", path])?.hasPrefix("tick-rate = \(value)  # ") == true)
    }

    @Test func `a file that is no UTF-8 is refused`() throws {
        let path = URL(filePath: folder.path).appending(path: "latin.toml").path
        try Data([0x23, 0xE9, 0x0A]).write(to: URL(filePath: path))
        let (code, errors) = try ServerProcess.run(["--check-config", "--config", path])
        #expect(code == 2 && errors.contains("--config: \(path) is no UTF-8"), "\(errors)")
    }

    @Test func `a missing configuration file is named with --config`() throws {
        let (code, errors) = try ServerProcess.run(["--config", "/no/such.toml"])
        #expect(code == 2 && errors.contains("--config: /no/such.toml can't be read"))
    }

    @Test func `--check-config checks the named files and serves nothing`() throws {
        let tokens = URL(filePath: folder.path).appending(path: "tokens.json").path
        try Data("[".utf8).write(to: URL(filePath: tokens))
        let good = try ServerProcess.output(["--check-config", "--data", folder.path + "/data"])
        #expect(good.code == 0 && good.output == "the configuration is good\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
        let bad = try ServerProcess.run(["--check-config", "--auth", "tokens:\(tokens)"])
        #expect(bad.code == 2 && bad.errors.contains("--auth: \(tokens): "))
        let missing = try ServerProcess.run(["--check-config", "--public", "/no/such"])
        #expect(missing.code == 2 && missing.errors.contains("--public: the folder /no/such can't be read"))
        let open = try ServerProcess.run(["--check-config", "--host", "0.0.0.0"])
        #expect(open.code == 2 && open.errors.contains("--host 0.0.0.0 lets other machines in"))
    }

    @Test(arguments: [
        "trusted-proxy = \"10.0.0.0/8\"", "allowed-host = [\"localhost\", \"board.example\"]", "allowed-host = \"*\"",
    ])
    func `a setting that lets other machines in needs --auth or --insecure, wherever it is set`(setting: String) throws
    {
        let name = try #require(setting.split(separator: " ").first)
        let path = try file(setting)
        for arguments in [["--config", path], ["--check-config", "--config", path]] {
            let (code, errors) = try ServerProcess.run(arguments)
            #expect(code == 2 && errors.contains("--\(name)") && errors.contains("lets other machines in: set --auth"))
        }
        let variable = "TWEENCAST_" + name.uppercased().split(separator: "-").joined(separator: "_")
        let value = setting.contains("10.0") ? "10.0.0.0/8" : "*"
        let (code, errors) = try ServerProcess.run(["--check-config"], after: "export \(variable)='\(value)'")
        #expect(code == 2 && errors.contains("lets other machines in: set --auth"), "\(errors)")
        #expect(try ServerProcess.run(["--check-config", "--config", path, "--insecure"]).code == 0)
    }

    @Test func `--allowed-host with names of this machine needs no --auth`() throws {
        let names = "localhost,localhost:8080,127.0.0.1,127.1.2.3,[::1]:8080,::1,app.localhost"
        #expect(try ServerProcess.run(["--check-config", "--allowed-host", names]).code == 0)
    }

    @Test(arguments: [false, true])
    func `reloading does not add a public host name to a server without --auth`(hasTokens: Bool) throws {
        let path = try file("tick-rate = 60\n")
        let tokens = URL(filePath: folder.path).appending(path: "tokens.json").path
        try Data(#"{"tokens": []}"#.utf8).write(to: URL(filePath: tokens))
        let errors = Pipe()
        let server = try ServerProcess(arguments: ["--config", path], errors: errors)
        // Tokens are asked for after a restart alone.
        _ = try file("allowed-host = \"board.example\"\n" + (hasTokens ? "auth = \"tokens:\(tokens)\"\n" : ""))
        server.signal(SIGHUP)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("settings not reloaded: --allowed-host board.example lets other machines in"), "\(text)")
        #expect(!text.contains("settings reloaded"))
    }

    /// Some seconds of a processor are enough for a file of a megabyte, however many settings it has.
    @Test func `a configuration file of a megabyte is read within seconds of CPU time`() throws {
        let keys = try file((0..<90_000).map { "k\($0) = 1" }.joined(separator: "\n"))
        let refused = try ServerProcess.run(["--check-config", "--config", keys], after: "ulimit -t 5")
        #expect(refused.code == 2 && refused.errors.contains(":1: k0: there is no such setting"), "\(refused.errors)")
        let last = try file((0..<90_000).map { "k\($0) = 1" }.joined(separator: "\n") + "\nk7 = 1")
        let twice = try ServerProcess.run(["--check-config", "--config", last], after: "ulimit -t 5")
        #expect(twice.code == 2 && twice.errors.contains(":90001: k7 is set in line 8 already"), "\(twice.errors)")
        let names = try file(
            "allowed-host = [\((0..<60_000).map { "\"h\($0)\"" }.joined(separator: ","))]\ninsecure = true")
        let listing = try ServerProcess.run(["config", "--config", names], after: "ulimit -t 5")
        #expect(listing.code == 0 && listing.errors.isEmpty)
    }

    @Test func `Kubernetes service variables are not taken as settings, with one warning`() throws {
        let service = [
            "TWEENCAST_PORT": "tcp://10.96.0.7:8080", "TWEENCAST_PORT_8080_TCP": "tcp://10.96.0.7:8080",
            "TWEENCAST_PORT_8080_TCP_ADDR": "10.96.0.7", "TWEENCAST_PORT_8080_TCP_PORT": "8080",
            "TWEENCAST_PORT_8080_TCP_PROTO": "tcp", "TWEENCAST_SERVICE_HOST": "10.96.0.7",
            "TWEENCAST_SERVICE_PORT": "8080", "TWEENCAST_SERVICE_PORT_HTTP": "8080",
        ]
        let errors = Pipe()
        let server = try ServerProcess(environment: service, errors: errors)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let warnings = text.split(separator: "\n").filter { $0.contains("TWEENCAST_") }
        #expect(
            warnings.count == 1 && warnings.first?.contains("what Kubernetes tells of a service") == true, "\(text)")
        let checked = try ServerProcess.run(["--check-config"], after: "export TWEENCAST_PORT=udp://[fd00::7]:8080")
        #expect(checked.code == 0 && checked.errors.contains("set the port with --port"), "\(checked.errors)")
        for other in [
            "TWEENCAST_PORT=tcp:8080", "TWEENCAST_PORT=http://h:1", "TWEENCAST_HEARTBEAT=tcp://10.96.0.7:8080",
        ] {
            let refused = try ServerProcess.run(["--check-config"], after: "export \(other)")
            #expect(
                refused.code == 2 && refused.errors.contains("must be a whole number"), "\(other): \(refused.errors)")
        }
    }

    @Test func `the idle timeout of connections is 75 seconds by default`() throws {
        #expect(try listed("idle-timeout", []) == "# idle-timeout: 75")
    }

    @Test func `an environment variable that names no setting gives a warning only`() throws {
        let environment = [
            "TWEENCAST_TICKRATE": "30", "TWEENCAST_HEARTBEAT": "7", "TWEENCAST_TOKEN": "x", "TWEENCASTER": "1",
        ]
        let errors = Pipe()
        let server = try ServerProcess(environment: environment, errors: errors)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            text.contains("environment variable ignored variable=TWEENCAST_TICKRATE reason=\"names no setting\"\n"),
            "\(text)"
        )
        #expect(!["TWEENCAST_HEARTBEAT", "TWEENCAST_TOKEN", "TWEENCASTER"].contains(where: text.contains))
        let checked = try ServerProcess.run(["--check-config"], after: "export TWEENCAST_PROT=1")
        #expect(checked.code == 0 && checked.errors.contains("TWEENCAST_PROT: names no setting"), "\(checked.errors)")
    }

    @Test func `SIGHUP reloads settings and names those that wait for a restart`() throws {
        let path = try file("tick-rate = 60\n")
        let errors = Pipe()
        let server = try ServerProcess(arguments: ["--config", path, "--insecure"], errors: errors)
        let name = ["Host: board.example"]
        #expect(try server.client.get("/v1/limits", headers: name).status == 403)
        _ = try file("tick-rate = 30\nallowed-host = \"board.example\"\nrequest-rate = 77\n")
        server.signal(SIGHUP)
        try eventually("the name is known") { try server.client.get("/v1/limits", headers: name).status == 200 }
        let limits = try server.client.get("/v1/limits").json
        let rate = (limits["server"] as? [[String: Any]])?.first { $0["name"] as? String == "request_rate" }
        #expect(rate?["maximum"] as? Int == 77, "\(limits)")
        _ = try file("tick-rate = \"many\"\n")
        server.signal(SIGHUP)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("settings reloaded: allowed-host, request-rate"), "\(text)")
        #expect(text.contains("settings changed, effective after a restart: tick-rate"))
        #expect(text.contains("settings not reloaded: \(path):1: tick-rate: must be a whole number"))
    }
}
