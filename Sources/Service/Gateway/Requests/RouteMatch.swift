// Matches a request's method and path to a row of the table. It looks up no resources.

import Board
import EventStream
import HTTPTransport
import Wire

/// Methods, in the order of `Allow`.
enum RouteMethod: String, CaseIterable {
    case delete = "DELETE"
    case get = "GET"
    case post = "POST"
    case put = "PUT"

    /// - Returns: nil for a method that no path allows. HEAD counts as GET; the transport omits the body.
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

/// A request's row and route.
struct RouteMatch: Sendable {
    let row: RouteRow
    let pattern: RoutePattern
    /// The text in place of the braces; empty if there are none.
    let value: String
    let route: Route

    private static let missing = Route.Refusal(allowed: [], problem: .notFound)

    /// - Parameter path: Percent-decoded, except for slashes.
    init(method: String, path: String) throws(Route.Refusal) {
        // An encoded slash never matches: to a proxy's path rules it is another path than one with a slash.
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

    /// Matches the method and path of a request.
    static func read(of request: HTTPRequest) -> Result<RouteMatch, Route.Refusal> {
        do throws(Route.Refusal) {
            return .success(try RouteMatch(method: request.method, path: request.path))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the error for a path that doesn't allow a method, with those that it allows.
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

    /// Returns whether there must be room for the answer before anything is done or counted.
    func needsRoom(for method: String) -> Bool {
        // Checked before the change, because its outcome is sent even without room.
        guard row.effect == .none else { return true }
        // A list of frames is counted before it is sent. The answer to HEAD takes no room.
        guard case .look(.frames) = route else { return false }
        return method != "HEAD"
    }
}
