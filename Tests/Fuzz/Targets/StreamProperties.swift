// How streams are asked for: addresses, bodies, and the id of the event that came last.

import Base
import EventStream
import Gateway
import HTTPTransport
import Wire

extension FuzzTarget {
    /// A request's target, and the stream that its query asks for.
    static let queries = FuzzTarget("queries") { bytes throws(Violation) in
        let target = RequestTarget(bytes, parameterLimit: 10_000)
        try StreamProperties.check(target)
        let request: StreamRequest
        do throws(Problem) {
            request = try StreamQuery.request(target.parameters, of: nil, lastEventID: nil, StreamBounds())
        } catch {
            return try ProblemProperties.check(error)
        }
        try StreamProperties.check(request)
    }

    /// The body of a request for a stream.
    static let bodies = FuzzTarget("stream-bodies") { bytes throws(Violation) in
        let request: StreamRequest
        do throws(Problem) {
            request = try StreamBody.request(bytes, lastEventID: nil, StreamBounds())
        } catch {
            return try ProblemProperties.check(error)
        }
        try StreamProperties.check(request)
    }

    /// `Last-Event-ID`, and what is told again for it.
    static let eventIDs = FuzzTarget("event-ids", upTo: 256) { bytes throws(Violation) in
        let text = FuzzInput(bytes).text
        if let id = EventID(text) {
            try require(id.number >= 0, "a number below 0")
            try require(EventID(id.description) == id, "\(id) is read back as another one")
        }
        try StreamProperties.checkReplay(after: text)
    }
}

enum StreamProperties {
    /// What was decoded is the same when it is encoded and decoded once more.
    static func check(_ target: RequestTarget) throws(Violation) {
        // A NUL is left escaped where it was, so that what is decoded has an escape again.
        let names = target.parameters.flatMap { [$0.name, $0.value] }
        guard !(names + [target.path]).contains(where: { $0.contains("%00") }) else { return }
        let query = target.parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
        let again = RequestTarget(
            Array("\(escaped(target.path))?\(query)&".utf8), parameterLimit: 10_000)
        try require(again.path == target.path, "the path \(target.path) is \(again.path)")
        let isSame = again.parameters.elementsEqual(target.parameters) { $0.name == $1.name && $0.value == $1.value }
        // An empty query has no parameter.
        try require(isSame || target.parameters.isEmpty, "parameters are others when they have been decoded")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            // A slash stays, and a NUL can't be written.
            return byte == UInt8(ascii: "/") || byte == 0
                ? String(decoding: [byte], as: UTF8.self) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// What was asked for is within its limits, and whatever is named is heard.
    static func check(_ request: StreamRequest) throws(Violation) {
        try require(!request.selection.isEmpty, "a stream of nothing")
        if let rate = request.terms.framesPerSecond {
            try require((0.1...60).contains(rate), "\(rate) frames a second")
        }
        for pattern in request.selection.patterns {
            let name = TopicName(kind: pattern.kind, id: pattern.isPrefix ? pattern.text + "x" : pattern.text)
            try require(request.selection.matches(name), "\(name) is not heard")
        }
    }

    // MARK: - Replay

    private static let payloads = ["{}", "{\"a\":1}", "{\"text\":\"two words\"}"].map { Array($0.utf8) }
    private static let count = 7

    /// Whoever comes back hears what came after, or that it can't be told; never a part of it.
    static func checkReplay(after text: String) throws(Violation) {
        let script = HubScript(epoch: "e1")
        for number in 1...count { script.publish("milestone", payloads[number % payloads.count]) }
        let parser = EventStreamParser(script.open(after: text))
        try require(parser.strangers.isEmpty && !parser.isCutOff, "fields that nobody wrote")
        try require(parser.events.first?.type == Array("hello".utf8), "a stream that doesn't begin with hello")
        let told = parser.events.filter { $0.type == Array("milestone".utf8) }
        let isReset = parser.events.contains { $0.type == Array("reset".utf8) }
        guard let id = EventID(text), id.epoch == "e1", id.number <= count else {
            return try require(isReset && told.isEmpty, "an id of no event is taken for one: \(text)")
        }
        let expected = (Int(id.number)..<count).map { "e1-\($0 + 1)" }
        try require(!isReset, "a known id is answered by a reset: \(text)")
        try require(told.map { String(decoding: $0.lastEventID, as: UTF8.self) } == expected, "others are told")
    }
}
