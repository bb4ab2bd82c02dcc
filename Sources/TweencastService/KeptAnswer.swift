// An answer as it is kept for retries: small, and enough to give the same answer again.

import Board
import EventStream
import HTTPTransport

/// What was answered.
struct KeptAnswer: Hashable, Sendable {
    /// Bytes of a body that is kept; of a resource that is longer, its name is kept in place of it.
    static let maximumBody = 8 * 1_024
    /// Bytes that an answer with such a body takes at most, but for its key.
    static let maximumBytes = maximumBody + 1_024

    /// What the answer was beside its status.
    enum Content: Hashable, Sendable {
        case body([UInt8])
        /// A resource too long to be kept: it is shown as it is when somebody asks again.
        case resource(ResourceName)
        /// A stream of a resource that was made for it, with the last event before that.
        case stream(ResourceName, after: EventID)
    }

    var status: Int
    /// `Name: value`, of those headers that the common ones leave open.
    var headers: [String] = []
    var content: Content

    init(status: Int, headers: [String] = [], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// - Parameter name: The resource that the answer shows.
    init(_ response: HTTPResponse, showing name: ResourceName?) {
        status = response.status
        headers = response.headers.filter { Self.keptHeaders.contains($0.name) }.map { "\($0.name): \($0.value)" }
        content = .body(response.body)
        if response.body.count > Self.maximumBody, let name {
            content = .resource(name)
            headers.removeAll { $0.hasPrefix("ETag:") }
        }
    }

    private static let keptHeaders: Set = ["Content-Type", "ETag", "Location"]

    // MARK: - As text

    /// - Parameter head: What `head` gave; of a store of an earlier version nothing.
    init(status: Int, head: String, body: [UInt8]) {
        self.status = status
        content = .body(body)
        headers = []
        for line in head.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("@resource", 3):
                if let name = Self.name(words) { content = .resource(name) }
            case ("@stream", 4):
                if let name = Self.name(words), let event = EventID(String(words[3])) {
                    content = .stream(name, after: event)
                }
            default: headers.append(String(line))
            }
        }
        if head.isEmpty, !body.isEmpty { headers = ["Content-Type: application/json"] }
    }

    private static func name(_ words: [Substring]) -> ResourceName? {
        ResourceKind.allCases.first { "\($0)" == words[1] }.map { ResourceName($0, String(words[2])) }
    }

    /// Everything but status and body, a line each.
    var head: String {
        var lines = headers
        switch content {
        case .body: break
        case .resource(let name): lines.append("@resource \(name.kind) \(name.id)")
        case .stream(let name, let event): lines.append("@stream \(name.kind) \(name.id) \(event)")
        }
        return lines.joined(separator: "\n")
    }

    var body: [UInt8] {
        if case .body(let bytes) = content { bytes } else { [] }
    }
}

extension HTTPResponse {
    /// The answer that was given, given again.
    static func again(_ answer: KeptAnswer, body: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse.json(answer.status, body)
        response.headers.removeAll { $0.name == "Content-Type" }
        for header in answer.headers {
            guard let colon = header.firstIndex(of: ":") else { continue }
            response.headers.append((String(header[..<colon]), String(header[colon...].dropFirst(2))))
        }
        response.headers.append(("Idempotency-Replayed", "true"))
        return response
    }
}
