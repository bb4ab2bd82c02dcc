// Single requests over a raw connection.

/// A received answer.
package struct HTTPAnswer: Sendable {
    package let status: Int
    /// Names in lower case.
    package let headers: [String: String]
    package let body: String
}

/// Sends HTTP/1.1 requests to a port of this machine.
package struct HTTPClient: Sendable {
    package let port: UInt16
    /// The file of a certificate to trust, for TLS.
    private let certificate: String?

    package init(port: UInt16, trusting certificate: String? = nil) {
        self.port = port
        self.certificate = certificate
    }

    package func get(_ path: String, headers: [String] = []) throws -> HTTPAnswer {
        try send("GET", path, headers: headers)
    }

    package func post(_ path: String, _ body: String = "", headers: [String] = []) throws -> HTTPAnswer {
        try send("POST", path, body: body, headers: headers)
    }

    package func send(
        _ method: String, _ path: String, body: String? = nil, headers: [String] = []
    ) throws -> HTTPAnswer {
        let connection = try RawConnection(port: port, trusting: certificate)
        try connection.send(Self.request(method, path, body: body, headers: headers + ["Connection: close"]))
        return try Self.answer(from: connection, hasBody: method != "HEAD")
    }

    /// Returns the text of a request.
    package static func request(
        _ method: String, _ path: String, body: String? = nil, headers: [String] = []
    ) -> String {
        var lines = ["\(method) \(path) HTTP/1.1"]
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.append("Host: localhost") }
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Reads one answer.
    package static func answer(from connection: RawConnection, hasBody: Bool = true) throws -> HTTPAnswer {
        guard let head = try connection.read(through: "\r\n\r\n") else {
            throw RawConnection.Failure(description: "closed before an answer")
        }
        let (status, headers) = parse(head: head)
        guard hasBody, status != 204, status != 304 else {
            return HTTPAnswer(status: status, headers: headers, body: "")
        }
        let body: String
        if let length = headers["content-length"].flatMap({ Int($0) }) {
            body = try connection.read(count: length) ?? ""
        } else if headers["transfer-encoding"] == "chunked" {
            body = try chunks(from: connection)
        } else {
            body = try connection.readToEnd()
        }
        return HTTPAnswer(status: status, headers: headers, body: body)
    }

    /// Reads a chunked body.
    private static func chunks(from connection: RawConnection) throws -> String {
        var body: [UInt8] = []
        while let line = try connection.read(through: "\r\n"),
            let count = Int(line.prefix { $0.isHexDigit }, radix: 16)
        {
            // A line break follows each chunk.
            guard let chunk = try connection.readBytes(count: count + 2) else { break }
            body += chunk.dropLast(2)
            if count == 0 { return String(decoding: body, as: UTF8.self) }
        }
        throw RawConnection.Failure(description: "the chunked body ended early")
    }

    static func parse(head: String) -> (status: Int, headers: [String: String]) {
        // Swift sees a carriage return and a line feed as one character.
        let lines = head.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return (status, headers)
    }
}
