// TLS as others see it: by the tools of two TLS libraries, by curl, and by streams that go on through a new certificate.

import Foundation
import TestSupport
import Testing

@Suite struct TLSTests {
    private static let stream = "/v1/events?ticker=*"

    private static func stream(of server: ServerProcess, _ certificate: TestCertificate) throws -> EventSourceClient {
        let stream = try EventSourceClient(
            port: server.port, path: stream, receiveBuffer: 4_096, trusting: certificate.chain)
        _ = try stream.collect { $0.name == "hello" }
        return stream
    }

    // MARK: - What is spoken

    /// A handshake by OpenSSL, which says what it agreed on.
    private func openssl(_ port: UInt16, _ certificate: TestCertificate, _ options: [String]) throws -> (Int32, String)
    {
        try Tool.run(
            [
                "openssl", "s_client", "-connect", "localhost:\(port)", "-CAfile", certificate.chain,
                "-verify_return_error",
            ]
                + options)
    }

    @Test func `TLS 1.2 and 1.3 are accepted with strong ciphers only`() throws {
        let certificate = try TestCertificate(isRSA: true)
        let server = try ServerProcess(certificate: certificate)
        let good = [
            ["-tls1_3"], ["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"], ["-tls1_2"],
            ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"],
            ["-tls1_2", "-cipher", "ECDHE-RSA-CHACHA20-POLY1305"],
        ]
        for options in good {
            let (code, output) = try openssl(server.port, certificate, options)
            #expect(code == 0, "\(options): \(output)")
        }
        // OpenSSL itself takes old versions and ciphers only at its lowest level.
        let bad = [
            ["-tls1"], ["-tls1_1"], ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "AES128-GCM-SHA256:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA256:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0"],
            ["-tls1_3", "-groups", "ffdhe2048"],
        ]
        for options in bad {
            let level = options.count == 1 ? ["-cipher", "ALL:@SECLEVEL=0"] : []
            #expect(try openssl(server.port, certificate, options + level).0 != 0, "\(options)")
        }
        let (_, output) = try openssl(server.port, certificate, ["-alpn", "h2,http/1.1"])
        #expect(output.contains("ALPN protocol: http/1.1"))
    }

    @Test(arguments: [("1.3", true), ("1.2", true), ("1.1", false), ("1.0", false)])
    func `GnuTLS connects with TLS 1.2 and 1.3 only`(version: String, isSpoken: Bool) throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let (code, output) = try Tool.run([
            "gnutls-cli", "--port", "\(server.port)", "--x509cafile", certificate.chain,
            "--priority", "NORMAL:-VERS-ALL:+VERS-TLS\(version)", "localhost",
        ])
        #expect((code == 0) == isSpoken, "\(output)")
    }

    @Test func `the server's own page may write over TLS, and health works over TLS`() throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let host = "localhost:\(server.port)"
        for (origin, status) in [("https://\(host)", 202), ("https://evil.example", 403)] {
            let headers = ["Host: \(host)", "Origin: \(origin)", "Content-Type: application/json"]
            #expect(try server.client.post("/v1/tickers/t", #"{"to":1}"#, headers: headers).status == status)
        }
        let probe = ["health", "--port", "\(server.port)"]
        #expect(try ServerProcess.run(probe + certificate.flags).code == 0)
        #expect(try ServerProcess.run(probe).code == 1)
    }

    // MARK: - Streams

    @Test func `curl posts over TLS, and its stream ends with bye and a clean close`() throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/env")
        let address = "https://localhost:\(server.port)"
        curl.arguments = ["curl", "-sSN", "--cacert", certificate.chain, address + Self.stream]
        let output = Pipe()
        curl.standardOutput = output
        try curl.run()
        var text = ""
        func read(until mark: String) throws {
            while !text.contains(mark) {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "\(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
        }
        try read(until: "event: hello")
        let (code, answer) = try Tool.run([
            "curl", "-sS", "--cacert", certificate.chain, "-d", #"{"to":7,"duration":0}"#,
            "-H", "Content-Type: application/json", address + "/v1/tickers/t",
        ])
        #expect(code == 0 && answer.contains(#""target":7"#), "\(answer)")
        try read(until: #""value":7"#)
        #expect(server.terminate() == 0)
        try read(until: "event: bye")
        curl.waitUntilExit()
        // A session without its end would be an error.
        #expect(curl.terminationStatus == 0)
    }

    @Test func `a stalled TLS stream gets all last frames later, and delays no other`() throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let stalled = try Self.stream(of: server, certificate)
        let reader = try Self.stream(of: server, certificate)
        let names = (0..<50).map { "t\($0)" }
        for name in names {
            let update = #"{"to":100,"duration":2,"label":"\#(String(repeating: "x", count: 200)) 0"}"#
            #expect(try server.client.post("/v1/tickers/\(name)", update).status == 202)
        }
        for stream in [reader, stalled] {
            var arrived: Set<String> = []
            while arrived.count < names.count {
                let event = try #require(try stream.next())
                guard event.name == "complete" else { continue }
                #expect(event.data.contains(#""value":100,"#))
                arrived.insert(String(event.data.prefix { $0 != "," }))
            }
        }
    }

    @Test func `a TLS client that leaves is noticed`() throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let streams = try (0..<10).map { _ in try Self.stream(of: server, certificate) }
        let clients = try server.client.get("/v1/clients").body
        #expect(clients.components(separatedBy: "127.0.0.1").count == 11, "\(clients)")
        for stream in streams { stream.close() }
        while try server.client.get("/metrics").body.contains(#"tweencast_usage{name="streams"} 0"#) == false {}
        #expect(server.terminate() == 0)
    }

    // MARK: - A new certificate

    @Test func `a hundred streams go on while the certificate is replaced, and newcomers see the new one`() throws {
        let certificate = try TestCertificate()
        let server = try ServerProcess(certificate: certificate)
        let streams = try (0..<100).map { _ in try Self.stream(of: server, certificate) }
        for round in 1...3 {
            let before = try RawConnection(port: server.port, trusting: certificate.chain).certificate
            try certificate.renew()
            server.signal(SIGHUP)
            // The signal takes its time; until then the handshake fails, since the old one is trusted no more.
            var after: [UInt8]?
            while after == nil {
                after = try? RawConnection(port: server.port, trusting: certificate.chain).certificate
            }
            #expect(after != before)
            #expect(try server.client.post("/v1/tickers/t", #"{"to":\#(round),"duration":0}"#).status == 202)
            for stream in streams {
                let events = try stream.collect { $0.data.contains(#""value":\#(round),"#) }
                #expect(events.last?.data.contains(#""value":\#(round),"#) == true)
            }
        }
        #expect(server.terminate() == 0)
    }

    @Test func `an unusable certificate at reload is logged, and the old one stays`() throws {
        let certificate = try TestCertificate()
        let trusted = TemporaryFolder()
        let copy = trusted.path + "/chain.pem"
        try FileManager.default.copyItem(atPath: certificate.chain, toPath: copy)
        let errors = Pipe()
        let server = try ServerProcess(errors: errors, certificate: certificate)
        let stream = try Self.stream(of: server, certificate)
        try Data("nothing".utf8).write(to: URL(filePath: certificate.key))
        server.signal(SIGHUP)
        var log = ""
        while !log.contains("the certificate's key can't be used, the previous one stays") {
            let piece = errors.fileHandleForReading.availableData
            try #require(!piece.isEmpty)
            log += String(decoding: piece, as: UTF8.self)
        }
        let client = HTTPClient(port: server.port, trusting: copy)
        #expect(try client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#).status == 202)
        #expect(try stream.collect { $0.data.contains(#""value":1"#) }.last?.name == "message")
        #expect(server.terminate() == 0)
    }

    @Test func `an unusable certificate or key is refused at the start by its flag`() throws {
        let certificate = try TestCertificate()
        let other = try TestCertificate()
        for (arguments, code, message) in [
            (["--tls-cert", certificate.chain], 2, "--tls-cert needs --tls-key"),
            (["--tls-key", certificate.key], 2, "--tls-key needs --tls-cert"),
            (["--tls-cert", "/none", "--tls-key", certificate.key], 1, "--tls-cert: /none: the file can't be read"),
            (["--tls-cert", certificate.chain, "--tls-key", "/none"], 1, "--tls-key: /none: the file can't be read"),
            (["--tls-cert", certificate.key, "--tls-key", certificate.key], 1, "--tls-cert: "),
            (["--tls-cert", certificate.chain, "--tls-key", other.key], 1, "it is not the key of the certificate"),
        ] {
            let run = try ServerProcess.run(["--ephemeral", "--port", "0"] + arguments)
            #expect(run.code == Int32(code) && run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func `an expired certificate is served, with a warning`() throws {
        let folder = TemporaryFolder()
        let path = { folder.path + "/" + $0 }
        let template = """
            cn = "localhost"
            activation_date = "2001-01-01 00:00:00"
            expiration_date = "2002-01-01 00:00:00"
            """
        try Data(template.utf8).write(to: URL(filePath: path("template")))
        #expect(
            try Tool.run(["certtool", "--generate-privkey", "--key-type", "ecdsa", "--outfile", path("key")]).code == 0)
        let made = try Tool.run([
            "certtool", "--generate-self-signed", "--load-privkey", path("key"), "--template", path("template"),
            "--outfile", path("chain"),
        ])
        #expect(made.code == 0, "\(made.output)")
        let errors = Pipe()
        let server = try ServerProcess(
            arguments: ["--tls-cert", path("chain"), "--tls-key", path("key")], errors: errors)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(log.contains("the certificate has expired"))
    }
}
