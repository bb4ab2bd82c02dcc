// The row that a request's method and path are of. Paths in, values out; nothing is looked up here.

import Board
import EventStream
import HTTPTransport
import Wire

/// A request's method, in the order in which they are told.
enum RouteMethod: String, CaseIterable {
    case delete = "DELETE"
    case get = "GET"
    case post = "POST"
    case put = "PUT"

    /// - Returns: nil for a method that no path takes. HEAD is GET without a body; the transport leaves the body out.
    init?(_ text: String) {
        switch text {
        case "POST": self = .post
        case "GET", "HEAD": self = .get
        case "PUT": self = .put
        case "DELETE": self = .delete
        default: return nil
        }
    }
}

/// A request's row, and what it is.
struct RouteMatch: Sendable {
    let row: RouteRow
    let pattern: RoutePattern
    /// The text at the place in braces; empty where there is none.
    let value: String
    let route: Route

    private static let missing = Route.Refusal(allowed: [], problem: .notFound)

    /// - Parameter path: Percent-decoded, but for its slashes.
    init(method: String, path: String) throws(Route.Refusal) {
        // For a proxy with rules for paths it is another path; for nobody may it be the same as with a slash.
        guard !path.utf8.contains(UInt8(ascii: "%")) || !path.lowercased().contains("%2f") else { throw Self.missing }
        let method = RouteMethod(method)
        var walk = RouteTree.Walk()
        if let place = try RouteTree.all.row(of: path, by: method, &walk), let route = place.row.route(walk.value) {
            (row, pattern, value, self.route) = (place.row, place.pattern, walk.value, route)
        } else if walk.isKnown {
            throw try Self.refusal(of: path)
        } else {
            guard !path.utf8.starts(with: "/v1/".utf8), path != "/v1" else { throw Self.missing }
            guard method == .get else { throw Self.refusal([.get], "; what changes something begins with /v1") }
            (row, pattern, value, route) = (.file, .file, "", .file)
        }
    }

    /// What a request's first line says of it.
    static func read(of request: HTTPRequest) -> Result<RouteMatch, Route.Refusal> {
        do throws(Route.Refusal) {
            return .success(try RouteMatch(method: request.method, path: request.path))
        } catch {
            return .failure(error)
        }
    }

    /// Why a path doesn't take a method, with those that it takes.
    private static func refusal(of path: String) throws(Route.Refusal) -> Route.Refusal {
        var allowed: [RouteMethod] = []
        for method in RouteMethod.allCases {
            var walk = RouteTree.Walk()
            if try RouteTree.all.row(of: path, by: method, &walk) != nil { allowed.append(method) }
        }
        return refusal(allowed)
    }

    private static func refusal(_ methods: [RouteMethod], _ hint: String = "") -> Route.Refusal {
        let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : []) + ["OPTIONS"]
        return Route.Refusal(
            allowed: allowed,
            problem: Problem(405, "Method Not Allowed", "this path takes \(allowed.joined(separator: ", "))\(hint)"))
    }
}
