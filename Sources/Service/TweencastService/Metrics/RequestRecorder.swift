// Counts requests and logs refusals; if enabled, writes a log line for each request.

import Base
import EventStream
import Gateway
import HTTPTransport
import Synchronization

/// Records answered and refused requests.
struct RequestRecorder: RequestObserver {
    let measures: Measures
    let log: Log

    /// Query parameters whose values grant access.
    private static let secrets: Set<String> = ["ticket"]
    /// Query parameters are left out once the path with its query has this many bytes.
    private static let longestQuery = 400

    func answered(_ answer: AnsweredRequest, on route: RoutePattern) {
        let key = RequestKey(
            route: route, method: RequestMethod(answer.request.method), status: UInt16(clamping: answer.status))
        measures.requests.observe(key, nanoseconds: answer.nanoseconds)
        if let bytes = answer.bytes { measures.answerBytes.wrappingAdd(UInt64(bytes), ordering: .relaxed) }
        if let level = log.levelOfRequests { write(answer, on: route, at: level) }
    }

    func refusedToken(because reason: String, from client: String, request: String) {
        measures.refusedTokens.wrappingAdd(1, ordering: .relaxed)
        log.write(
            .access, .warning, "a token was refused",
            [("reason", .text(reason)), ("client", .text(client)), ("request", .text(request))])
    }

    func refusedStream(because reason: String, _ origin: StreamOrigin) {
        guard let refusal = StreamRefusal(rawValue: reason) else { return }
        measures.refusedStreams.add(to: refusal)
        Log.write(refusal, origin)
    }

    /// The path of open streams up to the stream's name.
    private static let openStreams = RoutePattern.stream.text.prefix { $0 != "{" }

    private func write(_ answer: AnsweredRequest, on route: RoutePattern, at level: LogLevel) {
        let (request, label) = (answer.request, answer.label)
        var fields: LogMessage.Fields = [
            ("method", .text(request.method)), ("path", .text(path(of: request, on: route))),
            ("route", .text(route.text)), ("status", .whole(answer.status)),
            ("milliseconds", .real((Double(answer.nanoseconds) / 1e3).rounded() / 1e3)),
        ]
        if let bytes = answer.bytes { fields.append(("bytes", .whole(bytes))) }
        fields.append(("client", .text(label.client.isEmpty ? request.peer : label.client)))
        if !label.holder.isEmpty { fields.append(("who", .text(label.holder))) }
        fields.append(("request", .text(request.id)))
        log.write(.request, level, answer.isStream ? "stream began" : "answered", fields, isRecord: true)
    }

    /// Returns the path with its query, without anything that grants access.
    private func path(of request: HTTPRequest, on route: RoutePattern) -> String {
        // Without tokens, anyone who knows the name of an open stream can change its subscription.
        var path = request.path.contains(Self.openStreams) ? RoutePattern.stream.text : request.path
        var separator = "?"
        for (name, value) in request.queryItems where path.utf8.count < Self.longestQuery {
            path += separator + name + (value.isEmpty ? "" : "=\(Self.secrets.contains(name) ? "…" : value)")
            separator = "&"
        }
        return path
    }
}
