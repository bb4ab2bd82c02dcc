// What a kept answer consists of: headers, and a body or what replaces it.

package import Base
package import Board

extension KeptAnswer {
    /// The maximum bytes of a kept body; for a longer resource only its name is kept.
    static let maximumBody = 8 * 1_024
    /// The maximum bytes of an answer with such a body, without its key.
    static let maximumBytes = maximumBody + 1_024

    /// What follows the status.
    package enum Content: Hashable, Sendable {
        case body([UInt8])
        /// A resource too long to be kept: a retry gets its current state.
        case resource(ResourceName)
        /// A stream of a resource, with the last event before the request, and what it ends with.
        case stream(ResourceName, after: EventID, until: StreamGoal)
    }

    package init(status: Int, headers: [String] = [], content: Content) {
        var (lines, body) = (headers, [UInt8]())
        switch content {
        case .body(let bytes): body = bytes
        case .resource(let name): lines.append("@resource \(name.kind) \(name.id)")
        case .stream(let name, let event, let goal): lines.append("@stream \(name.kind) \(name.id) \(event) \(goal)")
        }
        self.init(status: status, head: lines.joined(separator: "\n"), body: body)
    }

    /// - Parameter name: The resource that the answer shows.
    init(_ answer: Answer, showing name: ResourceName?) {
        let body = answer.body()
        var headers = answer.headers
        var content = Content.body(body)
        if body.count > Self.maximumBody, let name {
            content = .resource(name)
            headers.removeAll { $0.name == "ETag" }
        }
        self.init(status: answer.status, headers: headers.map { "\($0.name): \($0.value)" }, content: content)
    }

    package var headers: [(name: String, value: String)] {
        lines.compactMap { line in
            guard !line.hasPrefix("@"), let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
    }

    package var content: Content {
        let words = lines.last?.split(separator: " ") ?? []
        let kind = ResourceKind.allCases.first { words.count > 2 && "\($0)" == words[1] }
        if words.first == "@resource", let kind { return .resource(ResourceName(kind, String(words[2]))) }
        if words.first == "@stream", words.count == 5, let kind, let event = EventID(String(words[3])),
            let goal = StreamGoal(words[4])
        {
            return .stream(ResourceName(kind, String(words[2])), after: event, until: goal)
        }
        return .body(body)
    }

    private var lines: [Substring] { head.split(separator: "\n") }
}
