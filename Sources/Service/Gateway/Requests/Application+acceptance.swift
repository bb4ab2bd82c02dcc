// In which form a change is answered. One whose answer its client would not take is rejected before anything is changed (RFC
// 9110, 15.5.7).

import Base
import Board
import EventStream
import HTTPTransport
import Wire

extension Application {
    /// Whether the answer to a change is a stream, with the parameters of streams.
    func isAnsweredByStream(_ request: HTTPRequest, by match: RouteMatch) -> Bool {
        match.route.mayStream && AcceptedTypes(request).prefersStream
    }

    /// - Throws: 406 for a change whose `Accept` excludes every form of its answer. Reads answer in the form that they have.
    func checkAccepted(_ request: HTTPRequest, by match: RouteMatch) throws(Problem) {
        guard match.row.method != .get, let accept = request.header("Accept"), accept != "*/*" else { return }
        let types = match.route.answerTypes
        guard !types.isEmpty, !AcceptedTypes(accept).accepts(oneOf: types) else { return }
        throw Problem(
            406, "Not Acceptable",
            "`Accept` excludes \(types.joined(separator: " and ")), in which this is answered; add it, or leave the header out"
        )
    }
}

extension Route {
    /// Whether it starts something whose stream can be its answer.
    fileprivate var mayStream: Bool {
        switch self {
        case .change(.make), .change(.update): true
        case .change(.define(let name)): name.kind == .schedule
        case .health, .version, .file, .look, .change, .stream, .batch, .deadLetter, .session, .ticket: false
        }
    }

    /// The media types in which a change is answered; empty for what always opens a stream.
    fileprivate var answerTypes: [String] {
        switch self {
        case _ where mayStream: Self.streamed
        // Each line of a batch's answer is JSON.
        case .batch: [StreamEncoding.lines.contentType, Self.json]
        case .stream(.resource), .stream(.topics), .stream(.topicsByBody), .stream(.selfTest): []
        case .health, .version, .file, .look, .change, .stream(.change), .deadLetter, .session, .ticket: [Self.json]
        }
    }

    private static let json = "application/json"
    private static let streamed = [json] + AcceptedTypes.ofStreams
}
