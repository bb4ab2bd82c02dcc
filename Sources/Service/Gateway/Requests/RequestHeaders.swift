// Headers and parameters of requests: revisions, retry keys, pages.

import Base
import Board
import EventStream
import HTTPTransport
import Machine
import Wire

/// Parses headers and query parameters.
enum RequestHeaders {
    /// Returns `Idempotency-Key` with a fingerprint of the request.
    static func retryKey(
        _ request: HTTPRequest, of caller: Caller, takesStream: Bool = false
    ) throws(Problem) -> RetryKey? {
        guard let key = try request.singleHeader("Idempotency-Key") else { return nil }
        guard (1...255).contains(key.utf8.count) else {
            throw Problem(400, "Bad Request", "Idempotency-Key must be 1 to 255 bytes")
        }
        var fingerprint = Fingerprint()
        fingerprint.add(request.method.utf8)
        fingerprint.add(request.path.utf8)
        fingerprint.add(request.body)
        if let stagger = request.query("stagger") { fingerprint.add(stagger.utf8) }
        if takesStream { fingerprint.add("text/event-stream".utf8) }
        return RetryKey(key: caller.ownKey(key), fingerprint: fingerprint.value, client: caller.owner)
    }

    /// Returns whether `Prefer` asks for a response without the resource.
    static func prefersMinimal(_ request: HTTPRequest) -> Bool {
        guard let first = request.header("Prefer") else { return false }
        // Nearly all are so, and the first preference of a name counts, whatever else there is.
        if first == "return=minimal" { return true }
        return request.wholeHeader("Prefer").map { Preferences($0).returnsMinimal } ?? false
    }

    /// `Last-Event-ID`.
    static func lastEventID(_ request: HTTPRequest) throws(Problem) -> String? {
        try request.singleHeader("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns how many of a schedule's next instants to include.
    static func preview(_ request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.query("preview") else { return 0 }
        guard let value = Int(text), (1...longestPreview).contains(value) else {
            throw .field("?preview", "must be 1 to \(longestPreview)")
        }
        return value
    }

    private static let longestPreview = 100

    /// Returns how many points of a history to include.
    static func points(_ request: HTTPRequest) throws(Problem) -> Int {
        let most = longestHistory
        guard let text = request.query("points") else { return most }
        guard let points = Int(text), (1...1_000).contains(points) else {
            throw .field("?points", "must be 1 to 1000; there are \(most) at most")
        }
        return points
    }

    private static let longestHistory = TargetHistory.limit + 1

    /// Decodes a request for a page of resources.
    /// - Parameters:
    ///   - rights: The resources that may be listed.
    ///   - owner: The owner whose share a long list uses.
    static func list(
        _ kind: ResourceKind, _ request: HTTPRequest, within rights: TopicSelection, of owner: String?
    ) throws(Problem) -> Query {
        let limit = try limit(request)
        let after = request.query("after")
        let locale = ReaderLocale.asked(request)
        let rights = try beginning(with: request.query("prefix"), kind, of: rights)
        if kind == .schedule, let place = after.flatMap({ SchedulePlace($0) }) {
            return .schedules(limit: limit, after: .place(place), locale: locale, within: rights, of: owner)
        }
        if let after, !ResourceName.isWellFormed(id: after) {
            throw .field("?after", "must be an id, or the previous page's `next`")
        }
        guard kind == .schedule else {
            return .tracks(kind, limit: limit, after: after, locale: locale, within: rights, of: owner)
        }
        return .schedules(
            limit: limit, after: after.map { .schedule(ResourceName(.schedule, $0)) }, locale: locale, within: rights,
            of: owner)
    }

    /// - Throws: 422 for an unknown parameter: a misspelt filter would list everything. Also for one that is given twice: one of
    ///   its values would have no effect.
    static func checkParameters(_ request: HTTPRequest, among known: Set<String>) throws(Problem) {
        var given: Set<String> = []
        for item in request.queryItems {
            guard known.contains(item.name) else { throw unknownParameter(item.name, known) }
            guard given.insert(item.name).inserted else {
                throw .field("?" + item.name, "is given more than once; give one value")
            }
        }
    }

    static func unknownParameter(_ name: String, _ known: some Sequence<String>) -> Problem {
        let hint = NearestName.hint(for: name, among: known)
        let names = known.sorted().joined(separator: ", ")
        let list = names.isEmpty ? "; this address has none" : "; it is one of \(names)"
        return .field("?" + name, "there is no such parameter here" + (hint.isEmpty ? list : hint))
    }

    /// Returns the part of a selection whose ids begin with a prefix.
    private static func beginning(
        with prefix: String?, _ kind: ResourceKind, of selection: TopicSelection
    ) throws(Problem) -> TopicSelection {
        guard let prefix, !prefix.isEmpty else { return selection }
        guard ResourceName.isWellFormed(id: prefix),
            let pattern = TopicPattern(kind: .resource(kind), parsing: prefix + "*")
        else { throw .field("?prefix", "must be what ids begin with") }
        return selection.intersection(TopicSelection([pattern]))
    }

    /// Returns the maximum length of a page.
    static func limit(_ request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.query("limit") else { return 100 }
        guard let limit = Int(text), (1...1_000).contains(limit) else { throw .field("?limit", "must be 1 to 1000") }
        return limit
    }
}
